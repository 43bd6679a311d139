/* arcs.h - who called whom, and how often, between binaries of a profile. */
#ifndef PRF_PROFILE_ARCS_H
#define PRF_PROFILE_ARCS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/binary.h"

/* One end: an address of a binary; its number of the name in one that counts by
 * name. */
struct prf_arc_end {
	struct prf_binary *binary;
	uint64_t vaddr;
};

struct prf_arc {
	struct prf_arc_end from, to;
	uint64_t count;
};

/* All zero: none. */
struct prf_arcs {
	struct prf_arc *all; /* as they came, each pair of ends once */
	size_t n, room;
	size_t *slots; /* a hash table: index + 1; 0: free */
	size_t n_slots;
};

/* -EOVERFLOW: more than 64 bits hold; -ENOMEM. */
int prf_arcs_add(struct prf_arcs *arcs,
		 const struct prf_arc *arc) PRF_MUST_CHECK;
/* -ERANGE: there are not so many. */
int prf_arcs_subtract(struct prf_arcs *arcs,
		      const struct prf_arc *arc) PRF_MUST_CHECK;
void prf_arcs_clear(struct prf_arcs *arcs);

#endif
