#include "view/annotate/inlined.h"

#include <errno.h>
#include <string.h>

#include "profile/named_counts.h"
#include "view/table/line_ticks.h"

struct collecting {
	struct prf_functions *functions;
	const struct prf_binary *binary; /* at hand */
	size_t first;                    /* of its functions */
	struct prf_named_counts names;   /* of those, in their order */
};

bool
prf_inlined_is_there(const struct prf_line *lines, size_t n,
		     const char *function)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (lines[i].function && !strcmp(lines[i].function, function))
			return true;
	return false;
}

static int
add(struct collecting *collecting, const struct prf_line_ticks *ticks,
    const char *name)
{
	struct prf_functions *functions = collecting->functions;
	const struct prf_function function = {
		.name = name,
		.binary = ticks->binary,
		.lo = ticks->vaddr,
		.count = ticks->count,
	};
	size_t number;
	int rc = prf_named_counts_intern(&collecting->names, name, &number);

	if (rc != 0)
		return rc;
	number += collecting->first;
	if (number == functions->n)
		return prf_functions_add(functions, &function);
	prf_count_merge(&functions->all[number].count, &function.count);
	return 0;
}

static int
take(void *arg, const struct prf_line_ticks *ticks)
{
	struct collecting *collecting = arg;
	int rc = 0;

	if (collecting->binary != ticks->binary) {
		prf_named_counts_clear(&collecting->names);
		collecting->binary = ticks->binary;
		collecting->first = collecting->functions->n;
	}
	for (size_t i = 0; rc == 0 && i + 1 < ticks->n_lines; i++) {
		const char *name = ticks->line[i].function;

		/* One that is inlined into itself has its ticks once. */
		if (name && !prf_inlined_is_there(ticks->line, i + 1, name))
			rc = add(collecting, ticks, name);
	}
	return rc;
}

int
prf_inlined_functions_of(const struct prf_profile *profile,
			 struct prf_binary_lines *lines,
			 struct prf_functions *functions)
{
	struct collecting collecting = {.functions = functions};

	*functions = (struct prf_functions){.total = profile->total};
	int rc = prf_line_ticks_walk(profile, lines, take, &collecting);
	prf_named_counts_clear(&collecting.names);
	if (rc != 0)
		prf_functions_clear(functions);
	return rc;
}
