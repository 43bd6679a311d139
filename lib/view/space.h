/* space.h - an address space: which object lies where, as of now. */
#ifndef PRF_VIEW_SPACE_H
#define PRF_VIEW_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"

struct prf_object;

struct prf_place {
	uint64_t addr, last;       /* both ends are inside */
	uint64_t bias;             /* addr - vaddr */
	struct prf_object *object; /* lent */
};

/* All zero is an empty space. */
struct prf_space {
	struct prf_place *places; /* ascending, not overlapping */
	size_t n, room;
};

/* PLACE replaces all there was between its ends; with no object, that is
 * left empty.  -EINVAL: it ends before it begins; -ENOMEM: nothing changed. */
int prf_space_set(struct prf_space *space,
		  const struct prf_place *place) PRF_MUST_CHECK;
/* The place that holds ADDR, or NULL. */
const struct prf_place *prf_space_at(const struct prf_space *space,
				     uint64_t addr);
void prf_space_clear(struct prf_space *space);

#endif
