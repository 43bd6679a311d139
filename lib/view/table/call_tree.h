/* call_tree.h - a call graph as the tree that is shown: all of it, what a
 * function calls, or who calls it.
 *
 * Each sample is in it once.  A function that calls itself at once is one node,
 * which says so. */
#ifndef PRF_VIEW_TABLE_CALL_TREE_H
#define PRF_VIEW_TABLE_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/call_graph.h"
#include "profile/pairs.h"

enum prf_call_tree_kind {
	PRF_CALL_TREE_WHOLE,
	PRF_CALL_TREE_BELOW, /* what the functions that are meant call */
	PRF_CALL_TREE_ABOVE, /* who calls them: callers are children */
};

/* What is wanted of a graph.  Flags go by the number of a function; NULL: all
 * of FOCUS, none of IGNORE. */
struct prf_call_choice {
	enum prf_call_tree_kind kind;
	/* The functions that are meant.  Where one of them calls another, or
	 * itself, the outer call is the one that counts. */
	const bool *meant;
	/* Only samples with one of these in their path; none with one of
	 * those. */
	const bool *focus, *ignore;
};

struct prf_call_tree_node {
	size_t function;       /* PRF_CALL_NONE: the root */
	size_t parent;         /* PRF_CALL_NONE: of the root */
	size_t child, sibling; /* the first; the next; or PRF_CALL_NONE: those
				* with the most ticks come first */
	bool guessed;          /* some of it was found by a guess */
	bool recursive;        /* some of it is calls of itself */
	struct prf_count self, total;
};

/* All zero: nothing. */
struct prf_call_tree {
	struct prf_call_tree_node *nodes; /* [0] is the root */
	size_t n, room;
	struct prf_pairs children; /* by parent and function; the number is
				    * the node's, less 1 */
};

/* Of what CHOICE wants of GRAPH, which has at least a root.  -ENOMEM. */
int prf_call_tree_of(const struct prf_call_graph *graph,
		     const struct prf_call_choice *choice,
		     struct prf_call_tree *tree) PRF_MUST_CHECK;
void prf_call_tree_clear(struct prf_call_tree *tree);

/* The least number of ticks of a node that is shown where it must have PERCENT
 * of the tree; at least 1. */
uint64_t prf_call_tree_least(const struct prf_call_tree *tree, double percent);
/* Node I's next sibling among those with LEAST ticks or more, or PRF_CALL_NONE. */
size_t prf_call_tree_sibling(const struct prf_call_tree *tree, size_t i,
			     uint64_t least);
/* Who follows node I (the root comes first) where a node's children stand below
 * it, or PRF_CALL_NONE. */
size_t prf_call_tree_next(const struct prf_call_tree *tree, size_t i,
			  uint64_t least);

#endif
