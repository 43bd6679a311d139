#include "live/ring/ring_gaps.h"

#include <math.h>

#include "live/random.h"

enum {
	/* Samples are no closer together in the mean. */
	LEAST_NS = 20000,
	/* The kernel has no shorter period. */
	FLOOR_NS = 10000,
	LEAST_AT_ONCE = 4,
	MOST_AT_ONCE = 64,
	/* All samples that are told together come so many periods sooner or
	 * later, at most half of that. */
	WIDTH = 8,
	/* What ticks and time are apart is made up for in so many times that
	 * the kernel tells of samples; if it is more than so many samples,
	 * at once. */
	IN_TIMES = 2,
	MOST_APART = 8,
};

static uint32_t
between(uint64_t low, uint64_t value, uint64_t high)
{
	return (uint32_t)(value < low ? low : value > high ? high : value);
}

void
prf_ring_gaps_init(struct prf_ring_gaps *gaps, uint64_t period_ns,
		   uint64_t together_ns, uint64_t seed)
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
	gaps->n_at_once = between(LEAST_AT_ONCE, together_ns / gaps->mean_ns,
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

	*gap = (struct prf_ring_gap){
		.next_unsampled_ns = 1 + draw_below(gaps, gaps->mean_ns),
	};
	gap->period_ns =
		at_least_floor(first_ns > now_ns ? first_ns - now_ns : 0);
	return gap->period_ns;
}

/* How many samples are missing at NOW_NS, if they are too many to be made up for
 * by and by. */
static uint64_t
count_missing(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
	      uint64_t now_ns)
{
	uint64_t n = now_ns > gap->paid_ns
			     ? (now_ns - gap->paid_ns) / gaps->mean_ns
			     : 0;

	return gaps->is_partial || n < MOST_APART ? 0 : n;
}

static uint32_t
pay(const struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
    uint64_t n_samples)
{
	gap->paid_ns += n_samples * gaps->mean_ns;
	return between(0, n_samples, UINT32_MAX / gaps->worth) * gaps->worth;
}

/* The first period goes on until it is drawn anew, and is too short: as many of
 * its samples count as it is a part of the mean.  Where nobody will look in time,
 * that would be too many of a short thread: one counts whenever the mean has
 * passed, or nearly so. */
static bool
is_too_soon(struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
	    uint64_t now_ns)
{
	if (gap->is_steady)
		return !gaps->is_partial &&
		       gap->paid_ns > now_ns + MOST_APART * gaps->mean_ns;
	if (!gap->last_ns)
		return false;
	if (gap->is_left_alone && !gaps->is_partial)
		return now_ns + gap->period_ns / 2 <
		       gap->first_ns + gap->paid_ns;
	return draw_below(gaps, gaps->mean_ns) >= gap->period_ns;
}

static void
note_late(struct prf_ring_gap *gap, uint64_t now_ns)
{
	uint64_t due_ns = gap->last_ns + gap->period_ns;

	if (gap->is_drawn && now_ns > due_ns &&
	    now_ns - due_ns < gap->period_ns)
		gap->late_ns = (3 * gap->late_ns + (now_ns - due_ns)) / 4;
	gap->is_drawn = false;
}

uint32_t
prf_ring_gaps_take(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		   uint64_t now_ns)
{
	bool is_too = is_too_soon(gaps, gap, now_ns);

	if (!gap->last_ns)
		gap->first_ns = now_ns;
	note_late(gap, now_ns);
	gap->last_ns = now_ns;
	if (gaps->is_partial)
		gap->paid_ns = now_ns;
	if (is_too)
		return 0;
	return pay(gaps, gap, 1 + count_missing(gaps, gap, now_ns));
}

uint32_t
prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
		   const struct prf_ring_gap *gap, uint64_t now_ns)
{
	struct prf_ring_gap paid = *gap;

	return pay(gaps, &paid, count_missing(gaps, gap, now_ns));
}

uint32_t
prf_ring_gaps_unsampled(const struct prf_ring_gaps *gaps,
			struct prf_ring_gap *gap, uint64_t time_ns)
{
	if (time_ns < gap->next_unsampled_ns)
		return 0;
	uint64_t n = 1 + (time_ns - gap->next_unsampled_ns) / gaps->mean_ns;

	gap->next_unsampled_ns += n * gaps->mean_ns;
	return between(0, n, UINT32_MAX / gaps->worth) * gaps->worth;
}

/* Right after a sample, half of it has been paid for too much. */
static double
apart_ns(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap)
{
	double most_ns = MOST_APART * (double)gaps->mean_ns;
	if (gaps->is_partial)
		return 0;
	double apart_ns = (double)gap->last_ns - (double)gap->paid_ns +
			  (double)gaps->mean_ns / 2;

	return fmax(-most_ns, fmin(apart_ns, most_ns));
}

/* The period begins when the kernel is told, which on a busy machine is as the
 * kernel's tick gives us a processor.  So the first sample after that is to be
 * anywhere in a period; where periods are shorter than the tick, it and the next
 * ones are in some parts of it more often than in others, and many more have to
 * follow that are in all of them.  (A thread's first sample is anywhere already.
 * A short period after it would have too many short threads sampled twice.) */
static double
draw_width_ns(struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap)
{
	double width_ns = (double)gaps->mean_ns;

	if (gaps->n_at_once > WIDTH)
		width_ns *= (double)WIDTH / gaps->n_at_once;
	if (!gap->is_steady)
		width_ns /= LEAST_AT_ONCE;
	return (prf_random_unit(&gaps->random) - 0.5) * width_ns;
}

uint64_t
prf_ring_gaps_redraw(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap)
{
	double behind_ns =
		apart_ns(gaps, gap) / IN_TIMES + (double)gap->late_ns;
	double period_ns = (double)gaps->mean_ns - behind_ns / gaps->n_at_once +
			   draw_width_ns(gaps, gap);

	gap->is_steady = gap->is_drawn = true;
	gap->period_ns =
		at_least_floor(period_ns > 0 ? (uint64_t)period_ns : 0);
	return gap->period_ns;
}
