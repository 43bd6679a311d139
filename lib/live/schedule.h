/* schedule.h - when to look: after a delay, for a while, and between two
 * signals not at all.  Pure: the times are given.  All in ns of
 * CLOCK_MONOTONIC. */
#ifndef PRF_LIVE_SCHEDULE_H
#define PRF_LIVE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct prf_schedule {
	uint64_t begin_ns, end_ns; /* UINT64_MAX: never */
	bool toggled_off;
};

/* From NOW_NS on: nothing for DELAY_NS, then DURATION_NS (0: without end). */
struct prf_schedule prf_schedule_new(uint64_t now_ns, uint64_t delay_ns,
				     uint64_t duration_ns);
void prf_schedule_toggle(struct prf_schedule *schedule);
bool prf_schedule_looks(const struct prf_schedule *schedule, uint64_t now_ns);
bool prf_schedule_is_over(const struct prf_schedule *schedule, uint64_t now_ns);
/* How long nothing of this changes, in ms for poll(2), at most MOST_MS. */
int prf_schedule_wait_ms(const struct prf_schedule *schedule, uint64_t now_ns,
			 int most_ms);

#endif
