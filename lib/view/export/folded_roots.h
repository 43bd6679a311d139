/* folded_roots.h - whose stacks are told apart in a folded file: those of each
 * program, and of its threads where they have different names. */
#ifndef PRF_VIEW_EXPORT_FOLDED_ROOTS_H
#define PRF_VIEW_EXPORT_FOLDED_ROOTS_H

#include <stddef.h>

#include "core/attr.h"
#include "profile/profile.h"

/* For each the whole tree is gone through.  If there were more, threads are told
 * with their programs, or programs with the first of all. */
enum { PRF_FOLDED_ROOTS_MAX = 64 };

struct prf_folded_root {
	const char *program; /* without its directory; lent */
	const char *thread;  /* its name; "": of all that are not apart; lent */
};

/* All zero: none. */
struct prf_folded_roots {
	struct prf_folded_root all[PRF_FOLDED_ROOTS_MAX];
	size_t n;     /* >= 1 */
	size_t *root; /* of each owner, by its number (owners.h) */
	size_t n_owners;
};

/* Those of PROFILE, which must outlive them.  -ENOMEM. */
int prf_folded_roots_of(const struct prf_profile *profile,
			struct prf_folded_roots *roots) PRF_MUST_CHECK;
void prf_folded_roots_clear(struct prf_folded_roots *roots);

#endif
