/* texts.h - a partition of the executable text made of overlapping symbols. */
#ifndef PRF_IMAGE_TEXTS_H
#define PRF_IMAGE_TEXTS_H

#include <stddef.h>

#include "core/attr.h"
#include "image/fdes.h"
#include "image/layout.h"
#include "image/symtab.h"
#include "image/text.h"

struct prf_texts {
	struct prf_text *all; /* ascending; they cover every range */
	size_t n, capacity;
};

/* Makes the pieces of LAYOUT's ranges from SYMBOLS, which it sorts, and FDES;
 * see prf_image_texts for the rules.  Names stay whose they are.  -ENOMEM. */
int prf_texts_make(struct prf_texts *texts, const struct prf_layout *layout,
		   struct prf_symbols *symbols,
		   const struct prf_fdes *fdes) PRF_MUST_CHECK;
void prf_texts_free(struct prf_texts *texts);
/* The index of the piece that holds VADDR, or (size_t)-1. */
size_t prf_texts_at(const struct prf_texts *texts, uint64_t vaddr);

#endif
