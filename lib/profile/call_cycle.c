#include "profile/call_cycle.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* Which functions are reached from one, and which reach it. */
struct reach {
	bool *forwards, *backwards;
};

static void
free_reach(struct reach *reach)
{
	free(reach->forwards);
	free(reach->backwards);
}

/* Flags all that is reached from what FLAGS has, by arcs the one way or the
 * other. */
static void
spread(const struct prf_call_graph *graph, bool *flags, bool backwards)
{
	bool has_grown = true;

	while (has_grown) {
		has_grown = false;
		for (size_t i = 0; i < graph->n_arcs; i++) {
			const struct prf_call_arc *arc = &graph->arcs[i];
			size_t from = backwards ? arc->callee : arc->caller;
			size_t to = backwards ? arc->caller : arc->callee;

			if (flags[from] && !flags[to])
				has_grown = flags[to] = true;
		}
	}
}

/* Flags in REACH->forwards those that FUNCTION is in a cycle with, itself too;
 * returns how many they are. */
static size_t
find_cycle(const struct prf_call_graph *graph, size_t function,
	   struct reach *reach)
{
	size_t n = 0;

	memset(reach->forwards, 0, graph->n_functions);
	memset(reach->backwards, 0, graph->n_functions);
	reach->forwards[function] = reach->backwards[function] = true;
	spread(graph, reach->forwards, false);
	spread(graph, reach->backwards, true);
	for (size_t i = 0; i < graph->n_functions; i++) {
		reach->forwards[i] &= reach->backwards[i];
		n += reach->forwards[i];
	}
	return n;
}

/* The samples with one of FLAGS in their path.  Parents come before their
 * children. */
static int
count_paths(const struct prf_call_graph *graph, const bool *flags,
	    struct prf_count *total)
{
	PRF_AUTO(prf_auto_free)
	bool *within = calloc(graph->n_nodes, sizeof *within);

	if (!within)
		return -ENOMEM;
	for (size_t i = 1; i < graph->n_nodes; i++) {
		const struct prf_call_node *node = &graph->nodes[i];

		within[i] = within[node->parent] || flags[node->function];
		if (within[i] && !within[node->parent])
			prf_count_merge(total, &node->total);
	}
	return 0;
}

int
prf_call_cycle_of(const struct prf_call_graph *graph, uint64_t min_ticks,
		  struct prf_call_cycle *cycle)
{
	PRF_AUTO(free_reach)
	struct reach reach = {
		calloc(graph->n_functions + 1, sizeof(bool)),
		calloc(graph->n_functions + 1, sizeof(bool)),
	};

	*cycle = (struct prf_call_cycle){0};
	if (!reach.forwards || !reach.backwards)
		return -ENOMEM;
	/* The largest total comes first. */
	for (size_t i = 0; i < graph->n_functions &&
			   graph->functions[i].total.ticks >= min_ticks;
	     i++) {
		size_t n = find_cycle(graph, i, &reach);

		if (n < 2)
			continue;
		cycle->n = n;
		cycle->function = i;
		return count_paths(graph, reach.forwards, &cycle->total);
	}
	return 0;
}
