/* A pprof file: whatever becomes a profile and is written again must be read as
 * the same, and each format of another tool is sound. */
#include <errno.h>
#include <stdlib.h>

#include "fuzz/exported.h"
#include "fuzz/fuzz.h"
#include "profile/functions.h"
#include "view/pprof/pprof_read.h"
#include "view/pprof/pprof_write.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static int
open_none(void *arg, const struct prf_mapping *map)
{
	(void)arg;
	(void)map;
	return -ENOENT;
}

/* NULL: they are refused. */
static struct prf_profile *
read_bytes(const void *bytes, size_t n)
{
	const struct prf_objectfile_way way = {.open = open_none};
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	int rc = prf_pprof_read(bytes, n, &way, &profile, &err);

	must(rc == err.code && rc <= 0 && !rc == (profile != NULL));
	must(!rc || err.text[0]);
	return profile;
}

/* The sum of all functions is that of the profile. */
static void
check_functions(const struct prf_profile *profile)
{
	struct prf_functions functions;
	uint64_t ticks = 0;

	must(!prf_functions_of(profile, &functions));
	for (size_t i = 0; i < functions.n; i++)
		ticks += functions.all[i].count.ticks;
	must(ticks == profile->total.ticks);
	prf_functions_clear(&functions);
}

static void
check(const struct prf_profile *profile)
{
	const struct prf_export_way way = {0};
	char *bytes = NULL;
	size_t n;
	FILE *out = open_memstream(&bytes, &n);

	must(out);
	check_functions(profile);
	must(!prf_pprof_write(profile, &way, out, NULL));
	fclose(out);
	struct prf_profile *again = read_bytes(bytes, n);
	/* Values of protobuf have a sign. */
	must(again || profile->total.ticks > INT64_MAX);
	if (again) {
		check_functions(again);
		must(again->total.ticks == profile->total.ticks);
	}
	prf_profile_free(again);
	free(bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_profile *profile = read_bytes(bytes, n_bytes);

	if (profile) {
		check(profile);
		prf_exported_check(profile);
	}
	prf_profile_free(profile);
	return 0;
}
