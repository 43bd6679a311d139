#include "src/commands/function_match.h"

#include <errno.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/table/distinct_names.h"
#include "view/table/short_name.h"

/* Is this WHOLE name, demangled, the WORD, but for what makes it long? */
static int
is_called(const struct prf_call_function *function, const char *whole,
	  const char *word, bool *is)
{
	bool is_demangled = strcmp(function->name, whole) != 0 ||
			    (function->inlined && strchr(function->name, '<'));
	PRF_AUTO(prf_auto_free)
	char *brief = is_demangled ? prf_short_name(whole) : NULL;

	if (is_demangled && !brief)
		return -ENOMEM;
	*is = strcmp(function->name, word) == 0 || strcmp(whole, word) == 0 ||
	      (brief && (strcmp(brief, word) == 0 ||
			 prf_distinct_names_match(word, whole, brief)));
	return 0;
}

static int
match_names(const struct prf_call_graph *graph, const char *word, bool *flags,
	    size_t *n)
{
	int rc = 0;

	*n = 0;
	for (size_t i = 0; !rc && i < graph->n_functions; i++) {
		const struct prf_call_function *function = &graph->functions[i];
		PRF_AUTO(prf_auto_free)
		char *whole = prf_demangle(function->name);

		rc = whole ? is_called(function, whole, word, &flags[i])
			   : -ENOMEM;
		*n += flags[i];
	}
	return rc;
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
	int rc = match_names(graph, word, flags, &n);

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
