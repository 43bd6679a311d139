#include "src/commands/function_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "src/commands/function_called.h"
#include "view/table/name_columns.h"

/* Those that are called WORD; ONLY_INLINED: of those that are. */
static int
match_names(const struct prf_call_graph *graph, const char *word,
	    bool only_inlined, bool *flags, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < graph->n_functions; i++) {
		const struct prf_call_function *function = &graph->functions[i];
		int how = prf_function_called(function->name, function->inlined,
					      word);

		if (how < 0)
			return how;
		flags[i] = how == PRF_FOUND_NAME &&
			   (function->inlined || !only_inlined);
		*n += flags[i];
	}
	return 0;
}

/* Takes their FLAGS from those that are shown as something else than WORD, unless
 * none is shown so. */
static int
choose_shown(const struct prf_call_graph *graph, const char *word, bool *flags,
	     size_t n)
{
	static const struct prf_style style = {0};
	struct prf_distinct_name *names = calloc(n + 1, sizeof *names);
	PRF_AUTO(prf_auto_free) bool *is_it = calloc(n + 1, sizeof *is_it);
	ptrdiff_t rc = names && is_it ? 0 : -ENOMEM;
	size_t number = 0;

	for (size_t i = 0; !rc && i < graph->n_functions; i++) {
		const struct prf_call_function *function = &graph->functions[i];

		if (flags[i])
			rc = prf_distinct_name_begin(
				&names[number++], function->name,
				function->inlined,
				function->binary ? function->binary->name : "",
				&style);
	}
	if (!rc)
		rc = prf_function_called_shown(names, n, word, &style, is_it);
	number = 0;
	for (size_t i = 0; rc > 0 && i < graph->n_functions; i++)
		flags[i] = flags[i] && is_it[number++];
	prf_distinct_names_free(names, n);
	return rc < 0 ? -ENOMEM : 0;
}

/* WORD may be marked as inlined. */
static int
match_shown(const struct prf_call_graph *graph, const char *word, bool *flags,
	    size_t *n)
{
	PRF_AUTO(prf_auto_free) char *unmarked = strdup(word);

	if (!unmarked)
		return -ENOMEM;
	bool only_inlined = prf_name_columns_unmark(unmarked);
	int rc = match_names(graph, unmarked, only_inlined, flags, n);
	/* Without brackets it is the name of all that have it. */
	return rc || *n < 2 || !strstr(unmarked, " [")
		       ? rc
		       : choose_shown(graph, unmarked, flags, *n);
}

static int
match_expression(const struct prf_call_graph *graph,
		 const struct prf_matching *matching, bool *flags, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < graph->n_functions; i++) {
		const struct prf_call_function *function = &graph->functions[i];
		PRF_AUTO(prf_auto_free)
		char *whole = prf_demangle(function->name);
		const char *names[] = {
			whole, function->binary ? function->binary->name : NULL,
			NULL};

		if (!whole)
			return -ENOMEM;
		flags[i] = prf_matching_wants(matching, names);
		*n += flags[i];
	}
	return 0;
}

int
prf_function_match_word(const struct prf_call_graph *graph, const char *word,
			bool *flags, struct prf_error *err)
{
	PRF_AUTO(prf_matching_clear) struct prf_matching matching = {0};
	size_t n;
	int rc = match_shown(graph, word, flags, &n);

	if (!rc && !n)
		rc = prf_matching_focus(&matching, word, err);
	if (!rc && !n)
		rc = match_expression(graph, &matching, flags, &n);
	if (rc == -ENOMEM)
		return prf_error_set(err, rc, "out of memory");
	if (rc)
		return rc;
	return n ? 0
		 : prf_error_set(err, -ENOENT,
				 "no function with ticks, or called by one, "
				 "is '%s'",
				 word);
}

int
prf_function_match_choice(const struct prf_call_graph *graph,
			  const struct prf_matching *matching, bool *focus,
			  bool *ignore)
{
	struct prf_matching only_focus = *matching, only_ignore = *matching;
	size_t n;

	only_focus.has_ignore = false;
	only_ignore.has_focus = false;
	int rc = match_expression(graph, &only_focus, focus, &n);
	if (!rc)
		rc = match_expression(graph, &only_ignore, ignore, &n);
	for (size_t i = 0; !rc && i < graph->n_functions; i++)
		ignore[i] = !ignore[i];
	return rc;
}
