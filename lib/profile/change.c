#include "profile/change.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/clearest.h"
#include "profile/discoveries.h"
#include "profile/sides.h"
#include "profile/student.h"
#include "profile/two_shares.h"

struct comparison {
	const struct prf_change_runs *runs;
	size_t n_runs;
	struct prf_sampled *sampled; /* [key * runs + run] */
	struct prf_varying *varying; /* of each key */
	struct prf_sides *sides;     /* the same */
	struct prf_question *questions;
};

static void
clear(struct comparison *comparison)
{
	free(comparison->sampled);
	free(comparison->varying);
	free(comparison->sides);
	free(comparison->questions);
}

static int
begin(struct comparison *comparison, const struct prf_change_runs *runs,
      struct prf_changes *changes)
{
	size_t n_runs = runs->n_old + runs->n_new, n = runs->n_keys;

	*comparison = (struct comparison){
		.runs = runs,
		.n_runs = n_runs,
		.sampled = calloc(n * n_runs + 1, sizeof(struct prf_sampled)),
		.varying = calloc(n + 1, sizeof(struct prf_varying)),
		.sides = calloc(n + 1, sizeof(struct prf_sides)),
		.questions = calloc(n + 1, sizeof(struct prf_question)),
	};
	*changes = (struct prf_changes){
		.all = calloc(n + 1, sizeof(struct prf_change)),
		.n = n,
		.rest = calloc(n_runs, sizeof(struct prf_count)),
	};
	return comparison->sampled && comparison->varying &&
			       comparison->sides && comparison->questions &&
			       changes->all && changes->rest
		       ? 0
		       : -ENOMEM;
}

/* --- How much runs vary */

static void
take_samples(struct comparison *comparison)
{
	const struct prf_change_runs *runs = comparison->runs;

	for (size_t i = 0; i < runs->n_keys * comparison->n_runs; i++)
		comparison->sampled[i] = prf_count_sampled(
			&runs->counts[i],
			&runs->totals[i % comparison->n_runs]);
}

static int
measure_variation(struct comparison *comparison,
		  struct prf_variation *variation)
{
	const struct prf_change_runs *runs = comparison->runs;
	const struct prf_variation_runs several = {
		.n_old = runs->n_old,
		.n_new = runs->n_new,
		.n_functions = runs->n_keys,
		.sampled = comparison->sampled,
	};

	static const struct prf_course unknown[2];

	if (comparison->n_runs > 2) {
		prf_variation_of_runs(&several, variation, comparison->varying);
		return 0;
	}
	int rc = prf_course_variation(runs->courses ? runs->courses : unknown,
				      comparison->sampled, runs->n_keys,
				      comparison->varying);
	if (!rc)
		rc = prf_variation_of_pair(comparison->sampled,
					   comparison->varying, runs->n_keys,
					   variation);
	/* A course tells of the lumps in which time comes. */
	if (!rc && runs->courses)
		variation->lump = 0;
	return rc;
}

/* --- One key */

/* No side is taken to vary less than its samples do.  One function's own
 * variance is measured in that of all where there are several runs; where there
 * are two, how these vary is added to it. */
static double
times_of(const struct comparison *comparison, const struct prf_varying *varying,
	 const struct prf_variation *variation, double p,
	 const struct prf_sampled *seen, size_t n_runs)
{
	double usual =
		prf_variation_times(variation, p, seen->n / (double)n_runs);

	return comparison->n_runs > 2 ? fmax(1, varying->times * usual)
				      : fmax(1, varying->times) + usual - 1;
}

/* Of a sum of variances of which only one, 1/TIMES of it, was measured, for DF
 * (F. E. Satterthwaite). */
static double
df_of_sum(double df, double times)
{
	return df * times * times;
}

static struct prf_sides
sides_of(const struct comparison *comparison, size_t number,
	 const struct prf_variation *variation)
{
	const struct prf_change_runs *runs = comparison->runs;
	const struct prf_sampled *sampled =
		&comparison->sampled[number * comparison->n_runs];
	const struct prf_varying *varying = &comparison->varying[number];
	struct prf_sides sides = {.df = varying->df};

	for (size_t run = 0; run < comparison->n_runs; run++)
		prf_sides_add(&sides, &sampled[run], run >= runs->n_old);
	double p = prf_sides_share(&sides);
	sides.old.times = times_of(comparison, varying, variation, p,
				   &sides.old.seen, runs->n_old);
	sides.new.times = times_of(comparison, varying, variation, p,
				   &sides.new.seen, runs->n_new);
	if (comparison->n_runs == 2)
		sides.df = df_of_sum(sides.df,
				     fmin(sides.old.times, sides.new.times) /
					     fmax(1, varying->times));
	return sides;
}

/* Fisher's test holds for any number of samples; Student's knows how little a
 * few runs tell of their variance. */
static double
log_p_of(const struct prf_sides *sides)
{
	const struct prf_sampled old = prf_side_worth(&sides->old),
				 new = prf_side_worth(&sides->new);
	const struct prf_two_shares shares = prf_two_shares_of(&old, &new);
	double log_p = prf_two_shares_log_p(&shares);

	return old.n > 0 && new.n > 0
		       ? fmax(log_p,
			      prf_student_log_p(prf_sides_deviation(sides),
						sides->df))
		       : 0;
}

static struct prf_question
question_of(const struct prf_sides *sides)
{
	const struct prf_sampled old = prf_side_worth(&sides->old),
				 new = prf_side_worth(&sides->new);
	const struct prf_two_shares shares = prf_two_shares_of(&old, &new);

	/* A large function may become slower by much of the run, a small one
	 * hardly. */
	return (struct prf_question){
		.log_p = log_p_of(sides),
		.least_log_p = prf_two_shares_least_log_p(&shares),
		.weight = prf_sides_share(sides),
	};
}

static double
seconds_of(const struct comparison *comparison, size_t number, size_t from,
	   size_t to)
{
	const struct prf_change_runs *runs = comparison->runs;
	double sum = 0;

	for (size_t run = from; run < to; run++)
		sum += (double)runs->counts[number * comparison->n_runs + run]
			       .ticks *
		       runs->tick_s[run];
	return sum / (double)(to - from);
}

static struct prf_change
change_of(const struct comparison *comparison, size_t number)
{
	const struct prf_sides *sides = &comparison->sides[number];
	const struct prf_question *question = &comparison->questions[number];
	const struct prf_sampled old = prf_side_worth(&sides->old),
				 new = prf_side_worth(&sides->new);
	size_t n_old = comparison->runs->n_old;

	return (struct prf_change){
		.old_share = prf_side_share(&sides->old),
		.new_share = prf_side_share(&sides->new),
		.old_s = seconds_of(comparison, number, 0, n_old),
		.new_s = seconds_of(comparison, number, n_old,
				    comparison->n_runs),
		.change = prf_two_shares_change(
			&old, &new,
			isinf(sides->df) ? PRF_Z_95
					 : prf_student_beyond(0.05, sides->df)),
		.log_p = question->log_p,
		.rate = question->rate,
		.asked = question->asked,
	};
}

/* --- What has changed by itself */

/* When one function takes more of a run, all others have a smaller share, and
 * have not changed.  So the key with the clearest change is taken out of the
 * runs, and the others are compared by their shares in what remains. */

static enum prf_change_verdict
verdict_of(const struct prf_change *change, double deviation)
{
	double by_share = change->new_share - change->old_share;
	double by_time = change->new_s - change->old_s;

	if (deviation > 0 && by_share > 0 && by_time > 0)
		return PRF_CHANGE_SLOWER;
	return deviation < 0 && by_share < 0 && by_time < 0 ? PRF_CHANGE_FASTER
							    : PRF_CHANGE_SHARE;
}

static void
take_out(const struct comparison *comparison, struct prf_changes *changes,
	 size_t number)
{
	const struct prf_count *counts =
		&comparison->runs->counts[number * comparison->n_runs];

	for (size_t run = 0; run < comparison->n_runs; run++)
		prf_count_subtract(&changes->rest[run], &counts[run]);
}

/* What is beyond LOG_LEVEL in the rest, too, has changed by itself. */
static bool
judge(const struct comparison *comparison, struct prf_changes *changes,
      size_t number, double log_level)
{
	const struct prf_change_runs *runs = comparison->runs;
	const struct prf_sides_runs rest = {
		.n_old = runs->n_old,
		.n = comparison->n_runs,
		.totals = changes->rest,
		.is_beside = runs->rest != NULL,
	};
	const struct prf_sides sides =
		prf_sides_in(&comparison->sides[number],
			     &runs->counts[number * comparison->n_runs], &rest);
	struct prf_change *change = &changes->all[number];

	if (log_p_of(&sides) >
	    log_level + log(comparison->questions[number].weight))
		return false;
	change->verdict = verdict_of(change, prf_sides_deviation(&sides));
	return true;
}

/* By how many seconds each key has changed, to be free()d.  NULL: out of memory. */
static double *
seconds_changed(const struct prf_changes *changes)
{
	double *seconds = calloc(changes->n + 1, sizeof *seconds);

	for (size_t i = 0; seconds && i < changes->n; i++)
		seconds[i] =
			fabs(changes->all[i].new_s - changes->all[i].old_s);
	return seconds;
}

static int
judge_apart(const struct comparison *comparison, struct prf_changes *changes,
	    const size_t *candidates, size_t n, double log_level)
{
	PRF_AUTO(prf_auto_free) double *seconds = seconds_changed(changes);
	const struct prf_clearest_keys keys = {
		.n_old = comparison->runs->n_old,
		.n_runs = comparison->n_runs,
		.counts = comparison->runs->counts,
		.sides = comparison->sides,
		.seconds = seconds,
	};
	PRF_AUTO(prf_clearest_clear) struct prf_clearest clearest = {0};

	if (!seconds || prf_clearest_init(&clearest, &keys, candidates, n))
		return -ENOMEM;
	for (;;) {
		size_t number = prf_clearest_take(&clearest, changes->rest);

		if (number == PRF_CLEAREST_NONE ||
		    !judge(comparison, changes, number, log_level))
			return 0;
		take_out(comparison, changes, number);
	}
}

static int
judge_all(const struct comparison *comparison, struct prf_changes *changes)
{
	PRF_AUTO(prf_auto_free)
	size_t *candidates = calloc(changes->n + 1, sizeof *candidates);
	size_t n = 0;

	if (!candidates)
		return -ENOMEM;
	for (size_t i = 0; i < changes->n; i++)
		if (changes->all[i].rate <= PRF_CHANGE_LEVEL) {
			changes->all[i].verdict = PRF_CHANGE_SHARE;
			candidates[n++] = i;
		}
	/* Up to which they were believed, but for their weights. */
	double log_level =
		log(PRF_CHANGE_LEVEL * (double)n / changes->asked_share);
	if (!comparison->runs->rest)
		return judge_apart(comparison, changes, candidates, n,
				   log_level);
	for (size_t i = 0; i < n; i++)
		judge(comparison, changes, candidates[i], log_level);
	return 0;
}

/* --- All of it */

static void
sum_up(const struct comparison *comparison, struct prf_changes *changes)
{
	const struct prf_change_runs *runs = comparison->runs;

	for (size_t i = 0; i < changes->n; i++) {
		const struct prf_change *change = &changes->all[i];

		changes->n_certain += change->verdict == PRF_CHANGE_SLOWER ||
				      change->verdict == PRF_CHANGE_FASTER;
	}
	for (size_t run = 0; run < comparison->n_runs; run++)
		*(run < runs->n_old ? &changes->old_n : &changes->new_n) +=
			prf_count_samples(&runs->totals[run]);
	changes->old_run_n = changes->old_n / (double)runs->n_old;
	changes->new_run_n = changes->new_n / (double)runs->n_new;
}

static int
ascending(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double
median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, ascending);
	return values[n / 2];
}

/* What is known of most of those that were asked. */
static int
find_typical(const struct comparison *comparison, struct prf_changes *changes)
{
	PRF_AUTO(prf_auto_free)
	double *times = calloc(changes->n + 1, sizeof *times);
	PRF_AUTO(prf_auto_free)
	double *df = calloc(changes->n + 1, sizeof *df);
	size_t n = 0;

	if (!times || !df)
		return -ENOMEM;
	for (size_t i = 0; i < changes->n; i++)
		if (changes->all[i].asked) {
			times[n] = fmax(1, comparison->varying[i].times);
			df[n++] = comparison->sides[i].df;
		}
	changes->typical = (struct prf_varying){.times = 1, .df = INFINITY};
	if (n)
		changes->typical = (struct prf_varying){
			.times = median(times, n), .df = median(df, n)};
	return 0;
}

static int
compare(struct comparison *comparison, struct prf_changes *changes)
{
	const struct prf_change_runs *runs = comparison->runs;
	size_t n = runs->n_keys;

	take_samples(comparison);
	int rc = measure_variation(comparison, &changes->variation);
	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++) {
		comparison->sides[i] =
			sides_of(comparison, i, &changes->variation);
		comparison->questions[i] = question_of(&comparison->sides[i]);
	}
	rc = prf_discoveries_find(comparison->questions, n, PRF_CHANGE_LEVEL);
	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++) {
		changes->all[i] = change_of(comparison, i);
		changes->n_asked += changes->all[i].asked;
		if (changes->all[i].asked)
			changes->asked_share += comparison->questions[i].weight;
	}
	const struct prf_count *rest = runs->rest ? runs->rest : runs->totals;
	for (size_t run = 0; run < comparison->n_runs; run++)
		changes->rest[run] = rest[run];
	rc = judge_all(comparison, changes);
	if (!rc)
		rc = find_typical(comparison, changes);
	sum_up(comparison, changes);
	return rc;
}

int
prf_changes_find(const struct prf_change_runs *runs,
		 struct prf_changes *changes)
{
	PRF_AUTO(clear) struct comparison comparison;
	int rc = begin(&comparison, runs, changes);

	return rc ? rc : compare(&comparison, changes);
}

void
prf_changes_clear(struct prf_changes *changes)
{
	free(changes->all);
	free(changes->rest);
	*changes = (struct prf_changes){0};
}

double
prf_changes_visible(const struct prf_changes *changes, double share)
{
	/* 8 of 10 normal deviates are above it, but for its sign. */
	const double of_ten = 0.8416;
	double weight = fmin(1, share / fmax(changes->asked_share, share));
	double beyond = prf_student_beyond(PRF_CHANGE_LEVEL * weight,
					   changes->typical.df);
	double more = changes->typical.times - 1;
	double old_times =
		       more + prf_variation_times(&changes->variation, share,
						  changes->old_run_n),
	       new_times =
		       more + prf_variation_times(&changes->variation, share,
						  changes->new_run_n);

	return (beyond + of_ten) *
	       sqrt(share * (1 - share) *
		    (old_times / changes->old_n + new_times / changes->new_n));
}
