/* Ticks of threads add up to their CPU time, whoever they are and whenever
 * they began; and each is the tick of the thread that ran. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/region.h"
#include "core/table.h"
#include "inproc/lock.h"
#include "inproc/profil.h"
#include "inproc/threads.h"
#include "inproc/tick.h"
#include "inproc/ticker.h"
#include "support/suite.h"

#define N_THREADS 8
#define MAX_SAMPLES 100000

static uintptr_t samples[MAX_SAMPLES];
static double rate_hz;

static struct prf_profil_state
state_now(void)
{
	struct prf_profil_state state;

	prf_profil_state(&state);
	return state;
}

static void
start(void)
{
	rate_hz = (double)sysconf(_SC_CLK_TCK);
	ck_assert_int_ge(prf_pcsample(samples, MAX_SAMPLES), 0);
}

/* TICKS stand for CPU_S.  Of each thread the last tick or none is missing,
 * each way as likely: sqrt(n / 6) ticks, and six times that is never. */
static void
check_ticks(uint64_t ticks, double cpu_s, int n_threads)
{
	double expected = cpu_s * rate_hz;
	double bound = 3 + 6 * sqrt(n_threads / 6.0) + expected / 50;

	ck_assert_msg(fabs((double)ticks - expected) <= bound,
		      "%llu ticks for %.3f s", (unsigned long long)ticks,
		      cpu_s);
}

START_TEST(a_thread_that_runs_ticks_as_often_as_its_cpu_time_says)
{
	start();
	double before_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	tick_burn(0.5);
	tick_catch_up();
	check_ticks(state_now().ticks,
		    tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s, 1);
}
END_TEST

START_TEST(a_process_that_sleeps_does_not_tick)
{
	uint64_t ticks = 0;

	for (int i = 0; i < 5; i++) {
		const struct timespec nap = {.tv_nsec = 50000000};

		start();
		nanosleep(&nap, NULL);
		ticks += state_now().ticks;
	}
	/* The calls themselves use microseconds. */
	ck_assert_uint_le(ticks, 1);
}
END_TEST

static void *
burn(void *argument)
{
	tick_burn(*(double *)argument);
	return NULL;
}

static void
run_threads(int n, double cpu_s)
{
	pthread_t threads[N_THREADS];

	for (int i = 0; i < n; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, burn, &cpu_s), 0);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(threads_that_begin_after_the_call_tick_too)
{
	start();
	double before_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	run_threads(N_THREADS, 0.15);
	check_ticks(state_now().ticks,
		    tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s, N_THREADS);
}
END_TEST

START_TEST(threads_shorter_than_a_tick_add_up)
{
	start();
	double before_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < 100; i++)
		run_threads(4, 0.002);
	check_ticks(state_now().ticks,
		    tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s, 100);
}
END_TEST

START_TEST(no_tick_of_a_thread_is_lost_among_the_counters)
{
	static uint16_t one;
	struct prf_region everything = {&one, sizeof one, 0, 2};

	ck_assert_int_eq(prf_sprofil(&everything, 1, NULL, PRF_TABLE_USHORT),
			 0);
	run_threads(N_THREADS, 0.1);
	struct prf_profil_state state = state_now();
	prf_sprofil(NULL, 0, NULL, 0);
	ck_assert_uint_eq(state.ticks, state.counted + state.unseen);
	ck_assert_uint_ge(one, state.counted);
	ck_assert_uint_ge(state.counted, 40);
}
END_TEST

/* --- Whose tick it is. */

static bool is_over;

#define BURNERS(X) X(0) X(1) X(2)
#define BURNER(i)                                                              \
	__attribute__((noinline)) static void *burner_##i(void *argument)      \
	{                                                                      \
		volatile unsigned *count = argument;                           \
		while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))           \
			*count += i + 1;                                       \
		return NULL;                                                   \
	}
BURNERS(BURNER)

/* Bytes from the begin of a burner that hold its loop, with sanitizers too;
 * where they overlap the next burner they are that one's. */
#define CODE_BYTES 1024

START_TEST(ticks_are_charged_to_the_code_that_the_thread_ran)
{
	static unsigned counts[3];
	static uint32_t elements[3][CODE_BYTES];
	void *(*const burners[])(void *) = {burner_0, burner_1, burner_2};
	struct prf_region list[3];
	pthread_t threads[3];
	clockid_t clocks[3];

	for (int i = 0; i < 3; i++)
		list[i] =
			(struct prf_region){elements[i], sizeof elements[i],
					    (uintptr_t)burners[i], 4 * 0x10000};
	rate_hz = (double)sysconf(_SC_CLK_TCK);
	ck_assert_int_eq(prf_sprofil(list, 3, NULL,
				     PRF_TABLE_UINT | PRF_SPROFIL_LENIENT),
			 0);
	for (int i = 0; i < 3; i++) {
		pthread_create(&threads[i], NULL, burners[i], &counts[i]);
		pthread_getcpuclockid(threads[i], &clocks[i]);
	}
	tick_burn(0.05); /* it has its own ticks, in none of the three */
	while (tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) < 1.2)
		usleep(10000);
	for (int i = 0; i < 3; i++) {
		uint64_t ticks = 0;
		double cpu_s = tick_cpu_s(clocks[i]);

		for (int j = 0; j < CODE_BYTES; j++)
			ticks += elements[i][j];
		check_ticks(ticks, cpu_s, 6);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

/* --- The scout, also where the kernel sends it to a thread that sleeps. */

static void *
burn_blocked_until_over(void *argument)
{
	(void)argument;
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
		tick_burn(0.01);
	return NULL;
}

START_TEST(a_scout_that_meets_a_thread_that_slept_finds_the_one_that_ran)
{
	pthread_t thread;
	clockid_t clock;

	tick_block(); /* inherited: only calls of the handler scout here */
	start();
	pthread_create(&thread, NULL, burn_blocked_until_over, NULL);
	pthread_getcpuclockid(thread, &clock);
	while (tick_cpu_s(clock) < 0.1)
		usleep(1000);
	ck_assert_uint_eq(state_now().n_threads, 1);
	tick_scout(0x1234);
	ck_assert_uint_eq(state_now().n_threads, 2);
	ck_assert_uint_eq(state_now().ticks, 0); /* not this thread's */
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	tick_unblock();
}
END_TEST

START_TEST(time_of_threads_that_nobody_saw_is_told_apart)
{
	double cpu_s = 0.3;

	tick_block();
	start();
	run_threads(1, cpu_s);
	tick_scout(0x1234);
	struct prf_profil_state state = state_now();
	ck_assert_uint_ge(state.unseen, 28);
	ck_assert_uint_le(state.unseen, 32);
	ck_assert_uint_eq(state.ticks, state.unseen);
	ck_assert_uint_eq(state.dropped, state.unseen);
	tick_scout(0x1234);
	ck_assert_uint_eq(state_now().unseen, state.unseen);
}
END_TEST

START_TEST(clocks_of_threads_that_have_ended_are_given_back)
{
	start();
	for (int i = 0; i < 40; i++) {
		run_threads(N_THREADS, 0.001);
		tick_scout(0x1234);
	}
	/* The next scout to look has forgotten those before it. */
	tick_scout(0x1234);
	ck_assert_uint_le(state_now().n_threads, 2 + N_THREADS);
}
END_TEST

/* --- System calls. */

static void *
wait_and_count(void *argument)
{
	int fd = epoll_create1(0), *n_eintr = argument;
	struct epoll_event event;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		const struct timespec nap = {.tv_nsec = 1000000};

		if (epoll_wait(fd, &event, 1, 1) < 0 && errno == EINTR)
			++*n_eintr;
		if (nanosleep(&nap, NULL) < 0 && errno == EINTR)
			++*n_eintr;
		tick_burn(0.002);
	}
	close(fd);
	return NULL;
}

START_TEST(no_wait_is_cut_short_by_ticks)
{
	pthread_t threads[2];
	int n_eintr[2] = {0};

	start();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_and_count, &n_eintr[i]);
	while (tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) < 1)
		usleep(20000);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_ge(state_now().ticks, 50);
	/* Linux 5.9 and newer: a scout that finds the waiting thread is all
	 * that could. */
	ck_assert_int_le(n_eintr[0] + n_eintr[1], 3);
}
END_TEST

START_TEST(system_time_is_charged_to_the_pc_after_the_call)
{
	static char zeros[1 << 20];
	FILE *nothing = fopen("/dev/zero", "r");
	uint64_t n_here = 0;

	start();
	while (tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) < 0.5)
		ck_assert_int_gt(read(fileno(nothing), zeros, sizeof zeros), 0);
	long n = prf_pcsample(samples, 0);
	fclose(nothing);
	/* Most of it is the kernel's, and so one pc has most. */
	for (long i = 0; i < n; i++) {
		uint64_t same = 0;

		for (long j = 0; j < n; j++)
			same += samples[j] == samples[i];
		n_here = same > n_here ? same : n_here;
	}
	ck_assert_int_ge(n, 20);
	ck_assert_uint_ge(n_here, (uint64_t)n / 2);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("threads");
	TCase *tcase = tcase_create("threads");

	tcase_set_timeout(tcase, 600);
	tcase_add_test(tcase,
		       a_thread_that_runs_ticks_as_often_as_its_cpu_time_says);
	tcase_add_test(tcase, a_process_that_sleeps_does_not_tick);
	tcase_add_test(tcase, threads_that_begin_after_the_call_tick_too);
	tcase_add_test(tcase, threads_shorter_than_a_tick_add_up);
	tcase_add_test(tcase, no_tick_of_a_thread_is_lost_among_the_counters);
	tcase_add_test(tcase,
		       ticks_are_charged_to_the_code_that_the_thread_ran);
	tcase_add_test(
		tcase,
		a_scout_that_meets_a_thread_that_slept_finds_the_one_that_ran);
	tcase_add_test(tcase, time_of_threads_that_nobody_saw_is_told_apart);
	tcase_add_test(tcase, clocks_of_threads_that_have_ended_are_given_back);
	tcase_add_test(tcase, no_wait_is_cut_short_by_ticks);
	tcase_add_test(tcase, system_time_is_charged_to_the_pc_after_the_call);
	suite_add_tcase(suite, tcase);
	return suite;
}
