/* whole.h - a whole process in one address space that does not exist, or one
 * object alone in that way.
 *
 * The program keeps its own vaddrs.  Every other object that has ticks gets a
 * place above it, the same for the same objects. */
#ifndef PRF_VIEW_WHOLE_H
#define PRF_VIEW_WHOLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/profile.h"

struct prf_laid {
	const struct prf_object *object;
	uint64_t lo, hi; /* [lo, hi): its place */
	uint64_t shift;  /* to be added, modulo 2^64, to its own addresses */
};

struct prf_whole {
	/* Whose pointer size and byte order a file about it has; or NULL. */
	const struct prf_object *image;
	uint8_t addr_bytes;    /* 4 or 8 */
	struct prf_laid *laid; /* ascending */
	size_t n;
	uint64_t end; /* above all of them */
};

/* -EOVERFLOW: it does not fit the program's pointers; -ENOMEM. */
int prf_whole_new(const struct prf_profile *profile, struct prf_whole **out,
		  struct prf_error *err) PRF_MUST_CHECK;
/* OBJECT alone, at its own addresses.  -ENOMEM. */
int prf_whole_new_single(const struct prf_object *object, uint8_t addr_bytes,
			 struct prf_whole **out,
			 struct prf_error *err) PRF_MUST_CHECK;
void prf_whole_free(struct prf_whole *whole); /* takes NULL */

#endif
