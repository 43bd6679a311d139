#include "live/trigger/start.h"

uint64_t
prf_start_expiry_ns(uint64_t period_ns, uint64_t tick_ns, double u)
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
prf_start_ticks(uint64_t period_ns, uint64_t tick_ns, uint32_t ticks, double u)
{
	double at_least = (double)tick_ns / (double)period_ns + u;

	if (tick_ns <= period_ns || ticks > at_least)
		return ticks;
	return (uint32_t)at_least;
}

uint64_t
prf_start_credit_ns(uint64_t period_ns, const struct prf_schedstat *times,
		    double u, double v)
{
	double runnable_ns = (double)times->cpu_ns + (double)times->waited_ns;
	double share =
		runnable_ns > 0 ? (double)times->cpu_ns / runnable_ns : 1;

	return u < share ? period_ns : (uint64_t)(v * (double)period_ns);
}
