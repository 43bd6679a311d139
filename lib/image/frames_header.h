/* frames_header.h - .eh_frame_hdr: where .eh_frame is, and a sorted table of
 * its entries. */
#ifndef PRF_IMAGE_FRAMES_HEADER_H
#define PRF_IMAGE_FRAMES_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/frames.h"
#include "image/object.h"

struct prf_frames_header {
	struct prf_frames header; /* its bytes; the object's */
	uint64_t frames_vaddr;    /* where .eh_frame begins */
	uint64_t n_fdes;          /* as it says; 0: not known */
	/* The table: rows of two pointers, what an FDE claims and the FDE. */
	uint8_t encoding;
	size_t table_at, row_bytes; /* in the header */
	size_t n_rows;              /* 0: there is no table that can be used */
};

/* Reads what the segment PT_GNU_EH_FRAME of OBJECT leads to, by LAZY as in
 * prf_frames_open().  False: there is none, or, with a warning, it cannot be
 * read. */
bool prf_frames_header_read(struct prf_frames_header *header,
			    struct prf_object *object, struct prf_lazy *lazy);
/* The vaddr of the FDE that may claim VADDR: the last that claims something
 * before or at it.  False: there is none. */
bool prf_frames_header_find(const struct prf_frames_header *header,
			    const struct prf_object *object, uint64_t vaddr,
			    uint64_t *fde);

#endif
