/* frames.h - the entries of .eh_frame: a common one (CIE) for several that
 * describe a function each (FDE). */
#ifndef PRF_IMAGE_FRAMES_H
#define PRF_IMAGE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "image/object.h"

/* An .eh_frame or .eh_frame_hdr, and where it lies when the program runs. */
struct prf_frames {
	Elf_Data *data;
	uint64_t vaddr;
	bool has_end; /* else the data may go on behind the last entry */
};

/* Is told that an FDE claims SIZE bytes from VADDR on.  0, or -ENOMEM. */
typedef int prf_frames_fde(void *arg, uint64_t vaddr, uint64_t size);

/* Tells FDE, with ARG, what each of the FDEs of FRAMES claims, in no order;
 * *N_FDES is how many could be read.  If FRAMES has an end, what cannot be read is a warning of
 * OBJECT; if not, it is the end.  Takes no longer than a few passes over the
 * data.  -ENOMEM. */
int prf_frames_read(const struct prf_frames *frames, struct prf_object *object,
		    prf_frames_fde *fde, void *arg,
		    size_t *n_fdes) PRF_MUST_CHECK;
/* Reads the pointer at *AT in FRAMES, of which no byte may lie at END or behind
 * it, and moves *AT past it.  ENCODING is DW_EH_PE_...: of 2, 4 or 8 bytes,
 * absolute, relative to where it is, or to *HDR if that is not NULL:
 * .eh_frame_hdr, from which only its own pointers count.  False: another
 * encoding (LEB128, indirect, relative to text, data or function), which no
 * compiler uses here. */
bool prf_frames_pointer(const struct prf_object *object,
			const struct prf_frames *frames, const uint8_t **at,
			const uint8_t *end, uint8_t encoding,
			const uint64_t *hdr, uint64_t *pointer);

#endif
