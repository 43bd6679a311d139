/* frames.h - the entries of .eh_frame and .debug_frame: a common one (CIE) for
 * several that describe a function each (FDE). */
#ifndef PRF_IMAGE_FRAMES_H
#define PRF_IMAGE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "image/lazy.h"
#include "image/object.h"

/* An .eh_frame, .debug_frame or .eh_frame_hdr, and where it lies when the
 * program runs. */
struct prf_frames {
	Elf_Data *data;
	struct prf_lazy *lazy; /* that reads it; NULL: all of it is there */
	uint64_t vaddr;
	bool has_end;  /* else the data may go on behind the last entry */
	bool is_debug; /* .debug_frame, which writes some of it otherwise */
};

/* Gives FRAMES the SIZE bytes of OBJECT from OFF on: read by LAZY, which is
 * then to be closed; or all at once, if that is NULL or the object is in
 * memory.  False, perhaps with a warning: they cannot be read. */
bool prf_frames_open(struct prf_frames *frames, struct prf_object *object,
		     uint64_t off, uint64_t size, struct prf_lazy *lazy);
/* The N bytes at AT, or those of them that there are, are to be looked at.
 * False: they cannot be read. */
bool prf_frames_need(const struct prf_frames *frames, uint64_t at, uint64_t n);

/* Is told that the FDE at AT in the data claims SIZE bytes from VADDR on.  0,
 * or -ENOMEM. */
typedef int prf_frames_fde(void *arg, uint64_t at, uint64_t vaddr,
			   uint64_t size);

/* An FDE with its CIE, taken apart.  What it points to is in the data. */
struct prf_frames_entry {
	uint64_t vaddr, size; /* what it claims */
	/* Instructions: those of all functions of the CIE, then its own. */
	const uint8_t *common, *common_end;
	const uint8_t *own, *own_end;
	uint64_t code_factor; /* of the steps from row to row */
	int64_t data_factor;  /* of the offsets from the CFA */
	uint64_t return_register;
	uint8_t encoding;  /* of pointers, DW_EH_PE_... */
	bool signal_frame; /* a signal has interrupted what is outside of it */
};

/* Tells FDE, with ARG, what each of the FDEs of FRAMES claims, in no order;
 * *N_FDES is how many could be read.  If FRAMES has an end, what cannot be read is a warning of
 * OBJECT; if not, it is the end.  Takes no longer than a few passes over the
 * data.  -ENOMEM. */
int prf_frames_read(const struct prf_frames *frames, struct prf_object *object,
		    prf_frames_fde *fde, void *arg,
		    size_t *n_fdes) PRF_MUST_CHECK;
/* Takes the FDE at AT in the data apart.  False: there is none, or it cannot be
 * read. */
bool prf_frames_entry_at(const struct prf_object *object,
			 const struct prf_frames *frames, uint64_t at,
			 struct prf_frames_entry *entry);
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
