#include "live/ring/ring_gaps.h"

#include "live/random.h"

enum {
	/* Samples are no closer together in the mean. */
	LEAST_NS = 20000,
	/* The kernel has no shorter period. */
	FLOOR_NS = 10000,
	/* Of samples that are told together: as many as there are in this
	 * time, within these bounds. */
	TOGETHER_NS = 5000000,
	LEAST_AT_ONCE = 4,
	MOST_AT_ONCE = 64,
};

static uint32_t
between(uint64_t low, uint64_t value, uint64_t high)
{
	return (uint32_t)(value < low ? low : value > high ? high : value);
}

void
prf_ring_gaps_init(struct prf_ring_gaps *gaps, uint64_t period_ns,
		   uint64_t seed)
{
	*gaps = (struct prf_ring_gaps){
		.mean_ns = period_ns ? period_ns : 1,
		.worth = 1,
		.random = seed,
	};
	while (gaps->mean_ns < LEAST_NS) {
		gaps->mean_ns *= 2;
		gaps->worth *= 2;
	}
	gaps->n_at_once = between(LEAST_AT_ONCE, TOGETHER_NS / gaps->mean_ns,
				  MOST_AT_ONCE);
}

/* Less than LIMIT_NS. */
static uint64_t
draw_below(struct prf_ring_gaps *gaps, uint64_t limit_ns)
{
	return (uint64_t)(prf_random_unit(&gaps->random) * (double)limit_ns);
}

static uint64_t
at_least_floor(uint64_t period_ns)
{
	return period_ns < FLOOR_NS ? FLOOR_NS : period_ns;
}

uint64_t
prf_ring_gaps_begin(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		    uint64_t now_ns)
{
	uint64_t first_ns = draw_below(gaps, gaps->mean_ns);

	*gap = (struct prf_ring_gap){0};
	return at_least_floor(first_ns > now_ns ? first_ns - now_ns : 0);
}

static uint32_t
ticks_of(const struct prf_ring_gaps *gaps, uint64_t n_strata)
{
	return between(0, n_strata, UINT32_MAX / gaps->worth) * gaps->worth;
}

/* The first period goes on until the kernel has told of some samples.  It may be
 * short, and would have a sample early in most strata: that counts which comes
 * first after a moment drawn at random. */
uint32_t
prf_ring_gaps_take(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		   uint64_t now_ns)
{
	gap->last_ns = now_ns;
	if (now_ns < gap->due_ns || now_ns < gap->paid_ns)
		return 0;
	uint64_t n_strata = 1 + (now_ns - gap->paid_ns) / gaps->mean_ns;

	gap->paid_ns += n_strata * gaps->mean_ns;
	gap->due_ns = gap->paid_ns;
	if (!gap->is_steady)
		gap->due_ns += draw_below(gaps, gaps->mean_ns);
	return ticks_of(gaps, n_strata);
}

uint32_t
prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
		   const struct prf_ring_gap *gap, uint64_t now_ns)
{
	return now_ns < gap->paid_ns ? 0
				     : ticks_of(gaps, (now_ns - gap->paid_ns) /
							      gaps->mean_ns);
}

/* After as many samples as are told together, the place in the stratum is to be
 * the one that is drawn here; each makes an equal part of the way. */
uint64_t
prf_ring_gaps_redraw(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap)
{
	uint64_t wanted_ns = draw_below(gaps, gaps->mean_ns);
	uint64_t place_ns = gap->last_ns % gaps->mean_ns;
	int64_t step_ns = ((int64_t)wanted_ns - (int64_t)place_ns) /
			  (int64_t)gaps->n_at_once;

	gap->is_steady = true;
	gap->due_ns = gap->paid_ns;
	return at_least_floor((uint64_t)((int64_t)gaps->mean_ns + step_ns));
}
