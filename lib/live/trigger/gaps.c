#include "live/trigger/gaps.h"

#include <math.h>

#include "live/random.h"

/* Without strata there are by chance too few samples for the time, or too
 * many.  Being off by N of them makes the next gap shorter, or longer, by N
 * of so many parts: ticks stay within some three of the time, and the gaps
 * hardly depend on the past. */
enum { PARTS = 16 };

/* If a thread waits for a processor for at most this part of the time
 * between two samples, it has its turn when it wants it. */
enum { WAIT_PARTS = 16 };

/* The mean time between two samples: the length of a stratum. */
static uint64_t
mean_ns(const struct prf_gaps *gaps)
{
	return gaps->period_ns * gaps->worth;
}

void
prf_gaps_init(struct prf_gaps *gaps, uint64_t period_ns, uint64_t seed)
{
	*gaps = (struct prf_gaps){
		.period_ns = period_ns ? period_ns : 1,
		.worth = 1,
		.random = seed,
	};
	while (mean_ns(gaps) < 2 * PRF_GAPS_FLOOR_NS)
		gaps->worth *= 2;
	gaps->least_worth = gaps->worth;
}

/* Less than LIMIT_NS, any with the same chance. */
static uint64_t
draw_below(struct prf_gaps *gaps, uint64_t limit_ns)
{
	return (uint64_t)(prf_random_unit(&gaps->random) * (double)limit_ns);
}

/* Right after a sample, the time that was paid for should be half a gap
 * ahead: then ticks and time are the same in the mean of all moments, as
 * longer gaps are those after which it is further ahead. */
static uint64_t
draw_memoryless(struct prf_gaps *gaps, int64_t ahead_ns)
{
	double whole_ns = (double)mean_ns(gaps);
	double part = ((double)ahead_ns / whole_ns - 0.5) / PARTS;
	double wanted_ns = whole_ns * (1 + fmax(-0.5, fmin(part, 0.5)));
	double over_ns = wanted_ns - PRF_GAPS_FLOOR_NS;
	double u = prf_random_unit(&gaps->random);

	return (uint64_t)(PRF_GAPS_FLOOR_NS - log(1 - u) * over_ns);
}

/* Draws the next gap of a thread that was sampled at NOW_NS. */
static void
go_on(struct prf_gaps *gaps, struct prf_gap *gap, uint64_t now_ns)
{
	uint64_t begin_ns = gap->paid_ns, from_ns = now_ns;

	/* The rest of a stratum has had its sample. */
	if (!gap->memoryless && begin_ns > now_ns)
		from_ns = begin_ns;
	gap->worth = gaps->worth;
	gap->paid_ns = begin_ns + mean_ns(gaps);
	gap->memoryless = gap->crowded;
	if (!gap->memoryless) {
		gap->due_ns = begin_ns + draw_below(gaps, mean_ns(gaps));
		return;
	}
	int64_t ahead_ns = (int64_t)(begin_ns - from_ns);

	gap->due_ns = from_ns + draw_memoryless(gaps, ahead_ns);
}

struct prf_gap
prf_gaps_begin(struct prf_gaps *gaps)
{
	struct prf_gap gap = {0};

	go_on(gaps, &gap, 0);
	return gap;
}

/* How many more samples the thread, whose sample was due, has missed by
 * NOW_NS: at random times since then, or in strata that have passed as a
 * whole. */
static uint64_t
count_missed(struct prf_gaps *gaps, const struct prf_gap *gap, uint64_t now_ns)
{
	if (gap->memoryless)
		return (now_ns - gap->due_ns +
			draw_below(gaps, mean_ns(gaps))) /
		       mean_ns(gaps);
	return now_ns > gap->paid_ns ? (now_ns - gap->paid_ns) / mean_ns(gaps)
				     : 0;
}

uint32_t
prf_gaps_take(struct prf_gaps *gaps, struct prf_gap *gap, uint64_t now_ns)
{
	if (now_ns < gap->due_ns)
		return 0;
	uint64_t n_missed = count_missed(gaps, gap, now_ns);
	uint64_t ticks = gap->worth + n_missed * gaps->worth;

	gap->paid_ns += n_missed * mean_ns(gaps);
	go_on(gaps, gap, now_ns);
	/* It may be due in its present stratum, too. */
	if (now_ns >= gap->due_ns) {
		ticks += gap->worth;
		go_on(gaps, gap, now_ns);
	}
	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

uint64_t
prf_gaps_wait_ns(const struct prf_gap *gap, uint64_t now_ns)
{
	uint64_t least_ns = now_ns + PRF_GAPS_FLOOR_NS;

	return gap->due_ns > least_ns ? gap->due_ns - now_ns
				      : PRF_GAPS_FLOOR_NS;
}

void
prf_gaps_note_waits(const struct prf_gaps *gaps, struct prf_gap *gap,
		    uint64_t waited_ns, unsigned n_samples)
{
	uint64_t since_ns = waited_ns - gap->waited_ns;

	gap->crowded = since_ns > n_samples * (mean_ns(gaps) / WAIT_PARTS);
	gap->waited_ns = waited_ns;
}

void
prf_gaps_keep_pace(struct prf_gaps *gaps, uint64_t wall_ns, uint64_t own_cpu_ns)
{
	uint64_t passed_ns = wall_ns - gaps->wall_ns;
	uint64_t busy_ns = own_cpu_ns - gaps->own_cpu_ns;

	if (busy_ns > passed_ns / 2 && mean_ns(gaps) <= PRF_GAPS_LONGEST_NS / 2)
		gaps->worth *= 2;
	else if (busy_ns < passed_ns / 4 && gaps->worth > gaps->least_worth)
		gaps->worth /= 2;
	gaps->wall_ns = wall_ns;
	gaps->own_cpu_ns = own_cpu_ns;
}
