/* call_functions.h - which function of a call graph an address is in. */
#ifndef PRF_PROFILE_CALL_FUNCTIONS_H
#define PRF_PROFILE_CALL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/arcs.h"
#include "profile/call_graph.h"

/* What is known of one binary's functions. */
struct prf_call_names;

struct prf_call_functions {
	const struct prf_profile *profile;
	bool pieces;                   /* see struct prf_call_graph_way */
	struct prf_call_function *all; /* as they came */
	size_t n, room;
	struct prf_call_names *names; /* by the number of the binary */
	size_t pruned;                /* or PRF_CALL_NONE */
};

/* Without any function.  -ENOMEM. */
int prf_call_functions_init(struct prf_call_functions *functions,
			    const struct prf_profile *profile,
			    bool pieces) PRF_MUST_CHECK;
void prf_call_functions_clear(struct prf_call_functions *functions);

/* The number of the function that END is in, to which SELF is added.
 * -ENOMEM. */
int prf_call_functions_count(struct prf_call_functions *functions,
			     const struct prf_arc_end *end,
			     const struct prf_count *self,
			     size_t *function) PRF_MUST_CHECK;

#endif
