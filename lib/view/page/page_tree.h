/* page_tree.h - the tree of functions that a page shows, made of a table of
 * stacks: a path of functions is one node, whatever lines its calls are in. */
#ifndef PRF_VIEW_PAGE_PAGE_TREE_H
#define PRF_VIEW_PAGE_PAGE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/count.h"
#include "view/export/stack_table.h"

/* Instead of a function: nodes that were too many. */
#define PRF_PAGE_PRUNED UINT32_MAX

struct prf_page_node {
	uint32_t parent;   /* a lower number */
	uint32_t function; /* in the list below; not of the root */
	uint32_t line;     /* where most of its ticks were, in the source of the
			    * function; 0: not known */
	bool guessed;      /* some of it was */
	uint64_t self, total;
};

struct prf_page_function {
	uint32_t number; /* among the stacks' functions, or PRUNED */
	struct prf_count self, total;
};

struct prf_page_tree {
	struct prf_page_node *nodes; /* [0] is the root; parents come first, and
				      * of their children those with the most
				      * ticks */
	size_t n_nodes;
	struct prf_page_function *functions; /* the largest total first; their
					      * counts are of all nodes, pruned
					      * or not; of PRUNED the total */
	size_t n_functions;
	uint32_t *node_of; /* by the number of the stacks' node; 0 where that
			    * has no ticks */
	struct prf_count total;
};

/* Of STACKS, which are finished.  Of more than N_MAX nodes those with the fewest
 * ticks are pruned: their ticks are below who called them.  -ENOMEM. */
int prf_page_tree_of(const struct prf_stack_table *stacks, size_t n_max,
		     struct prf_page_tree *tree) PRF_MUST_CHECK;
void prf_page_tree_clear(struct prf_page_tree *tree);

#endif
