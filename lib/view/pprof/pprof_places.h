/* pprof_places.h - where the binaries of a profile are put in a pprof file: in
 * one address space, which does not exist.  A program keeps its own vaddrs; each
 * of the others has a place above. */
#ifndef PRF_VIEW_PPROF_PPROF_PLACES_H
#define PRF_VIEW_PPROF_PPROF_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/arcs.h"
#include "profile/profile.h"

struct prf_pprof_place {
	uint64_t lo, hi;   /* [lo, hi) */
	uint64_t shift;    /* to be added, modulo 2^64, to its own addresses */
	uint64_t file_off; /* of lo */
};

/* Of all binaries, by their numbers; to be free()d.  NULL: out of memory. */
struct prf_pprof_place *prf_pprof_places_of(const struct prf_profile *profile);

/* Where END is, whose binary is not NULL. */
uint64_t prf_pprof_places_addr(const struct prf_pprof_place *places,
			       const struct prf_arc_end *end);

#endif
