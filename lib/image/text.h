/* text.h - a piece of a file's text. */
#ifndef PRF_IMAGE_TEXT_H
#define PRF_IMAGE_TEXT_H

#include <stdint.h>

enum prf_text_kind {
	PRF_TEXT_FUNCTION, /* a symbol of the file */
	PRF_TEXT_PLT,      /* a linkage stub, called "memcpy@plt" */
	PRF_TEXT_UNNAMED,  /* a function that only .eh_frame knows of */
	PRF_TEXT_GAP,      /* executable bytes that nothing claims */
};

/* A piece of text with one name. */
struct prf_text {
	uint64_t lo, hi; /* [lo, hi); both even, lo < hi */
	enum prf_text_kind kind;
	const char *name; /* as in the file (mangled), the image's; where there
			   * is no symbol, the section's: see prf_image_texts */
	uint64_t vaddr;   /* the symbol's own start, perhaps odd; lo where there
			   * is no symbol */
};

#endif
