/* totals.h - the functions of all programs of a run: what is kept of a program
 * when it has ended.  It grows with the functions that were seen, not with the
 * programs. */
#ifndef PRF_VIEW_TOTALS_H
#define PRF_VIEW_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "view/count.h"
#include "view/profile.h"

/* A function of an object, in whichever process. */
struct prf_total {
	const char *name;   /* as in the file, mangled */
	const char *object; /* the last part of its path, or "[kernel]"... */
	const char *path;   /* "" where there is none */
	enum prf_object_kind kind;
	uint64_t lo; /* 0 where it has no address of its own */
	struct prf_count count;
};

/* All zero: nothing yet. */
struct prf_totals {
	struct prf_count count; /* of all that was absorbed */
	uint64_t outside,
		saturated; /* of its ticks, as in struct prf_profile */
	struct prf_total **functions; /* as they came */
	size_t n_functions, room;
	struct prf_total **slots; /* the same, to be found; NULL: free */
	size_t n_slots;           /* a power of 2, or 0 */
	void *objects;            /* a tree of them, see tsearch(3) */
};

/* Adds a settled PROFILE.  -ENOMEM: its ticks are in the count, but not all are
 * in a function. */
int prf_totals_absorb(struct prf_totals *totals,
		      const struct prf_profile *profile) PRF_MUST_CHECK;
void prf_totals_clear(struct prf_totals *totals);

/* The functions, those with the most ticks first (then by object and address);
 * to be free()d, and good until TOTALS changes.  There are n_functions, or
 * (NULL) memory is short or there is none. */
const struct prf_total **prf_totals_sorted(const struct prf_totals *totals);

#endif
