#include "live/gaps.h"

#include <math.h>

#include "live/random.h"

/* By chance there are too few looks for the time, or too many.  Being off by N
 * ticks makes the next gap shorter, or longer, by N of so many parts: ticks
 * stay within some three of the time, and the gaps hardly depend on the past. */
enum { PARTS = 16 };

void
prf_gaps_init(struct prf_gaps *gaps, uint64_t period_ns, uint64_t seed)
{
	*gaps = (struct prf_gaps){
		.period_ns = period_ns,
		.floor_ns = PRF_GAPS_LOWEST_FLOOR_NS,
		.random = seed,
	};
}

static double
mean_ns(const struct prf_gaps *gaps)
{
	double period_ns = (double)gaps->period_ns;
	double least_ns = 2 * (double)gaps->floor_ns;

	return period_ns > least_ns ? period_ns : least_ns;
}

uint64_t
prf_gaps_draw_ns(struct prf_gaps *gaps, int64_t owed_ns)
{
	double part = (double)owed_ns / (double)gaps->period_ns / PARTS;
	double floor_ns = (double)gaps->floor_ns;
	double wanted_ns = mean_ns(gaps) * (1 - fmax(-0.5, fmin(part, 0.5)));
	double over_ns = fmax(wanted_ns - floor_ns, 0);
	double u = prf_random_unit(&gaps->random);

	return (uint64_t)(floor_ns - log(1 - u) * over_ns);
}

uint32_t
prf_gaps_ticks(const struct prf_gaps *gaps, uint64_t gap_end_ns,
	       uint64_t now_ns, double u)
{
	if (now_ns < gap_end_ns)
		return 0;
	double stands_for_ns = mean_ns(gaps) + (double)(now_ns - gap_end_ns);
	double ticks = stands_for_ns / (double)gaps->period_ns + u;

	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

void
prf_gaps_keep_pace(struct prf_gaps *gaps, uint64_t wall_ns, uint64_t own_cpu_ns)
{
	uint64_t passed_ns = wall_ns - gaps->wall_ns;
	uint64_t busy_ns = own_cpu_ns - gaps->own_cpu_ns;

	if (busy_ns > passed_ns / 2 &&
	    gaps->floor_ns < PRF_GAPS_HIGHEST_FLOOR_NS)
		gaps->floor_ns *= 2;
	else if (busy_ns < passed_ns / 4 &&
		 gaps->floor_ns > PRF_GAPS_LOWEST_FLOOR_NS)
		gaps->floor_ns /= 2;
	gaps->wall_ns = wall_ns;
	gaps->own_cpu_ns = own_cpu_ns;
}
