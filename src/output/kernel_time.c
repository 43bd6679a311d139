#include "src/output/kernel_time.h"

#include <math.h>

/* Less than this part of the CPU time is of no interest. */
#define LEAST_PART 0.05
/* What chance may make of nothing, in standard errors. */
#define ERRORS 3

/* What is not in the profile may be anything. */
static double
unseen_ns(const struct prf_sampler_stats *stats, double period_ns)
{
	uint64_t running =
		stats->ticks - stats->wall.blocked - stats->wall.waiting;
	double unseen = (double)stats->cpu_ns - (double)running * period_ns;

	return fmax(unseen, 0);
}

/* Time that is counted in pieces of PIECE_NS has this variance. */
static double
variance(double time_ns, double piece_ns)
{
	return time_ns * piece_ns;
}

uint64_t
prf_kernel_time_outside_calls(const struct prf_sampler_stats *stats,
			      uint64_t period_ns, uint64_t kernel_tick_ns)
{
	double period = (double)period_ns;
	double system_ns = (double)stats->system_us * 1000;
	double calls_ns = (double)(stats->in_calls + stats->in_faults +
				   stats->unsampled) *
			  period;
	double outside_ns = system_ns - calls_ns - (double)stats->stops_ns -
			    unseen_ns(stats, period);
	/* Late ticks are in the lump of their sample. */
	double lump = stats->samples
			      ? (double)stats->ticks / (double)stats->samples
			      : 1;
	double error_ns = sqrt(variance(system_ns, (double)kernel_tick_ns) +
			       variance(calls_ns, lump * period));

	return outside_ns > LEAST_PART * (double)stats->cpu_ns &&
			       outside_ns > ERRORS * error_ns
		       ? (uint64_t)outside_ns
		       : 0;
}
