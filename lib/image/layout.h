/* layout.h - where the executable text of an ELF file lies. */
#ifndef PRF_IMAGE_LAYOUT_H
#define PRF_IMAGE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/names.h"
#include "image/object.h"

/* An executable PT_LOAD segment, as far as the file has bytes for it. */
struct prf_segment {
	uint64_t off, size, vaddr; /* vaddr + size does not wrap; size > 0 */
};

/* A part of the executable segments that belongs to one section or to none.
 * Both ends are even, lo < hi. */
struct prf_range {
	uint64_t lo, hi;
	const char *name; /* "[.text]"; "[text]" outside of any section */
	bool code;        /* symbols are looked for here */
};

struct prf_layout {
	struct prf_segment *segments; /* as in the file */
	size_t n_segments;
	struct prf_range *ranges; /* ascending, not overlapping */
	size_t n_ranges;
};

/* Finds segments and ranges; their names go into NAMES.  What is broken is
 * left out with a warning of OBJECT.  -ENOMEM. */
int prf_layout_read(struct prf_layout *layout, struct prf_object *object,
		    struct prf_names *names,
		    struct prf_error *err) PRF_MUST_CHECK;
/* Finds segments alone: all that prf_layout_bias() needs.  -ENOMEM. */
int prf_layout_read_segments(struct prf_layout *layout,
			     struct prf_object *object,
			     struct prf_error *err) PRF_MUST_CHECK;
void prf_layout_free(struct prf_layout *layout);

/* The code range that holds VADDR, or NULL. */
const struct prf_range *prf_layout_code_at(const struct prf_layout *layout,
					   uint64_t vaddr);
/* See prf_image_bias. */
int prf_layout_bias(const struct prf_layout *layout, uint64_t addr,
		    uint64_t size, uint64_t file_off,
		    uint64_t *bias) PRF_MUST_CHECK;

#endif
