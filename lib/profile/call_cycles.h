/* call_cycles.h - functions that call each other, directly or by way of others:
 * of such a cycle gprof knows the time as a whole, and cannot tell what each
 * function had with what it called. */
#ifndef PRF_PROFILE_CALL_CYCLES_H
#define PRF_PROFILE_CALL_CYCLES_H

#include <stddef.h>

#include "core/attr.h"
#include "profile/call_graph.h"

struct prf_call_cycle {
	size_t n_functions;     /* 0: there is no cycle */
	size_t first;           /* of them: the one with the largest total */
	struct prf_count self;  /* of all of them */
	struct prf_count total; /* of samples with any of them in the path */
};

/* *CYCLE: that with the largest total; a function that calls only itself is
 * none.  -ENOMEM. */
int prf_call_cycle_largest(const struct prf_call_graph *graph,
			   struct prf_call_cycle *cycle) PRF_MUST_CHECK;

#endif
