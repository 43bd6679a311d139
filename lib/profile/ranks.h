/* ranks.h - a profile for each rank of an MPI program. */
#ifndef PRF_PROFILE_RANKS_H
#define PRF_PROFILE_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/profile.h"
#include "space/program.h"

struct prf_ranks_row {
	int32_t rank;                /* -1: processes that have none */
	struct prf_program *program; /* its first; held */
	struct prf_profile *profile;
};

/* All zero: none. */
struct prf_ranks {
	struct prf_ranks_row *all;
	size_t n;
};

/* Adds PROFILE, of PROGRAM, to its rank's.  -ENOMEM, or as prf_profile_add(). */
int prf_ranks_add(struct prf_ranks *ranks, struct prf_program *program,
		  const struct prf_profile *profile) PRF_MUST_CHECK;
/* Ascending, and those without a rank last. */
void prf_ranks_sort(struct prf_ranks *ranks);
void prf_ranks_clear(struct prf_ranks *ranks);

#endif
