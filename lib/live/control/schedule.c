#include "live/control/schedule.h"

static uint64_t
plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

struct prf_schedule
prf_schedule_new(uint64_t now_ns, uint64_t delay_ns, uint64_t duration_ns)
{
	uint64_t begin_ns = plus(now_ns, delay_ns);

	return (struct prf_schedule){
		.begin_ns = begin_ns,
		.end_ns =
			duration_ns ? plus(begin_ns, duration_ns) : UINT64_MAX,
	};
}

void
prf_schedule_toggle(struct prf_schedule *schedule)
{
	schedule->toggled_off = !schedule->toggled_off;
}

bool
prf_schedule_is_on(const struct prf_schedule *schedule, uint64_t now_ns)
{
	return !schedule->toggled_off && now_ns >= schedule->begin_ns &&
	       now_ns < schedule->end_ns;
}

bool
prf_schedule_is_over(const struct prf_schedule *schedule, uint64_t now_ns)
{
	return now_ns >= schedule->end_ns;
}

int
prf_schedule_wait_ms(const struct prf_schedule *schedule, uint64_t now_ns,
		     int most_ms)
{
	uint64_t next_ns = now_ns < schedule->begin_ns ? schedule->begin_ns
						       : schedule->end_ns;
	/* A moment late rather than early: so the caller wakes once, not
	 * twice. */
	uint64_t wait_ms =
		next_ns > now_ns ? (next_ns - now_ns) / 1000000 + 1 : 0;

	return wait_ms < (uint64_t)most_ms ? (int)wait_ms : most_ms;
}
