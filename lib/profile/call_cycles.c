#include "profile/call_cycles.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"

/* What is known of a function while cycles are searched for: Tarjan's algorithm,
 * without recursion. */
struct visit {
	size_t caller;   /* by which the search came here */
	size_t next_arc; /* of those of the function; to be followed */
	size_t order;    /* as it was met, from 1 on; 0: not yet */
	size_t lowest;   /* the earliest that is known to be reached again */
	size_t cycle;    /* + 1, once that is known; also one of one function */
};

struct search {
	const struct prf_call_graph *graph;
	struct visit *visits; /* by function */
	size_t *open, n_open; /* functions whose cycle is not known yet */
	size_t n_met, n_cycles;
};

static void
take_lower(struct visit *visit, size_t lowest)
{
	if (lowest < visit->lowest)
		visit->lowest = lowest;
}

static void
meet(struct search *search, size_t function, size_t caller)
{
	struct visit *visit = &search->visits[function];

	visit->caller = caller;
	visit->order = visit->lowest = ++search->n_met;
	search->open[search->n_open++] = function;
}

/* All that was met since FUNCTION and is open is one cycle with it. */
static void
close_cycle(struct search *search, size_t function)
{
	size_t member;

	search->n_cycles++;
	do {
		member = search->open[--search->n_open];
		search->visits[member].cycle = search->n_cycles;
	} while (member != function);
}

/* FUNCTION's next arc, if it has one. */
static const struct prf_call_arc *
next_arc(const struct search *search, size_t function)
{
	const struct prf_call_graph *graph = search->graph;
	size_t *next = &search->visits[function].next_arc;

	return *next < graph->n_arcs && graph->arcs[*next].caller == function
		       ? &graph->arcs[(*next)++]
		       : NULL;
}

static void
search_from(struct search *search, size_t function)
{
	struct visit *visits = search->visits;

	meet(search, function, PRF_CALL_NONE);
	while (function != PRF_CALL_NONE) {
		const struct prf_call_arc *arc = next_arc(search, function);
		size_t caller = visits[function].caller;

		if (arc && !visits[arc->callee].order) {
			meet(search, arc->callee, function);
			function = arc->callee;
		} else if (arc) {
			if (!visits[arc->callee].cycle)
				take_lower(&visits[function],
					   visits[arc->callee].order);
		} else {
			if (visits[function].lowest == visits[function].order)
				close_cycle(search, function);
			if (caller != PRF_CALL_NONE)
				take_lower(&visits[caller],
					   visits[function].lowest);
			function = caller;
		}
	}
}

static void
search_all(struct search *search)
{
	const struct prf_call_graph *graph = search->graph;

	/* A function without arcs has none to follow. */
	for (size_t i = 0; i < graph->n_functions; i++)
		search->visits[i].next_arc = graph->n_arcs;
	for (size_t i = graph->n_arcs; i-- > 0;)
		search->visits[graph->arcs[i].caller].next_arc = i;
	for (size_t i = 0; i < graph->n_functions; i++)
		if (!search->visits[i].order)
			search_from(search, i);
}

/* --- What they have */

static size_t
cycle_of(const struct search *search, size_t node)
{
	return search->visits[search->graph->nodes[node].function].cycle - 1;
}

/* Each sample once: DEPTHS has how often each cycle is in the path at hand. */
static void
sum_totals(const struct search *search, struct prf_call_cycle *cycles,
	   size_t *depths)
{
	const struct prf_call_node *nodes = search->graph->nodes;
	size_t at = nodes[0].child;

	while (at && at != PRF_CALL_NONE) {
		size_t cycle = cycle_of(search, at);

		if (depths[cycle]++ == 0)
			prf_count_merge(&cycles[cycle].total, &nodes[at].total);
		if (nodes[at].child != PRF_CALL_NONE) {
			at = nodes[at].child;
			continue;
		}
		while (at && nodes[at].sibling == PRF_CALL_NONE) {
			depths[cycle_of(search, at)]--;
			at = nodes[at].parent;
		}
		if (at) {
			depths[cycle_of(search, at)]--;
			at = nodes[at].sibling;
		}
	}
}

/* Functions come with the largest total first. */
static void
sum_functions(const struct search *search, struct prf_call_cycle *cycles)
{
	for (size_t i = 0; i < search->graph->n_functions; i++) {
		struct prf_call_cycle *cycle =
			&cycles[search->visits[i].cycle - 1];

		if (!cycle->n_functions++)
			cycle->first = i;
		prf_count_merge(&cycle->self,
				&search->graph->functions[i].self);
	}
}

static int
choose(const struct search *search, struct prf_call_cycle *largest)
{
	PRF_AUTO(prf_auto_free)
	struct prf_call_cycle *cycles =
		calloc(search->n_cycles + 1, sizeof *cycles);
	PRF_AUTO(prf_auto_free)
	size_t *depths = calloc(search->n_cycles + 1, sizeof *depths);

	if (!cycles || !depths)
		return -ENOMEM;
	sum_functions(search, cycles);
	sum_totals(search, cycles, depths);
	for (size_t i = 0; i < search->n_cycles; i++)
		if (cycles[i].n_functions > 1 &&
		    cycles[i].total.ticks > largest->total.ticks)
			*largest = cycles[i];
	return 0;
}

int
prf_call_cycle_largest(const struct prf_call_graph *graph,
		       struct prf_call_cycle *cycle)
{
	PRF_AUTO(prf_auto_free)
	struct visit *visits = calloc(graph->n_functions + 1, sizeof *visits);
	PRF_AUTO(prf_auto_free)
	size_t *open = calloc(graph->n_functions + 1, sizeof *open);
	struct search search = {.graph = graph, .visits = visits, .open = open};

	*cycle = (struct prf_call_cycle){0};
	if (!visits || !open)
		return -ENOMEM;
	search_all(&search);
	return choose(&search, cycle);
}
