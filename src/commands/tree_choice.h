/* tree_choice.h - which tree of calls a report is asked for. */
#ifndef PRF_SRC_COMMANDS_TREE_CHOICE_H
#define PRF_SRC_COMMANDS_TREE_CHOICE_H

#include "core/attr.h"
#include "core/error.h"
#include "profile/call_graph.h"
#include "src/commands/matching.h"
#include "view/table/call_tree.h"

struct prf_tree_choice {
	enum prf_call_tree_kind kind;
	const char *function; /* that it begins with; unless it is WHOLE */
	/* Of samples, by the functions in their stacks. */
	const struct prf_matching *matching;
};

/* Makes it, of GRAPH.  -ENOENT: there is nothing of the kind; -EINVAL; -ENOMEM:
 * ERR says why. */
int prf_tree_choice_make(const struct prf_tree_choice *wanted,
			 const struct prf_call_graph *graph,
			 struct prf_call_tree *tree,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
