/* fdes.h - functions without a name: what .eh_frame tells of them.
 *
 * For each function a compiler leaves a frame description entry (FDE), so that
 * exceptions and debuggers find their way out of it.  It has the function's
 * start and size, and no strip(1) may take it away. */
#ifndef PRF_IMAGE_FDES_H
#define PRF_IMAGE_FDES_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/object.h"

/* Text that an FDE claims: [lo, hi), both even, lo < hi. */
struct prf_fde {
	uint64_t lo, hi;
};

/* {0} is empty. */
struct prf_fdes {
	struct prf_fde *all; /* ascending, not overlapping */
	size_t n, capacity;
};

/* Reads the sections of OBJECT called .eh_frame; if there are none, what the
 * segment PT_GNU_EH_FRAME leads to.  Where FDEs overlap, the one that begins
 * later has the text from there on.  An FDE may lie anywhere, also where there
 * is no text.  What cannot be read is left out, with a warning of OBJECT.
 * -ENOMEM. */
int prf_fdes_read(struct prf_fdes *fdes, struct prf_object *object,
		  struct prf_error *err) PRF_MUST_CHECK;
void prf_fdes_free(struct prf_fdes *fdes);

#endif
