#include "live/trigger/in_step.h"

#include <math.h>

#include "live/random.h"
#include "support/suite.h"

/* --- A kernel whose ticks come at each whole number, and a thread that works in
 * bursts.  Times are in ticks. */

enum { TICK_NS = 4000000, MARK_EACH = 20, N_RUNS = 100 };

/* One kind of program.  What varies does so by that part of itself. */
struct program {
	const char *name;
	double period; /* from one burst to the next; 0: it sleeps for so long
			* after each */
	double sleep;
	double work, varies;
	bool at_random;  /* sleeps have a tail as long as they are */
	double waits;    /* for a processor, of its CPU time */
	double lost;     /* part of the ticks that do not meet it */
	double duration; /* CPU time */
};

static double
varied(double value, double part, uint64_t *random)
{
	return value * (1 + part * (2 * prf_random_unit(random) - 1));
}

static double
sleep_of(const struct program *program, uint64_t *random)
{
	return program->at_random
		       ? -program->sleep * log(1 - prf_random_unit(random))
		       : varied(program->sleep, program->varies, random);
}

/* What is seen of the run of PROGRAM that is numbered SEED. */
static bool
is_in_step(const struct program *program, uint64_t seed)
{
	uint64_t random = seed, n_met = 0;
	struct prf_in_step in_step = {.n = 0};
	struct prf_in_step_totals totals = {.error = 2.5};
	/* Where in a tick a program begins is up to chance. */
	double begin = prf_random_unit(&random), now = begin;

	while (totals.ticks_due < program->duration) {
		double work = varied(program->work, program->varies, &random);

		totals.wakes++;
		for (double tick = ceil(now); tick < now + work; tick++) {
			if (prf_random_unit(&random) < program->lost)
				continue;
			if (n_met++ % MARK_EACH == 0)
				prf_in_step_mark(
					&in_step,
					&(struct prf_in_step_mark){
						(uint64_t)(tick * TICK_NS),
						(uint64_t)totals.wakes});
		}
		totals.ticks_due += work;
		now = program->period > 0
			      ? begin + totals.wakes * program->period
			      : now + work + sleep_of(program, &random);
	}
	totals.ticks_met = (double)n_met;
	totals.ticks_waited = program->waits * totals.ticks_due;
	return prf_in_step_is(&in_step, &totals, TICK_NS);
}

static int
n_in_step(const struct program *program)
{
	int n = 0;

	for (uint64_t seed = 1; seed <= N_RUNS; seed++)
		n += is_in_step(program, 0x9e37 * seed);
	return n;
}

/* Its clock is that of the kernel. */
static const struct program in_step[] = {
	{.name = "half of each tick", .period = 1, .work = 0.5},
	{.name = "half of each tick, uneven",
	 .period = 1,
	 .work = 0.5,
	 .varies = 0.3},
	{.name = "a third of each second", .period = 2, .work = 0.33},
	{.name = "half of each fifth", .period = 5, .work = 0.5},
	{.name = "a burst longer than a tick", .period = 5, .work = 1.5},
	{.name = "as long as two", .period = 5, .work = 2, .varies = 0.1},
	{.name = "each 10 ms of 4", .period = 2.5, .work = 0.4},
	{.name = "each millisecond of 4", .period = 0.25, .work = 0.1},
	{.name = "60 a second of 250", .period = 25.0 / 6, .work = 0.5},
	{.name = "bursts that wait for a processor",
	 .sleep = 1.25,
	 .work = 1.25,
	 .varies = 0.02,
	 .waits = 1},
};

START_TEST(programs_in_step_are_seen)
{
	struct program program = in_step[_i];
	int n;

	program.duration = 800;
	n = n_in_step(&program);
	ck_assert_msg(n >= 90, "%s: %d of %d", program.name, n, N_RUNS);
}
END_TEST

/* Nothing is. */
static const struct program others[] = {
	{.name = "half a tick, and sleeps",
	 .sleep = 0.765,
	 .work = 0.5,
	 .varies = 0.02},
	{.name = "the same, evenly", .sleep = 0.765, .work = 0.5},
	{.name = "short bursts", .sleep = 0.165, .work = 0.05, .varies = 0.05},
	{.name = "short bursts that lose ticks",
	 .sleep = 0.165,
	 .work = 0.05,
	 .varies = 0.05,
	 .lost = 0.3},
	{.name = "long ones", .sleep = 1.02, .work = 7.5, .varies = 0.02},
	{.name = "waits at random",
	 .sleep = 2,
	 .work = 0.5,
	 .varies = 0.5,
	 .at_random = true},
	{.name = "works on and on", .sleep = 0.01, .work = 1000},
	{.name = "the same, and waits",
	 .sleep = 0.01,
	 .work = 1000,
	 .waits = 3},
	{.name = "short ones, and waits",
	 .sleep = 0.165,
	 .work = 0.05,
	 .varies = 0.05,
	 .waits = 2},
	{.name = "waits a little",
	 .sleep = 0.765,
	 .work = 0.5,
	 .varies = 0.02,
	 .waits = 0.1},
	{.name = "a clock of its own, 62 a second",
	 .period = 250 / 62.0,
	 .work = 0.5},
	{.name = "another, 97 a second", .period = 250 / 97.0, .work = 0.5},
};

START_TEST(other_programs_are_not)
{
	struct program program = others[_i];
	int n;

	program.duration = 800;
	n = n_in_step(&program);
	ck_assert_msg(n <= 2, "%s: %d of %d", program.name, n, N_RUNS);
}
END_TEST

/* Periods that have nothing to do with the tick, as good as any. */
START_TEST(any_other_clock_is_its_own)
{
	uint64_t random = 5;
	int n = 0;

	for (uint64_t i = 1; i <= 1000; i++) {
		const struct program program = {
			.period = 0.6 + 6 * prf_random_unit(&random),
			.work = 0.5,
			.duration = 300,
		};

		n += is_in_step(&program, i);
	}
	ck_assert_msg(n <= 20, "%d of 1000", n);
}
END_TEST

/* Of a short run nothing is said. */
START_TEST(few_ticks_tell_nothing)
{
	for (size_t i = 0; i < sizeof in_step / sizeof *in_step; i++) {
		struct program program = in_step[i];

		program.duration = 30;
		ck_assert_int_le(n_in_step(&program), 2);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("in_step");
	TCase *tcase = tcase_create("in_step");

	tcase_add_loop_test(tcase, programs_in_step_are_seen, 0,
			    sizeof in_step / sizeof *in_step);
	tcase_add_loop_test(tcase, other_programs_are_not, 0,
			    sizeof others / sizeof *others);
	tcase_add_test(tcase, any_other_clock_is_its_own);
	tcase_add_test(tcase, few_ticks_tell_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
