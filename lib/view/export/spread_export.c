#include "view/export/spread_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"

/* TEXT is the path of a binary and a mangled name, as spread.h has them. */
static int
put_name(const char *text, struct prf_json *json)
{
	const char *newline = strchr(text, '\n');
	PRF_AUTO(prf_auto_free) char *name = prf_demangle(newline + 1);
	PRF_AUTO(prf_auto_free)
	char *binary = strndup(text, (size_t)(newline - text));

	if (!name || !binary)
		return -ENOMEM;
	prf_json_text(json, "name", name);
	prf_json_text(json, "binary", binary);
	return 0;
}

/* TICKS: those that it has in each file. */
static int
put_function(const struct prf_spread *spread, size_t function,
	     const struct prf_share_export *of, const uint64_t *ticks,
	     struct prf_json *json)
{
	const struct prf_named_count *counted =
		&spread->functions.all[function];

	prf_json_object(json, NULL);
	int rc = put_name(counted->text, json);
	prf_share_export_json(of, "self", &counted->count, json);
	prf_json_list(json, "ticks");
	for (size_t i = 0; i < spread->n_files; i++)
		prf_json_number(json, NULL, ticks[i]);
	prf_json_end(json);
	prf_json_end(json);
	return rc;
}

int
prf_spread_export_json(const struct prf_spread *spread,
		       const struct prf_share_export *of, size_t max,
		       struct prf_json *json)
{
	size_t n = spread->functions.n < max ? spread->functions.n : max;
	PRF_AUTO(prf_auto_free) size_t *sorted = prf_spread_sorted(spread);
	PRF_AUTO(prf_auto_free)
	uint64_t *ticks = calloc(spread->n_files + 1, sizeof *ticks);
	int rc = 0;

	if (!sorted || !ticks)
		return -ENOMEM;
	prf_json_object(json, "spread");
	prf_json_list(json, "of");
	for (size_t i = 0; i < spread->n_files; i++)
		prf_json_text(json, NULL, spread->files[i]);
	prf_json_end(json);
	prf_json_list(json, "functions");
	for (size_t i = 0; !rc && i < n; i++) {
		prf_spread_of(spread, sorted[i], ticks);
		rc = put_function(spread, sorted[i], of, ticks, json);
	}
	prf_json_end(json);
	prf_json_number(json, "more", spread->functions.n - n);
	prf_json_end(json);
	return rc;
}
