#include "live/trigger.h"

#include <string.h>

#include "live/clock.h"

const struct prf_trigger_ops *const prf_triggers[] = {
	&prf_trigger_timer,
	&prf_trigger_perf,
	&prf_trigger_interrupt,
	NULL,
};

/* Timers look no more often than the kernel's tick comes. */
static const struct prf_trigger_ops *const fast_triggers[] = {
	&prf_trigger_perf,
	&prf_trigger_timer,
	&prf_trigger_interrupt,
	NULL,
};

const struct prf_trigger_ops *const *
prf_triggers_for(uint64_t period_ns)
{
	return period_ns < prf_clock_tick_ns() ? fast_triggers : prf_triggers;
}

const struct prf_trigger_ops *
prf_trigger_find(const char *name)
{
	for (const struct prf_trigger_ops *const *ops = prf_triggers; *ops;
	     ops++)
		if (!strcmp((*ops)->name, name))
			return *ops;
	return NULL;
}

uint64_t
prf_first_expiry_ns(uint64_t period_ns, uint64_t tick_ns, double u)
{
	double period = (double)period_ns, tick = (double)tick_ns;
	double first = u * period;

	/* At the first tick that meets the thread, with the chance that a tick
	 * meets a whole period; else half a tick early, as expiries are seen
	 * half a tick late. */
	first = first < tick ? 1 : first - tick / 2;
	return first < 1 ? 1 : (uint64_t)first;
}

uint32_t
prf_first_ticks(uint64_t period_ns, uint64_t tick_ns, uint32_t ticks, double u)
{
	double at_least = (double)tick_ns / (double)period_ns + u;

	if (tick_ns <= period_ns || ticks > at_least)
		return ticks;
	return (uint32_t)at_least;
}
