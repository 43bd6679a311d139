/* hist_waiting.h - ticks that wait for the memory of their counters.  Not
 * installed.
 *
 * The counters of much text do not fit into a cache.  So a tick requests its
 * memory and waits, while those that follow request theirs: many wait in the
 * time of one.  Histograms that are counted in by turns share one such queue;
 * it fills sooner, and takes less of the cache. */
#ifndef PRF_CORE_HIST_HIST_WAITING_H
#define PRF_CORE_HIST_HIST_WAITING_H

#include <stdint.h>

#include "core/attr.h"
#include "core/hist.h"
#include "hist_counters.h"

/* There are two batches: the memory of one has been requested, and may not have
 * come yet; the other is being gathered. */
enum { PRF_HIST_WAITING_BATCH = 16 };

struct prf_hist_waiting_tick {
	struct prf_hist_counters *counters;
	uint32_t *bin; /* of them; NULL: none */
	uint32_t ticks;
};

/* All zero: nothing waits. */
struct prf_hist_waiting {
	struct prf_hist_waiting_tick ticks[2 * PRF_HIST_WAITING_BATCH];
	uint64_t n_come; /* ticks since nothing waited */
};

/* From now on the ticks that prf_hist_count() adds to HIST wait in WAITING,
 * which must outlast HIST; with NULL they do not wait.  A reader of HIST sees
 * no difference. */
void prf_hist_wait_in(struct prf_hist *hist, struct prf_hist_waiting *waiting);

/* BATCH, 0 or 1, is full: requests the memory of its counters. */
void prf_hist_waiting_ask(struct prf_hist_waiting *waiting, unsigned batch);

/* Adds TICKS to BIN, one of COUNTERS, soon. */
static inline void
prf_hist_waiting_add(struct prf_hist_waiting *waiting,
		     struct prf_hist_counters *counters, uint32_t *bin,
		     uint32_t ticks)
{
	unsigned at = waiting->n_come++ % (2 * PRF_HIST_WAITING_BATCH);

	waiting->ticks[at] =
		(struct prf_hist_waiting_tick){counters, bin, ticks};
	if (at % PRF_HIST_WAITING_BATCH == PRF_HIST_WAITING_BATCH - 1)
		prf_hist_waiting_ask(waiting, at / PRF_HIST_WAITING_BATCH);
}

/* Before counters are read or freed: all that waits is added. */
void prf_hist_waiting_end(struct prf_hist_waiting *waiting);

#endif
