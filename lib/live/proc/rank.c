#include "live/proc/rank.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "live/proc/exec_strings.h"

const char *const prf_rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
	"MV2_COMM_WORLD_RANK",  "SLURM_PROCID", NULL,
};

/* What NAME is set to; NULL: it is not. */
static const char *
value_of(const char *name, const char *environment, size_t n_bytes)
{
	size_t length = strlen(name);
	const char *end = environment + n_bytes;

	while (environment < end) {
		size_t n = strnlen(environment, (size_t)(end - environment));

		if (environment + n == end) /* cut short */
			return NULL;
		if (n > length && environment[length] == '=' &&
		    memcmp(environment, name, length) == 0)
			return environment + length + 1;
		environment += n + 1;
	}
	return NULL;
}

static int32_t
number_of(const char *value)
{
	size_t n_digits = strspn(value, "0123456789");

	return n_digits && n_digits < 10 && !value[n_digits]
		       ? (int32_t)strtol(value, NULL, 10)
		       : -1;
}

int32_t
prf_rank_find(const char *environment, size_t n_bytes)
{
	for (const char *const *name = prf_rank_variables; *name; name++) {
		const char *value = value_of(*name, environment, n_bytes);

		if (value && *value)
			return number_of(value);
	}
	return -1;
}

int32_t
prf_rank_of(pid_t pid)
{
	size_t n_bytes;
	PRF_AUTO(prf_auto_free)
	char *environment = prf_exec_strings_environment(pid, &n_bytes);

	return environment ? prf_rank_find(environment, n_bytes) : -1;
}
