/* ring_take.h - what the kernel has written of a thread, told to the sink. */
#ifndef PRF_LIVE_RING_RING_TAKE_H
#define PRF_LIVE_RING_RING_TAKE_H

#include <stdint.h>

#include "live/ring/ring_records.h"
#include "live/watch.h"

struct prf_ring_taker;

/* For WATCH (lent); NULL: out of memory. */
struct prf_ring_taker *prf_ring_taker_new(struct prf_watch *watch);
void prf_ring_taker_free(struct prf_ring_taker *taker); /* takes NULL */

/* A prf_trigger_take: ARG is the taker. */
void prf_ring_take(void *arg, struct prf_task *task,
		   const struct prf_ring_record *record, uint32_t ticks);

#endif
