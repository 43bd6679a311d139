/* call_functions.h - which function of a call graph an address is in. */
#ifndef PRF_PROFILE_CALL_FUNCTIONS_H
#define PRF_PROFILE_CALL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/arcs.h"
#include "profile/binary_lines.h"
#include "profile/call_function.h"
#include "profile/named_counts.h"
#include "profile/pairs.h"
#include "profile/profile.h"

/* What is known of one binary's functions. */
struct prf_call_names;

struct prf_call_functions {
	const struct prf_profile *profile;
	bool pieces;                   /* see struct prf_call_graph_way */
	struct prf_call_function *all; /* as they came */
	size_t n, room;
	struct prf_call_names *names; /* by the number of the binary */
	size_t pruned;                /* or PRF_CALL_NONE */
	/* See struct prf_call_graph_way; then, by binary and vaddr, the
	 * functions there; and those that are inlined, by binary and name. */
	struct prf_binary_lines *inlines;
	bool in_counters; /* see prf_binary_lines_at() */
	struct prf_pairs places, inlined;
	struct prf_call_place *all_places;
	size_t places_room;
	size_t *place_functions, n_place_functions, place_functions_room;
	size_t *inlined_functions, inlined_room; /* their numbers */
	struct prf_named_counts inlined_names;
	size_t outermost; /* of the last that were counted */
};

/* The functions at an address, the outermost first. */
struct prf_call_place {
	size_t first, n;
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
/* The same for all functions at END, the outermost first; SELF is added to the
 * innermost.  *NUMBERS last until the next call. */
int prf_call_functions_count_all(struct prf_call_functions *functions,
				 const struct prf_arc_end *end,
				 const struct prf_count *self,
				 const size_t **numbers,
				 size_t *n) PRF_MUST_CHECK;
/* How many those are of an END that was counted. */
size_t prf_call_functions_depth(const struct prf_call_functions *functions,
				const struct prf_arc_end *end);

#endif
