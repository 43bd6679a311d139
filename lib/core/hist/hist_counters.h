/* hist_counters.h - counters of 32 bits whose memory exists once they are
 * touched, and which of them were.  Not installed.
 *
 * Counters that have ticks are found by the block they are in, a page of
 * memory: pages that do not exist are not searched. */
#ifndef PRF_CORE_HIST_HIST_COUNTERS_H
#define PRF_CORE_HIST_HIST_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

/* Requests for more than an address space can hold are refused. */
#define PRF_HIST_COUNTERS_MAX (PTRDIFF_MAX / sizeof(uint32_t))

#define PRF_HIST_COUNTERS_IN_BLOCK 1024

struct prf_hist_counters {
	uint32_t *bins;
	uint8_t *touched; /* for each block: has it been counted in? */
	size_t n_bins;
	uint64_t saturated; /* ticks for which a counter had no room */
};

/* Makes N_BINS of them, 1 to PRF_HIST_COUNTERS_MAX, all 0.  -ENOMEM; after
 * that, too, prf_hist_counters_fini() must be called. */
int prf_hist_counters_init(struct prf_hist_counters *counters, size_t n_bins,
			   struct prf_error *err) PRF_MUST_CHECK;
/* A struct of zeros is allowed. */
void prf_hist_counters_fini(struct prf_hist_counters *counters);

/* The first counter from AT (< n_bins) on whose block has been touched; n_bins:
 * there is none. */
size_t prf_hist_counters_next(const struct prf_hist_counters *counters,
			      size_t at);

/* Before BIN, one of them, is changed. */
static inline void
prf_hist_counters_touch(struct prf_hist_counters *counters, const uint32_t *bin)
{
	size_t at = (size_t)(bin - counters->bins);

	counters->touched[at / PRF_HIST_COUNTERS_IN_BLOCK] = true;
}

/* Adds TICKS to BIN, one of them. */
static inline void
prf_hist_counters_add(struct prf_hist_counters *counters, uint32_t *bin,
		      uint32_t ticks)
{
	uint32_t room = UINT32_MAX - *bin;

	prf_hist_counters_touch(counters, bin);
	if (ticks > room) {
		counters->saturated += ticks - room;
		ticks = room;
	}
	*bin += ticks;
}

#endif
