/* names.h - memory for an image's names: it grows, never moves, goes at once. */
#ifndef PRF_IMAGE_NAMES_H
#define PRF_IMAGE_NAMES_H

#include <stddef.h>

struct prf_names_block;

/* {0} is empty. */
struct prf_names {
	struct prf_names_block *blocks;
};

void prf_names_free(struct prf_names *names);
/* SIZE bytes, not initialised; NULL when memory is short. */
char *prf_names_alloc(struct prf_names *names, size_t size);
/* PREFIX, NAME and SUFFIX in one string; NULL when memory is short. */
const char *prf_names_join(struct prf_names *names, const char *prefix,
			   const char *name, const char *suffix);

#endif
