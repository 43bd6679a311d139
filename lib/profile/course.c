#include "profile/course.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/scope.h"

/* WAVES cosines over the run, of which the first has half a period, tell how
 * much a difference swings slowly, as what disturbs a run does; BINS parts of
 * the run, in how many of them a key has ticks. */
enum { WAVES = 12, BINS = 128, MIN_STEPS = 2 * WAVES };

/* However few places of a run tell of a key, it may have been another one. */
static const double least_df = 2;

void
prf_course_step(struct prf_course *course)
{
	course->n_steps++;
}

int
prf_course_add(struct prf_course *course, uint32_t key, uint64_t ticks)
{
	if (course->n == course->room) {
		size_t room = course->room * 2 + 256;
		struct prf_course_part *grown =
			reallocarray(course->parts, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		course->parts = grown;
		course->room = room;
	}
	course->parts[course->n++] = (struct prf_course_part){
		.step = course->n_steps - 1,
		.key = key,
		.ticks = ticks,
	};
	return 0;
}

void
prf_course_clear(struct prf_course *course)
{
	free(course->parts);
	*course = (struct prf_course){0};
}

/* --- Two courses */

/* Of one key. */
struct key {
	double ticks[2];     /* in the old run, and in the new one */
	double waves[WAVES]; /* of the new course less the old one */
	float bins[BINS];    /* of both courses, which are 1 in sum */
};

struct courses {
	const struct prf_course *both;
	struct key *keys;
	size_t n_keys;
	double ticks[2];
};

static void
sum_up(struct courses *courses)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < courses->both[side].n; i++) {
			const struct prf_course_part *part =
				&courses->both[side].parts[i];

			courses->keys[part->key].ticks[side] +=
				(double)part->ticks;
			courses->ticks[side] += (double)part->ticks;
		}
}

/* How far a tick of KEY takes the run of SIDE.  In both runs a key takes it as
 * far in all, so that they are at the same place when both do the same, however
 * much slower one function has become.  A key of one run alone takes it
 * nowhere. */
static double
length_of_tick(const struct courses *courses, const struct key *key, int side)
{
	double share[2] = {key->ticks[0] / courses->ticks[0],
			   key->ticks[1] / courses->ticks[1]};

	return share[0] > 0 && share[1] > 0
		       ? (share[0] + share[1]) / 2 / key->ticks[side]
		       : 0;
}

static double
length_of_step(const struct courses *courses, int side, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++) {
		const struct prf_course_part *part =
			&courses->both[side].parts[i];

		sum += (double)part->ticks *
		       length_of_tick(courses, &courses->keys[part->key], side);
	}
	return sum;
}

/* Where the parts of the step end that FROM is in. */
static size_t
end_of_step(const struct prf_course *course, size_t from)
{
	size_t to = from;

	while (to < course->n &&
	       course->parts[to].step == course->parts[from].step)
		to++;
	return to;
}

/* The parts from FROM up to TO happened when PLACE (0 to 1) of the run was
 * over. */
static void
note(struct courses *courses, int side, size_t from, size_t to, double place)
{
	double waves[WAVES];
	int bin = (int)fmin(place * BINS, BINS - 1);

	for (int i = 0; i < WAVES; i++)
		waves[i] = M_SQRT2 * cos(M_PI * (i + 1) * place);
	for (; from < to; from++) {
		const struct prf_course_part *part =
			&courses->both[side].parts[from];
		struct key *key = &courses->keys[part->key];
		double share = (double)part->ticks / key->ticks[side];

		key->bins[bin] += (float)(share / 2);
		for (int i = 0; i < WAVES; i++)
			key->waves[i] += (side ? share : -share) * waves[i];
	}
}

static void
walk(struct courses *courses, int side)
{
	const struct prf_course *course = &courses->both[side];
	double all = length_of_step(courses, side, 0, course->n), at = 0;

	for (size_t from = 0, to; all > 0 && from < course->n; from = to) {
		to = end_of_step(course, from);
		double length = length_of_step(courses, side, from, to) / all;

		note(courses, side, from, to, fmin(at + length / 2, 1));
		at += length;
	}
}

/* What the squares of the parts of PAIR are in sum, however many places these
 * are in: the few samples of a key are in as few bins. */
static double
squares_of_few(const struct prf_sampled *pair)
{
	if (pair[0].k > 0 && pair[1].k > 0)
		return (1 / pair[0].k + 1 / pair[1].k) / 4;
	return 1 / (pair[0].k + pair[1].k);
}

/* As many bins as would hold as much if all held the same; 0: none holds
 * anything. */
static double
n_bins_of(const struct key *key, const struct prf_sampled *pair)
{
	double sum = 0, squares = 0, few = fmin(squares_of_few(pair), 1);

	for (int i = 0; i < BINS; i++) {
		sum += key->bins[i];
		squares += key->bins[i] * key->bins[i];
	}
	if (!(squares > 0))
		return 0;
	double more = squares / (sum * sum) - few;
	return more * BINS > 1 - few ? (1 - few) / more : BINS;
}

/* The variance of the logarithm of how much longer a key takes in the new run,
 * by the differences that its courses have beside that.  (E. Lazarus and others,
 * HAR Inference, 2018: the mean of the first cosines.) */
static double
variance_of(const struct key *key)
{
	double sum = 0;

	for (int i = 0; i < WAVES; i++)
		sum += key->waves[i] * key->waves[i];
	return sum / WAVES;
}

static struct prf_varying
varying_of(const struct key *key, const struct prf_sampled *pair)
{
	double n_bins = n_bins_of(key, pair);
	struct prf_varying varying = {.times = 1, .df = INFINITY};

	/* 0: the runs have no key in common. */
	if (n_bins > 0)
		varying.df = fmax(fmin(n_bins / 2, WAVES), least_df);

	if (!(key->ticks[0] > 0 && key->ticks[1] > 0))
		return varying;
	double p = (pair[0].k / pair[0].n + pair[1].k / pair[1].n) / 2;
	if (p < 1)
		varying.times = variance_of(key) * p /
				((1 - p) * (1 / pair[0].n + 1 / pair[1].n));
	return varying;
}

int
prf_course_variation(const struct prf_course both[2],
		     const struct prf_sampled *pairs, size_t n_keys,
		     struct prf_varying *varying)
{
	PRF_AUTO(prf_auto_free)
	struct key *keys = calloc(n_keys + 1, sizeof *keys);
	struct courses courses = {.both = both, .keys = keys, .n_keys = n_keys};

	if (!keys)
		return -ENOMEM;
	for (size_t i = 0; i < n_keys; i++)
		varying[i] = (struct prf_varying){.times = 1, .df = INFINITY};
	if (both[0].n_steps < MIN_STEPS || both[1].n_steps < MIN_STEPS)
		return 0;
	sum_up(&courses);
	walk(&courses, 0);
	walk(&courses, 1);
	for (size_t i = 0; i < n_keys; i++)
		if (keys[i].ticks[0] + keys[i].ticks[1] > 0)
			varying[i] = varying_of(&keys[i], &pairs[2 * i]);
	return 0;
}
