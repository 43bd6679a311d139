#include "profile/clearest.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- How much a deviation can grow
 *
 * From one rest to a smaller one let the logarithms of its ticks and of its squares
 * fall by no more than a, and that of the weight of its samples, squares by ticks,
 * change by no more than b, in each run; a + 4 b is the drift D.  Of a key that has
 * no more than 1/16 of any run's rest, and D up to 1/8, then
 * - a share becomes larger by a factor of exp(1.16 D) at most, and the difference of
 *   two by 1.31 D of the larger one;
 * - the standard deviation becomes smaller by a factor of exp(-0.73 D) at most.
 * So the deviation grows by less than 1.7 D times the larger share in standard
 * deviations, and 0.8 D times itself. */

static const double most_drift = 1.0 / 8, by_share = 1.7, by_itself = 0.8;
enum { LEAST_PART = 16 };

/* Two are as clear where they differ by no more than this part. */
static const double as_clear = 1e-6;

static double
fall(double before, double after)
{
	return before == after ? 0 : after > 0 ? log(before / after) : INFINITY;
}

static void
drift_to(struct prf_clearest *clearest, const struct prf_count *rest)
{
	double most_fall = 0, most_shift = 0;

	for (size_t run = 0; run < clearest->keys->n_runs; run++) {
		struct prf_count *before = &clearest->rest[run];
		double ticks =
			fall((double)before->ticks, (double)rest[run].ticks);
		double squares = fall(before->squares, rest[run].squares);

		most_fall = fmax(most_fall, fmax(ticks, squares));
		most_shift = fmax(most_shift, fabs(ticks - squares));
		*before = rest[run];
	}
	clearest->drift += most_fall + 4 * most_shift;
}

static bool
is_small(const struct prf_clearest *clearest, const struct prf_count *counts)
{
	for (size_t run = 0; run < clearest->keys->n_runs; run++) {
		const struct prf_count *rest = &clearest->rest[run];

		if (counts[run].ticks > rest->ticks / LEAST_PART ||
		    counts[run].squares > rest->squares / LEAST_PART)
			return false;
	}
	return true;
}

/* A key that is too large for that is measured each time; there are few. */
static struct prf_clearest_bound
bound_of(const struct prf_clearest *clearest, const struct prf_count *counts,
	 const struct prf_sides *sides, double deviation)
{
	double spread = prf_sides_spread(sides);
	double share =
		fmax(prf_side_share(&sides->old), prf_side_share(&sides->new));
	double slope = by_share * share / spread + by_itself * deviation;

	if (!(spread > 0) || !is_small(clearest, counts))
		return (struct prf_clearest_bound){.at_0 = INFINITY};
	return (struct prf_clearest_bound){
		.at_0 = deviation - slope * clearest->drift,
		.slope = slope,
	};
}

/* --- A tree of bounds */

static double
bound(const struct prf_clearest *clearest, size_t node)
{
	const struct prf_clearest_bound *at = &clearest->bounds[node];

	return at->at_0 + at->slope * clearest->drift;
}

static size_t
number_of(const struct prf_clearest *clearest, size_t leaf)
{
	return clearest->numbers[leaf - clearest->n];
}

/* Returns the deviation of LEAF's key, which is its bound, too. */
static double
measure(struct prf_clearest *clearest, size_t leaf)
{
	const struct prf_clearest_keys *keys = clearest->keys;
	const struct prf_sides_runs runs = {
		.n_old = keys->n_old,
		.n = keys->n_runs,
		.totals = clearest->rest,
	};
	size_t number = number_of(clearest, leaf);
	const struct prf_count *counts = &keys->counts[number * keys->n_runs];
	const struct prf_sides sides =
		prf_sides_in(&keys->sides[number], counts, &runs);
	double deviation = fabs(prf_sides_deviation(&sides));

	clearest->bounds[leaf] = bound_of(clearest, counts, &sides, deviation);
	clearest->n_measured++;
	return deviation;
}

/* NODE is above others. */
static void
join(struct prf_clearest *clearest, size_t node)
{
	struct prf_clearest_bound *bounds = clearest->bounds;
	const struct prf_clearest_bound *left = &bounds[2 * node],
					*right = &bounds[2 * node + 1];

	bounds[node].at_0 = fmax(left->at_0, right->at_0);
	bounds[node].slope = fmax(left->slope, right->slope);
}

static bool
is_left(const struct prf_clearest *clearest, size_t leaf)
{
	return clearest->bounds[leaf].at_0 > -INFINITY;
}

static void
make_bounds(struct prf_clearest *clearest)
{
	size_t n = clearest->n;

	clearest->drift = 0;
	for (size_t leaf = n; leaf < 2 * n; leaf++)
		if (is_left(clearest, leaf))
			measure(clearest, leaf);
	for (size_t node = n - 1; node > 0; node--)
		join(clearest, node);
}

static void
drop(struct prf_clearest *clearest, size_t leaf)
{
	clearest->bounds[leaf] = (struct prf_clearest_bound){.at_0 = -INFINITY};
	for (size_t node = leaf / 2; node > 0; node /= 2)
		join(clearest, node);
}

/* --- The clearest one */

static bool
is_clearer(const struct prf_clearest *clearest, size_t leaf, double deviation)
{
	double difference = deviation - clearest->deviation;

	if (clearest->found == PRF_CLEAREST_NONE ||
	    fabs(difference) > as_clear * deviation)
		return clearest->found == PRF_CLEAREST_NONE || difference > 0;
	size_t number = number_of(clearest, leaf),
	       best = number_of(clearest, clearest->found);
	const double *seconds = clearest->keys->seconds;
	return seconds[number] != seconds[best]
		       ? seconds[number] > seconds[best]
		       : number < best;
}

/* Measures what is at NODE or below and can be as clear as what was found. */
static void
seek(struct prf_clearest *clearest, size_t node)
{
	double least = clearest->deviation * (1 - 2 * as_clear);

	if (bound(clearest, node) < least)
		return;
	if (node >= clearest->n) {
		double deviation = measure(clearest, node);

		if (!is_clearer(clearest, node, deviation))
			return;
		clearest->found = node;
		clearest->deviation = deviation;
		return;
	}
	size_t left = 2 * node, right = left + 1;
	bool is_right = bound(clearest, right) > bound(clearest, left);
	seek(clearest, is_right ? right : left);
	seek(clearest, is_right ? left : right);
	join(clearest, node);
}

size_t
prf_clearest_take(struct prf_clearest *clearest, const struct prf_count *rest)
{
	if (!clearest->n)
		return PRF_CLEAREST_NONE;
	drift_to(clearest, rest);
	if (!(clearest->drift <= most_drift))
		make_bounds(clearest);
	clearest->found = PRF_CLEAREST_NONE;
	clearest->deviation = -1;
	seek(clearest, 1);
	if (clearest->found == PRF_CLEAREST_NONE)
		return PRF_CLEAREST_NONE;
	drop(clearest, clearest->found);
	return number_of(clearest, clearest->found);
}

int
prf_clearest_init(struct prf_clearest *clearest,
		  const struct prf_clearest_keys *keys,
		  const size_t *candidates, size_t n)
{
	*clearest = (struct prf_clearest){
		.keys = keys,
		.n = n,
		.numbers = calloc(n + 1, sizeof *candidates),
		.rest = calloc(keys->n_runs, sizeof *clearest->rest),
		.drift = INFINITY,
		.bounds = calloc(2 * n + 1, sizeof *clearest->bounds),
	};
	if (!clearest->numbers || !clearest->rest || !clearest->bounds)
		return -ENOMEM;
	if (n)
		memcpy(clearest->numbers, candidates, n * sizeof *candidates);
	return 0;
}

void
prf_clearest_clear(struct prf_clearest *clearest)
{
	free(clearest->numbers);
	free(clearest->rest);
	free(clearest->bounds);
	*clearest = (struct prf_clearest){0};
}
