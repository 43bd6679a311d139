/* starts.h - where functions begin: what symbols say; in a file whose symbols
 * were taken away, what is called, and what others have the address of.
 *
 * It has no names, and costs a fraction of what they do. */
#ifndef PRF_IMAGE_STARTS_H
#define PRF_IMAGE_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "image/layout.h"
#include "image/object.h"

/* No more text is searched for calls. */
#define PRF_STARTS_TEXT_MAX ((uint64_t)32 << 20)

/* {0} is empty. */
struct prf_starts {
	uint64_t *all; /* ascending */
	size_t n, capacity;
};

/* Reads those in the segments of LAYOUT.  -ENOMEM. */
int prf_starts_read(struct prf_starts *starts, const struct prf_object *object,
		    const struct prf_layout *layout) PRF_MUST_CHECK;
void prf_starts_free(struct prf_starts *starts);

/* The last one at or before VADDR; false: there is none. */
bool prf_starts_at(const struct prf_starts *starts, uint64_t vaddr,
		   uint64_t *start);

#endif
