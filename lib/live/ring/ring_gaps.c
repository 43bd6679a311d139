#include "live/ring/ring_gaps.h"

#include "live/random.h"

enum {
	/* Samples are no closer together in the mean. */
	LEAST_NS = 20000,
	/* The kernel has no shorter period. */
	FLOOR_NS = 10000,
	/* Of samples that are told together: as many as there are in this
	 * time, within these bounds. */
	TOGETHER_NS = 10000000,
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

/* More than 0, and at most LIMIT_NS. */
static uint64_t
draw_up_to(struct prf_ring_gaps *gaps, uint64_t limit_ns)
{
	return 1 + (uint64_t)(prf_random_unit(&gaps->random) *
			      (double)(limit_ns - 1));
}

static uint64_t
at_least_floor(uint64_t period_ns)
{
	return period_ns < FLOOR_NS ? FLOOR_NS : period_ns;
}

/* The first stratum begins with its sample, or a thread that lives for less
 * than one would be sampled too rarely.  (The same period goes on until the
 * kernel has told of some samples: those that come too soon are worth
 * nothing.) */
uint64_t
prf_ring_gaps_begin(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap)
{
	*gap = (struct prf_ring_gap){.due_ns = draw_up_to(gaps, gaps->mean_ns)};
	return at_least_floor(gap->due_ns);
}

uint32_t
prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
		   const struct prf_ring_gap *gap, uint64_t now_ns)
{
	if (now_ns < gap->due_ns)
		return 0;
	uint64_t n = 1 + (now_ns - gap->due_ns) / gaps->mean_ns;

	return between(0, n, UINT32_MAX / gaps->worth) * gaps->worth;
}

uint32_t
prf_ring_gaps_take(const struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		   uint64_t now_ns)
{
	uint32_t ticks = prf_ring_gaps_owed(gaps, gap, now_ns);

	if (ticks)
		gap->due_ns += (1 + (now_ns - gap->due_ns) / gaps->mean_ns) *
			       gaps->mean_ns;
	gap->last_ns = now_ns;
	return ticks;
}

/* After as many samples as are told together, the place in the stratum is to be
 * the one that is drawn here; each makes an equal part of the way. */
uint64_t
prf_ring_gaps_redraw(struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap)
{
	uint64_t begin_ns = gap->due_ns - gaps->mean_ns;
	uint64_t place_ns = gap->last_ns - begin_ns;
	uint64_t wanted_ns = draw_up_to(gaps, gaps->mean_ns) - 1;

	/* Before the first stratum there is no place yet. */
	if (gap->due_ns < gaps->mean_ns || gap->last_ns < begin_ns)
		place_ns = 0;
	int64_t step_ns = ((int64_t)wanted_ns - (int64_t)place_ns) /
			  (int64_t)gaps->n_at_once;

	return at_least_floor((uint64_t)((int64_t)gaps->mean_ns + step_ns));
}
