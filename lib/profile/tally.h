/* tally.h - ticks by key, for addresses whose extent is not known beforehand
 * (JIT code) and for things that have a number (system calls).  What has an
 * extent is counted in a histogram instead, see core/hist.h. */
#ifndef PRF_PROFILE_TALLY_H
#define PRF_PROFILE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/count.h"

struct prf_tally_entry {
	uint64_t key;
	struct prf_count count;
};

/* All zero is an empty tally. */
struct prf_tally {
	struct prf_tally_entry *slots; /* ticks == 0: free */
	size_t n_slots;                /* a power of 2, or 0 */
	size_t n_entries;
};

/* Makes room for one key more: the next addition does not fail.  -ENOMEM. */
int prf_tally_reserve(struct prf_tally *tally) PRF_MUST_CHECK;
/* CERTAIN of the TICKS are (see sample.h).  -ENOMEM: not counted. */
int prf_tally_add(struct prf_tally *tally, uint64_t key, uint32_t ticks,
		  uint32_t certain) PRF_MUST_CHECK;
/* Adds COUNT.  -ENOMEM: it was not. */
int prf_tally_add_count(struct prf_tally *tally, uint64_t key,
			const struct prf_count *count) PRF_MUST_CHECK;
/* Adds all of OTHER.  -ENOMEM: perhaps a part. */
int prf_tally_merge(struct prf_tally *tally,
		    const struct prf_tally *other) PRF_MUST_CHECK;
/* Takes all of EARLIER out again.  -ERANGE: it is no part of TALLY; then perhaps
 * some was. */
int prf_tally_subtract(struct prf_tally *tally,
		       const struct prf_tally *earlier) PRF_MUST_CHECK;
void prf_tally_clear(struct prf_tally *tally);
/* All entries, ascending by key; to be free()d.  NULL if there are none or
 * memory is short: *N tells. */
struct prf_tally_entry *prf_tally_sorted(const struct prf_tally *tally,
					 size_t *n);

#endif
