/* schedule.h - when to sample: after a delay, for a while, and not between
 * two signals.  Pure: the times are given.  All in ns of CLOCK_MONOTONIC. */
#ifndef PRF_LIVE_CONTROL_SCHEDULE_H
#define PRF_LIVE_CONTROL_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct prf_schedule {
	uint64_t begin_ns, end_ns; /* UINT64_MAX: never */
	bool toggled_off;
};

/* From NOW_NS on: no samples for DELAY_NS, then samples for DURATION_NS (0:
 * without end). */
struct prf_schedule prf_schedule_new(uint64_t now_ns, uint64_t delay_ns,
				     uint64_t duration_ns);
void prf_schedule_toggle(struct prf_schedule *schedule);
bool prf_schedule_is_on(const struct prf_schedule *schedule, uint64_t now_ns);
bool prf_schedule_is_over(const struct prf_schedule *schedule, uint64_t now_ns);
/* How long this stays as it is, in ms for poll(2), at most MOST_MS. */
int prf_schedule_wait_ms(const struct prf_schedule *schedule, uint64_t now_ns,
			 int most_ms);

#endif
