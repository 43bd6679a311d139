#include "live/ring/ring_gaps.h"

#include <math.h>

#include "live/random.h"

enum {
	/* Samples are no closer together in the mean. */
	LEAST_NS = 20000,
	/* The kernel has no shorter period, */
	FLOOR_NS = 10000,
	/* and takes a sample up to so much after its end. */
	LATE_NS = 60000,
	/* Where only some time has samples, the kernel tries the first one
	 * again and again, which is not to be all that the thread does. */
	PARTIAL_FLOOR_NS = 100000,
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
	/* So long is a thread early, unless ticks are so short that the kernel
	 * cannot be told in time. */
	EARLY_TICKS = 4,
	LEAST_EARLY_NS = 500000,
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

void
prf_ring_gaps_begin(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		    uint64_t now_ns)
{
	const uint64_t floor_ns =
		gaps->is_partial ? PARTIAL_FLOOR_NS : FLOOR_NS;
	uint64_t first_ns = draw_below(gaps, gaps->mean_ns);

	*gap = (struct prf_ring_gap){
		.first_ns = first_ns > now_ns + floor_ns ? first_ns - now_ns
							 : floor_ns,
		.next_unsampled_ns = 1 + draw_below(gaps, gaps->mean_ns),
	};
	gap->period_ns = gap->due_ns = gap->first_ns + gaps->mean_ns;
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

static uint64_t
count_steady(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
	     uint64_t now_ns)
{
	bool is_too_soon = !gaps->is_partial &&
			   gap->paid_ns > now_ns + MOST_APART * gaps->mean_ns;

	return is_too_soon ? 0 : 1 + count_missing(gaps, gap, now_ns);
}

/* While the period has not been drawn, ticks fall due at and after the first
 * sample: how many have at NOW_NS that are not counted? */
static uint64_t
count_due(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
	  uint64_t now_ns)
{
	uint64_t n_paid = gap->paid_ns / gaps->mean_ns, n_due = 0;

	if (now_ns >= gap->first_ns)
		n_due = 1 + (now_ns - gap->first_ns) / gaps->mean_ns;
	return n_due > n_paid ? n_due - n_paid : 0;
}

/* The next sample counts as many as are due, or nearly so. */
static uint64_t
count_early(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
	    uint64_t now_ns)
{
	return count_due(gaps, gap, now_ns + gaps->mean_ns / 4);
}

/* The same where samples stand for themselves: one counts unless it comes soon after
 * another, or is the first one, tried again since the kernel has found the thread in
 * what has no samples.  Where periods are longer than a tick, some count twice. */
static uint64_t
count_early_part(struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
		 uint64_t now_ns)
{
	const uint64_t mean_ns = gaps->mean_ns;

	if (now_ns < gap->first_ns + mean_ns)
		return now_ns < gap->first_ns + LATE_NS;
	if (now_ns + mean_ns / 2 < gap->paid_ns)
		return 0;
	if (now_ns < 2 * gap->period_ns || gap->period_ns <= mean_ns)
		return 1;
	return 1 + (draw_below(gaps, mean_ns) < gap->period_ns - mean_ns);
}

/* A sample comes later than it should when the kernel has been told its period;
 * by as much for all threads while they are early. */
static void
note_late(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap, uint64_t now_ns)
{
	uint64_t due_ns =
		gap->is_steady ? gap->last_ns + gap->period_ns : gap->due_ns;
	uint64_t *late_ns = gap->is_steady ? &gap->late_ns : &gaps->late_ns;

	if (gap->is_drawn && now_ns > due_ns &&
	    now_ns - due_ns < gap->period_ns)
		*late_ns = (3 * *late_ns + (now_ns - due_ns)) / 4;
	gap->is_drawn = false;
}

uint32_t
prf_ring_gaps_take(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		   uint64_t now_ns)
{
	uint64_t n = gap->is_steady     ? count_steady(gaps, gap, now_ns)
		     : gaps->is_partial ? count_early_part(gaps, gap, now_ns)
					: count_early(gaps, gap, now_ns);

	note_late(gaps, gap, now_ns);
	gap->last_ns = now_ns;
	uint32_t ticks = pay(gaps, gap, n);
	if (gaps->is_partial && n > 0)
		gap->paid_ns = now_ns + gaps->mean_ns;
	return ticks;
}

uint32_t
prf_ring_gaps_owed(const struct prf_ring_gaps *gaps,
		   const struct prf_ring_gap *gap, uint64_t now_ns)
{
	struct prf_ring_gap paid = *gap;

	return pay(gaps, &paid,
		   gap->is_steady || gaps->is_partial
			   ? count_missing(gaps, gap, now_ns)
			   : count_due(gaps, gap, now_ns));
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
 * follow that are in all of them.  (A thread's first samples are anywhere already.) */
static double
draw_width_ns(struct prf_ring_gaps *gaps)
{
	double width_ns = (double)gaps->mean_ns;

	if (gaps->n_at_once > WIDTH)
		width_ns *= (double)WIDTH / gaps->n_at_once;
	return (prf_random_unit(&gaps->random) - 0.5) * width_ns;
}

bool
prf_ring_gaps_is_due(const struct prf_ring_gap *gap)
{
	return gap->is_steady || gap->last_ns >= gap->due_ns;
}

/* A short thread has few samples: each is to come when it falls due, however late
 * the kernel is told. */
static bool
is_early(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap)
{
	return !gap->is_steady && gaps->mean_ns >= LEAST_EARLY_NS &&
	       gap->last_ns < EARLY_TICKS * gaps->mean_ns;
}

/* The period that ends as the next tick falls due, of those that the kernel can
 * still be told of. */
static uint64_t
until_due(const struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap,
	  uint64_t now_ns)
{
	uint64_t least_ns = gaps->mean_ns / 4;
	uint64_t since_ns = now_ns + gaps->late_ns + least_ns - gap->first_ns;

	return least_ns + gaps->mean_ns - since_ns % gaps->mean_ns;
}

/* Returns 0 where the present period ends sooner, and is long enough. */
static uint64_t
draw_early(const struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
	   uint64_t now_ns)
{
	uint64_t next_ns = gap->due_ns + gap->period_ns;
	uint64_t period_ns = until_due(gaps, gap, now_ns);

	gap->is_drawn = next_ns < gap->first_ns + gap->paid_ns ||
			now_ns >= next_ns || next_ns - now_ns > period_ns;
	if (!gap->is_drawn) {
		gap->due_ns = next_ns;
		return 0;
	}
	gap->period_ns = period_ns;
	gap->due_ns = now_ns + period_ns;
	return period_ns;
}

static uint64_t
draw_period(struct prf_ring_gaps *gaps, const struct prf_ring_gap *gap)
{
	double behind_ns =
		apart_ns(gaps, gap) / IN_TIMES + (double)gap->late_ns;
	double period_ns = (double)gaps->mean_ns - behind_ns / gaps->n_at_once +
			   draw_width_ns(gaps);

	return at_least_floor(period_ns > 0 ? (uint64_t)period_ns : 0);
}

uint64_t
prf_ring_gaps_redraw(struct prf_ring_gaps *gaps, struct prf_ring_gap *gap,
		     uint64_t now_ns)
{
	if (is_early(gaps, gap))
		return draw_early(gaps, gap, now_ns);
	if (!gap->is_steady)
		gap->late_ns = gaps->late_ns;
	gap->period_ns = draw_period(gaps, gap);
	gap->is_steady = gap->is_drawn = true;
	return gap->period_ns;
}
