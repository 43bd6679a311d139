/* Ticks are CPU time divided by the tick, over many runs of a second: what
 * make check has no time for.  Run by make check-counting. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/suite.h"

/* Of eight threads each run is eight. */
#define N_RUNS 12
#define N_RUNS_OF_EIGHT 4
#define RUN_S 1.0
#define N_THREADS 8
#define MAX_SAMPLES 10000

/* Of the mean of the runs, and of each: a run that meets a busy moment may be
 * off without anything being wrong.  What misses its bound is measured once more,
 * and both are judged together. */
#define MEAN_BOUND 0.02
#define RUN_BOUND 0.15

static uintptr_t samples[MAX_SAMPLES];

static uint64_t
n_ticks(void)
{
	struct prf_profil_state state;

	prf_profil_state(&state);
	return state.ticks;
}

static void *
burn(void *argument)
{
	tick_burn(RUN_S);
	return argument;
}

static void
one_thread(void)
{
	tick_burn(RUN_S);
	tick_catch_up();
}

static void
many_threads(void)
{
	pthread_t threads[N_THREADS];

	for (int i = 0; i < N_THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, burn, NULL),
				 0);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void
nap(void)
{
	const struct timespec quarter = {.tv_nsec = 250000000};

	nanosleep(&quarter, NULL);
}

struct run {
	double ticks, expected; /* by the CPU time that was used */
};

static struct run
run(void (*work)(void))
{
	double rate_hz = (double)sysconf(_SC_CLK_TCK);
	struct run run;

	ck_assert_int_ge(prf_pcsample(samples, MAX_SAMPLES), 0);
	double before_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	work();
	run.ticks = (double)n_ticks();
	run.expected =
		(tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s) * rate_hz;
	ck_assert_int_ge(prf_pcsample(samples, 0), 0);
	return run;
}

static double
error_of(const struct run *run)
{
	return run->ticks / run->expected - 1;
}

/* One that is far off, and another one: both together. */
static struct run
run_with_care(void (*work)(void))
{
	struct run one = run(work);

	if (fabs(error_of(&one)) > RUN_BOUND) {
		struct run again = run(work);

		one.ticks += again.ticks;
		one.expected += again.expected;
	}
	return one;
}

/* The errors of all runs so far. */
struct errors {
	double sum, largest;
	int n;
};

static void
add_runs(struct errors *errors, const char *what, void (*work)(void),
	 int n_runs)
{
	for (int i = 0; i < n_runs; i++) {
		struct run one = run_with_care(work);
		double error = error_of(&one);

		ck_assert_msg(fabs(error) <= RUN_BOUND,
			      "%s, run %d: %.0f ticks for %.1f", what,
			      errors->n, one.ticks, one.expected);
		errors->sum += error;
		errors->largest = fmax(errors->largest, fabs(error));
		errors->n++;
	}
}

static void
check_runs(const char *what, void (*work)(void), int n_runs)
{
	struct errors errors = {0};

	add_runs(&errors, what, work, n_runs);
	if (fabs(errors.sum / errors.n) > MEAN_BOUND)
		add_runs(&errors, what, work, n_runs);
	double mean = errors.sum / errors.n;
	printf("%s: %+.2f %% in the mean of %d runs, %.2f %% at most\n", what,
	       mean * 100, errors.n, errors.largest * 100);
	ck_assert_msg(fabs(mean) <= MEAN_BOUND, "%s: %+.2f %% in the mean",
		      what, mean * 100);
}

START_TEST(a_second_of_one_thread_has_its_ticks)
{
	check_runs("1 thread", one_thread, N_RUNS);
}
END_TEST

START_TEST(a_second_of_each_of_eight_threads_has_its_ticks)
{
	check_runs("8 threads", many_threads, N_RUNS_OF_EIGHT);
}
END_TEST

/* Each run's calls use some CPU time, which in the end is one tick perhaps. */
START_TEST(a_process_that_sleeps_has_no_ticks)
{
	double ticks = 0, expected = 0;

	for (int i = 0; i < N_RUNS; i++) {
		struct run one = run(nap);

		ticks += one.ticks;
		expected += one.expected;
	}
	printf("asleep: %.0f ticks for %.2f in %d runs\n", ticks, expected,
	       N_RUNS);
	ck_assert_double_le(ticks, ceil(expected));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("counting");
	TCase *tcase = tcase_create("counting");

	tcase_set_timeout(tcase, 1800);
	tcase_add_test(tcase, a_second_of_one_thread_has_its_ticks);
	tcase_add_test(tcase, a_second_of_each_of_eight_threads_has_its_ticks);
	tcase_add_test(tcase, a_process_that_sleeps_has_no_ticks);
	suite_add_tcase(suite, tcase);
	return suite;
}
