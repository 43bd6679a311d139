#include "view/table/spread.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/functions.h"

int
prf_spread_begin(struct prf_spread *spread, const char *name)
{
	size_t n = spread->n_files;
	char **grown = spread->files;

	/* Room for as many again whenever their number is a power of 2. */
	if ((n & (n - 1)) == 0)
		grown = reallocarray(grown, n * 2 + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	spread->files = grown;
	grown[n] = strdup(name);
	if (!grown[n])
		return -ENOMEM;
	spread->n_files++;
	spread->expected = 0;
	return 0;
}

static int
add_share(struct prf_spread *spread, size_t function, uint64_t ticks)
{
	if (spread->n_shares == spread->room) {
		size_t room = spread->room ? spread->room * 2 : 256;
		struct prf_spread_share *grown =
			reallocarray(spread->shares, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		spread->shares = grown;
		spread->room = room;
	}
	spread->shares[spread->n_shares++] = (struct prf_spread_share){
		.function = function,
		.file = spread->n_files - 1,
		.ticks = ticks,
	};
	return 0;
}

/* --- Binaries */

static bool
is_build(const struct prf_spread_build *build, const struct prf_binary *binary)
{
	return build->id_bytes == binary->build_id_bytes &&
	       memcmp(build->id, binary->build_id, build->id_bytes) == 0;
}

/* Functions come binary by binary. */
static bool
find_build(struct prf_spread *spread, const struct prf_binary *binary)
{
	size_t *at = &spread->last_build;

	if (*at < spread->n_builds && is_build(&spread->builds[*at], binary))
		return true;
	for (*at = 0; *at < spread->n_builds; ++*at)
		if (is_build(&spread->builds[*at], binary))
			return true;
	return false;
}

static int
add_build(struct prf_spread *spread, const struct prf_binary *binary,
	  const char *path)
{
	struct prf_spread_build *grown = reallocarray(
		spread->builds, spread->n_builds + 1, sizeof *grown);

	if (!grown)
		return -ENOMEM;
	spread->builds = grown;
	struct prf_spread_build *build = &grown[spread->n_builds];
	*build = (struct prf_spread_build){
		.id_bytes = binary->build_id_bytes,
		.path = strdup(path),
	};
	memcpy(build->id, binary->build_id, build->id_bytes);
	if (!build->path)
		return -ENOMEM;
	spread->last_build = spread->n_builds++;
	return 0;
}

/* The same path for all copies of one binary.  NULL: out of memory. */
static const char *
path_of(struct prf_spread *spread, const struct prf_binary *binary)
{
	const char *path = *binary->path ? binary->path : binary->name;

	if (!binary->build_id_bytes)
		return path;
	if (!find_build(spread, binary) && add_build(spread, binary, path))
		return NULL;
	return spread->builds[spread->last_build].path;
}

/* --- Functions */

/* How many functions a file may leave out of those that one before it has. */
enum { MAX_LEFT_OUT = 8 };

static bool
is_called(const char *text, const char *path, const char *name)
{
	size_t n = strlen(path);

	return strncmp(text, path, n) == 0 && text[n] == '\n' &&
	       strcmp(text + n + 1, name) == 0;
}

/* Files name their functions in one order, so that most need no search. */
static bool
is_expected(const struct prf_spread *spread, const char *path, const char *name,
	    size_t *function)
{
	const struct prf_named_counts *functions = &spread->functions;
	size_t end = spread->expected + MAX_LEFT_OUT;

	for (size_t i = spread->expected; i < functions->n && i < end; i++)
		if (is_called(functions->all[i].text, path, name)) {
			*function = i;
			return true;
		}
	return false;
}

static int
find_function(struct prf_spread *spread, const char *path, const char *name,
	      size_t *function)
{
	PRF_AUTO(prf_auto_free) char *key = NULL;

	if (is_expected(spread, path, name, function))
		return 0;
	if (asprintf(&key, "%s\n%s", path, name) < 0) {
		key = NULL;
		return -ENOMEM;
	}
	return prf_named_counts_intern(&spread->functions, key, function);
}

int
prf_spread_add(struct prf_spread *spread, const struct prf_binary *binary,
	       const char *name, const struct prf_count *count)
{
	size_t function;
	const char *path = path_of(spread, binary);
	int rc = path ? find_function(spread, path, name, &function) : -ENOMEM;

	if (rc)
		return rc;
	spread->expected = function + 1;
	prf_count_merge(&spread->functions.all[function].count, count);
	return add_share(spread, function, count->ticks);
}

int
prf_spread_add_all(struct prf_spread *spread, const struct prf_profile *profile)
{
	PRF_AUTO(prf_functions_clear) struct prf_functions functions;
	int rc = prf_functions_of(profile, &functions);

	for (size_t i = 0; !rc && i < functions.n; i++)
		rc = prf_spread_add(spread, functions.all[i].binary,
				    functions.all[i].name,
				    &functions.all[i].count);
	return rc;
}

static int
by_ticks(const void *a, const void *b, void *arg)
{
	const struct prf_named_counts *functions = arg;
	const struct prf_named_count *left =
		&functions->all[*(const size_t *)a];
	const struct prf_named_count *right =
		&functions->all[*(const size_t *)b];

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	return strcmp(left->text, right->text);
}

size_t *
prf_spread_sorted(const struct prf_spread *spread)
{
	const struct prf_named_counts *functions = &spread->functions;
	size_t *sorted = calloc(functions->n + 1, sizeof *sorted);

	for (size_t i = 0; sorted && i < functions->n; i++)
		sorted[i] = i;
	if (sorted)
		qsort_r(sorted, functions->n, sizeof *sorted, by_ticks,
			(void *)functions);
	return sorted;
}

void
prf_spread_of(const struct prf_spread *spread, size_t function, uint64_t *ticks)
{
	for (size_t i = 0; i < spread->n_files; i++)
		ticks[i] = 0;
	for (size_t i = 0; i < spread->n_shares; i++)
		if (spread->shares[i].function == function)
			ticks[spread->shares[i].file] +=
				spread->shares[i].ticks;
}

void
prf_spread_clear(struct prf_spread *spread)
{
	for (size_t i = 0; i < spread->n_files; i++)
		free(spread->files[i]);
	free(spread->files);
	prf_named_counts_clear(&spread->functions);
	for (size_t i = 0; i < spread->n_builds; i++)
		free(spread->builds[i].path);
	free(spread->builds);
	free(spread->shares);
	*spread = (struct prf_spread){0};
}
