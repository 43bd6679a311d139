/* call_graph.h - the functions of a profile with what they called: a table made
 * of its call tree at any time, which changes nothing in it.
 *
 * A sample is a path from the outermost function to the innermost.  Whatever is
 * counted here has each sample once, however often a function or a call comes
 * up in its path: recursion is counted right. */
#ifndef PRF_PROFILE_CALL_GRAPH_H
#define PRF_PROFILE_CALL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/binary_lines.h"
#include "profile/call_function.h"
#include "profile/profile.h"

/* A path of functions from the root; several calls from one function to the
 * same other are one. */
struct prf_call_node {
	size_t function;       /* NONE: the root */
	size_t parent;         /* NONE: of the root */
	size_t child, sibling; /* the first; the next; or NONE: those with the
				* most ticks come first */
	bool guessed;          /* some of it was */
	struct prf_count self, total;
};

/* Samples in which CALLER calls CALLEE, at least once. */
struct prf_call_arc {
	size_t caller, callee; /* functions; they may be the same */
	struct prf_count total;
};

/* All zero: nothing. */
struct prf_call_graph {
	struct prf_call_function *functions; /* the largest total first */
	size_t n_functions;
	struct prf_call_node *nodes; /* [0] is the root, which has what is in no
				      * function for its own; parents come
				      * before their children */
	size_t n_nodes;
	struct prf_call_arc *arcs; /* by caller, then the largest first */
	size_t n_arcs;
};

/* How a graph is made; all zero: as prf_call_graph_of() does. */
struct prf_call_graph_way {
	/* Each piece of text and each symbol of a list is a function by itself,
	 * as it is to gprof; LO is its own, or the number of its name.  What was
	 * pruned is none, and is left out. */
	bool pieces;
	/* Frames in other binaries are left out, and samples that end there;
	 * NULL: none are. */
	const struct prf_binary *only;
	/* Whose calls are left out, by the number of the owner; NULL:
	 * nobody's. */
	const bool *others;
	/* Functions that were inlined at an address are in its path, as these
	 * lines have it, which must outlive the graph; NULL: they are not, nor
	 * are they of calls that are by function, unless it IS_FLAT. */
	struct prf_binary_lines *inlines;
	/* All ticks are paths of one frame, as counters have them, as they are
	 * where there are no calls: what calls there are, and what was pruned
	 * of them, is of no matter. */
	bool is_flat;
	/* The tree alone, which is half of the work: of functions and nodes
	 * what they have themselves, in no order, and no arcs. */
	bool is_tree;
};

/* Of PROFILE, which must outlive it and not change meanwhile.  -ENOMEM. */
int prf_call_graph_of(const struct prf_profile *profile,
		      struct prf_call_graph *graph) PRF_MUST_CHECK;
int prf_call_graph_make(const struct prf_profile *profile,
			const struct prf_call_graph_way *way,
			struct prf_call_graph *graph) PRF_MUST_CHECK;
void prf_call_graph_clear(struct prf_call_graph *graph);

#endif
