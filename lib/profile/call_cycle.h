/* call_cycle.h - functions that call each other, directly or through others.
 *
 * What gprof knows of a program does not tell how the time in such a cycle is
 * divided among its functions: of an interpreter that is most of it. */
#ifndef PRF_PROFILE_CALL_CYCLE_H
#define PRF_PROFILE_CALL_CYCLE_H

#include <stddef.h>

#include "core/attr.h"
#include "profile/call_graph.h"

struct prf_call_cycle {
	size_t n;        /* functions; 0: there is none, else at least 2 */
	size_t function; /* the one of them with the largest total */
	struct prf_count total; /* of samples with any of them in the path */
};

/* The cycle of GRAPH with the function that has the largest total of all in
 * cycles; only functions with MIN_TICKS or more are tried.  -ENOMEM. */
int prf_call_cycle_of(const struct prf_call_graph *graph, uint64_t min_ticks,
		      struct prf_call_cycle *cycle) PRF_MUST_CHECK;

#endif
