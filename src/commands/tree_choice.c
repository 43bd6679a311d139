#include "src/commands/tree_choice.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "src/commands/function_match.h"

/* Flags of functions. */
struct flags {
	bool *meant, *focus, *ignore;
};

static void
free_flags(struct flags *flags)
{
	free(flags->meant);
	free(flags->focus);
	free(flags->ignore);
}

static int
match(const struct prf_tree_choice *wanted, const struct prf_call_graph *graph,
      struct flags *flags, struct prf_error *err)
{
	size_t n = graph->n_functions + 1;

	*flags = (struct flags){
		.meant = calloc(n, sizeof(bool)),
		.focus = calloc(n, sizeof(bool)),
		.ignore = calloc(n, sizeof(bool)),
	};
	if (!flags->meant || !flags->focus || !flags->ignore ||
	    prf_function_match_choice(graph, wanted->matching, flags->focus,
				      flags->ignore))
		return prf_error_set(err, -ENOMEM, "out of memory");
	return wanted->kind == PRF_CALL_TREE_WHOLE
		       ? 0
		       : prf_function_match_word(graph, wanted->function,
						 flags->meant, err);
}

int
prf_tree_choice_make(const struct prf_tree_choice *wanted,
		     const struct prf_call_graph *graph,
		     struct prf_call_tree *tree, struct prf_error *err)
{
	PRF_AUTO(free_flags) struct flags flags = {0};
	int rc = match(wanted, graph, &flags, err);

	if (rc)
		return rc;
	const struct prf_call_choice choice = {
		.kind = wanted->kind,
		.meant = flags.meant,
		.focus = flags.focus,
		.ignore = flags.ignore,
	};
	if (prf_call_tree_of(graph, &choice, tree))
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (tree->nodes[0].total.ticks)
		return 0;
	prf_call_tree_clear(tree);
	return prf_error_set(err, -ENOENT,
			     "no sample is left by --focus and --ignore");
}
