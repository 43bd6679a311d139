/* Ticks of threads add up to their CPU time, whoever they are and whenever
 * they began; and each is the tick of the thread that ran. */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
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
#include "inproc/timed.h"
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

static void
check_ticks(uint64_t ticks, double cpu_s)
{
	double expected = cpu_s * rate_hz;
	double bound = 5 + expected / 50;

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
		    tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s);
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
	ck_assert_uint_ge(state_now().ticks, N_THREADS * 15 / 2);
	check_ticks(state_now().ticks,
		    tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s);
}
END_TEST

START_TEST(threads_shorter_than_a_tick_add_up)
{
	start();
	double before_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < 100; i++)
		run_threads(4, 0.002);
	check_ticks(state_now().ticks,
		    tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s);
}
END_TEST

START_TEST(no_tick_of_a_thread_is_lost_among_the_counters)
{
	static uint16_t one;
	struct prf_region everything = {&one, sizeof one, 0, 2};

	ck_assert_int_eq(prf_sprofil(&everything, 1, NULL, PRF_TABLE_USHORT),
			 0);
	/* On a busy machine the kernel's tick meets few of them. */
	run_threads(N_THREADS, 0.4);
	struct prf_profil_state state = state_now();
	prf_sprofil(NULL, 0, NULL, 0);
	ck_assert_uint_eq(state.ticks, state.counted + state.unseen);
	ck_assert_uint_ge(one, state.counted);
	ck_assert_uint_ge(state.counted, 40);
}
END_TEST

/* --- Whose tick it is. */

static bool is_over;

/* Bytes from the begin of a burner that hold its loop, with sanitizers too;
 * where they overlap the next burner they are that one's. */
#define CODE_BYTES 1024

struct burner {
	uint32_t elements[CODE_BYTES];
	volatile unsigned count;
	uint64_t ticks; /* in the elements */
	double cpu_s;   /* of its thread */
};

/* It is over, and a tick has just come, so that none is late. */
__attribute__((noinline)) static bool
is_done(struct burner *burner)
{
	const double soon_s = 0.005;
	uint64_t ticks_before = burner->ticks;
	double before_s = burner->cpu_s;

	burner->ticks = 0;
	for (int i = 0; i < CODE_BYTES; i++)
		burner->ticks += burner->elements[i];
	burner->cpu_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID);
	return __atomic_load_n(&is_over, __ATOMIC_RELAXED) &&
	       burner->ticks != ticks_before &&
	       burner->cpu_s - before_s < soon_s;
}

#define BURNERS(X) X(0) X(1) X(2)
#define BURNER(i)                                                              \
	__attribute__((noinline)) static void *burner_##i(void *argument)      \
	{                                                                      \
		struct burner *burner = argument;                              \
		do                                                             \
			for (int n = 0; n < 200000; n++)                       \
				burner->count += i + 1;                        \
		while (!is_done(burner));                                      \
		return NULL;                                                   \
	}
BURNERS(BURNER)

START_TEST(ticks_are_charged_to_the_code_that_the_thread_ran)
{
	static struct burner burners[3];
	void *(*const code[])(void *) = {burner_0, burner_1, burner_2};
	struct prf_region list[3];
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		list[i] = (struct prf_region){burners[i].elements,
					      sizeof burners[i].elements,
					      (uintptr_t)code[i], 4 * 0x10000};
	rate_hz = (double)sysconf(_SC_CLK_TCK);
	ck_assert_int_eq(prf_sprofil(list, 3, NULL,
				     PRF_TABLE_UINT | PRF_SPROFIL_LENIENT),
			 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, code[i], &burners[i]);
	tick_burn(0.05); /* it has its own ticks, in none of the three */
	while (tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) < 1.2)
		usleep(10000);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		check_ticks(burners[i].ticks, burners[i].cpu_s);
	}
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

/* Without a look at the clocks, which the state takes. */
static uint32_t
n_threads(void)
{
	uint64_t signals = prf_lock_enter();
	uint32_t n = prf_ticker_n_threads();

	prf_lock_leave(signals);
	return n;
}

START_TEST(a_scout_that_meets_a_thread_that_slept_finds_the_one_that_ran)
{
	pthread_t thread;
	clockid_t clock;

	tick_block(); /* inherited: only calls of the handler scout here */
	start();
	uint32_t n_before = n_threads();
	pthread_create(&thread, NULL, burn_blocked_until_over, NULL);
	pthread_getcpuclockid(thread, &clock);
	while (tick_cpu_s(clock) < 0.1)
		usleep(1000);
	ck_assert_uint_eq(n_threads(), n_before);
	tick_scout(0x1234);
	/* And perhaps a thread of a sanitizer. */
	ck_assert_uint_gt(n_threads(), n_before);
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
	struct prf_profil_state state = state_now();
	ck_assert_uint_ge(state.unseen, 28);
	ck_assert_uint_le(state.unseen, 32);
	ck_assert_uint_eq(state.ticks, state.unseen);
	ck_assert_uint_eq(state.dropped, state.unseen);
	tick_scout(0x1234);
	ck_assert_uint_eq(state_now().unseen, state.unseen);
}
END_TEST

START_TEST(ticks_of_a_thread_that_blocks_the_signal_are_held)
{
	start();
	tick_block();
	tick_burn(0.2);
	struct prf_profil_state state = state_now();
	ck_assert_uint_ge(state.held, 19);
	ck_assert_uint_le(state.held, 25);
	ck_assert_uint_le(state.ticks, 1);
	tick_unblock();
	tick_catch_up();
	ck_assert_uint_eq(state_now().held, 0);
	ck_assert_uint_ge(state_now().counted, 19);
	ck_assert_uint_le(state_now().unseen, 1);
}
END_TEST

static void *
burn_blocked(void *argument)
{
	tick_block();
	return burn(argument);
}

static void *
burn_and_catch_up(void *argument)
{
	burn(argument);
	tick_catch_up();
	return NULL;
}

/* The CPU time of the process meanwhile. */
static double
run_one(void *(*code)(void *), double cpu_s)
{
	double before_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID);
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, code, &cpu_s), 0);
	pthread_join(thread, NULL);
	return tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) - before_s;
}

START_TEST(time_of_a_thread_that_blocked_the_signal_is_charged_to_nobody)
{
	double blocked_s = 0, open_s = 0;

	start();
	for (int i = 0; i < 3; i++) {
		blocked_s += run_one(burn_blocked, 0.5);
		open_s += run_one(burn, 0.1);
	}
	struct prf_profil_state state = state_now();
	ck_assert_uint_le(state.counted, (uint64_t)(open_s * rate_hz) + 5);
	ck_assert_uint_ge(state.unseen, (uint64_t)(blocked_s * rate_hz) - 5);
	check_ticks(state.ticks, blocked_s + open_s);
}
END_TEST

static void *
burn_and_meet_scout(void *argument)
{
	burn(argument);
	tick_scout(0x1234);
	return NULL;
}

START_TEST(a_new_thread_is_charged_what_it_has_used_itself)
{
	tick_block(); /* inherited: only calls of the handler scout here */
	start();
	double unseen_s = run_one(burn, 0.5);
	double met_s = run_one(burn_and_meet_scout, 0.1);
	struct prf_profil_state state = state_now();
	ck_assert_uint_ge(state.counted, 10);
	ck_assert_uint_le(state.counted, (uint64_t)(met_s * rate_hz) + 2);
	check_ticks(state.unseen, unseen_s);
}
END_TEST

START_TEST(a_thread_that_was_found_late_has_all_its_ticks)
{
	start();
	run_one(burn_blocked, 0.5);
	uint64_t before = state_now().counted;
	double open_s = run_one(burn_and_catch_up, 0.3);
	check_ticks(state_now().counted - before, open_s);
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

/* --- What looks cost.  Of the library's system calls those are counted that it
 * makes for each thread when it looks. */

static int n_seen;

static long (*libc_syscall)(long number, ...);

/* Not in a handler. */
__attribute__((constructor)) static void
find_syscall(void)
{
	libc_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

/* (It reads six arguments, whether there are so many or not.) */
__attribute__((no_sanitize("address"))) long
syscall(long number, ...)
{
	long args[6];
	va_list list;

	if (number == SYS_timer_gettime)
		__atomic_add_fetch(&n_seen, 1, __ATOMIC_RELAXED);
	if (!libc_syscall)
		find_syscall();
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	return libc_syscall(number, args[0], args[1], args[2], args[3], args[4],
			    args[5]);
}

static void *
sleep_until_over(void *argument)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
		usleep(20000);
	return argument;
}

/* Until the thread of that clock has run on for a moment. */
static void
let_run(clockid_t clock, double cpu_s)
{
	double end_s = tick_cpu_s(clock) + cpu_s;

	while (tick_cpu_s(clock) < end_s)
		sched_yield();
}

START_TEST(a_thread_that_blocks_the_signal_has_no_tick_look_at_all_threads)
{
	enum { N_ASLEEP = 160, N_TICKS = 200 };
	pthread_t asleep[N_ASLEEP], blocker;
	clockid_t clock;

	tick_block(); /* inherited: only calls of the handler tick here */
	for (int i = 0; i < N_ASLEEP; i++)
		ck_assert_int_eq(pthread_create(&asleep[i], NULL,
						sleep_until_over, NULL),
				 0);
	pthread_create(&blocker, NULL, burn_blocked_until_over, NULL);
	pthread_getcpuclockid(blocker, &clock);
	start();
	ck_assert_uint_gt(n_threads(), N_ASLEEP);
	for (int i = 0; i < 4; i++) {
		let_run(clock, 0.05);
		tick_scout(0x1234); /* in vain */
	}
	n_seen = 0;
	for (int i = 0; i < N_TICKS; i++) {
		let_run(clock, 0.0001);
		tick_at(0x1234, 1);
	}
	/* They do look, at some 16 for each tick. */
	ck_assert_int_gt(n_seen, N_ASLEEP);
	ck_assert_int_lt(n_seen, N_TICKS * 32);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < N_ASLEEP; i++)
		pthread_join(asleep[i], NULL);
	pthread_join(blocker, NULL);
}
END_TEST

/* --- Signals that come while a thread waits for its turn to take one. */

struct spinner {
	pid_t tid;
	uint64_t value; /* what its timer sends */
	bool is_ready, is_to_end;
};

static void *
spin(void *argument)
{
	struct spinner *spinner = argument;

	tick_unblock();
	prf_pcsample(samples, MAX_SAMPLES);
	spinner->tid = (pid_t)syscall(SYS_gettid);
	uint64_t signals = prf_lock_enter();
	spinner->value = prf_ticker_value();
	prf_lock_leave(signals);
	__atomic_store_n(&spinner->is_ready, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&spinner->is_to_end, __ATOMIC_ACQUIRE))
		;
	tick_at(0x1234, 1);
	return NULL;
}

/* To TID, as a timer would. */
static void
send_ticks(pid_t tid, uint64_t value, int ticks)
{
	siginfo_t info = {.si_code = SI_TIMER};

	info.si_value.sival_ptr = (void *)(uintptr_t)value;
	info.si_overrun = ticks - 1;
	syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, SIGRTMIN + 2, &info);
}

static bool
is_waiting(pid_t tid)
{
	char name[64], text[512];

	snprintf(name, sizeof name, "/proc/self/task/%d/stat", (int)tid);
	FILE *file = fopen(name, "r");
	ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
	fclose(file);
	return strstr(text, ") S ") != NULL;
}

START_TEST(what_meets_a_thread_in_the_handler_is_had_with_its_next_tick)
{
	struct spinner spinner = {.tid = 0};
	const int many = 1000;
	pthread_t thread;

	prf_profil_signal(SIGRTMIN + 2); /* which queues */
	tick_block();
	pthread_create(&thread, NULL, spin, &spinner);
	while (!__atomic_load_n(&spinner.is_ready, __ATOMIC_ACQUIRE))
		sched_yield();

	uint64_t signals = prf_lock_enter();
	send_ticks(spinner.tid, spinner.value, 1);
	while (!is_waiting(spinner.tid))
		sched_yield();
	send_ticks(spinner.tid, spinner.value, many);
	send_ticks(spinner.tid, prf_ticker_scout_value(), 1);
	prf_lock_leave(signals);

	__atomic_store_n(&spinner.is_to_end, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	ck_assert_uint_ge(state_now().ticks, 1 + many + 1);
	ck_assert_uint_le(state_now().ticks, 2 * many); /* and real ones */
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
	ck_assert_int_le(n_eintr[0] + n_eintr[1], 8);
}
END_TEST

/* Sleeps while the others use CPU_S.  Naps that were cut short. */
static int
sleep_while_they_run(double cpu_s)
{
	double end_s = tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) + cpu_s;
	int n_eintr = 0;

	while (tick_cpu_s(CLOCK_PROCESS_CPUTIME_ID) < end_s) {
		const struct timespec nap = {.tv_nsec = 5000000};

		if (nanosleep(&nap, NULL) < 0 && errno == EINTR)
			n_eintr++;
	}
	return n_eintr;
}

START_TEST(no_sleeper_is_waked_for_threads_that_block_the_signal)
{
	double cpu_s = 1;
	pthread_t thread;

	start();
	pthread_create(&thread, NULL, burn_blocked, &cpu_s);
	int n_eintr = sleep_while_they_run(0.9);
	pthread_join(thread, NULL);
	/* After 3, 6, 12, 24 and 48 ticks. */
	ck_assert_int_le(n_eintr, 8);
	check_ticks(state_now().unseen, cpu_s);
}
END_TEST

/* They are new ones each time. */
START_TEST(no_sleeper_is_waked_for_each_new_thread_that_blocks_the_signal)
{
	double cpu_s = 0.05;
	int n_eintr = 0;

	start();
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, burn_blocked, &cpu_s);
		n_eintr += sleep_while_they_run(0.04);
		pthread_join(thread, NULL);
	}
	/* One for each of the 20 would be too many. */
	ck_assert_int_le(n_eintr, 12);
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
	tick_add_prompt_test(tcase,
			     ticks_are_charged_to_the_code_that_the_thread_ran);
	tcase_add_test(
		tcase,
		a_scout_that_meets_a_thread_that_slept_finds_the_one_that_ran);
	tcase_add_test(tcase, time_of_threads_that_nobody_saw_is_told_apart);
	tick_add_prompt_test(tcase,
			     ticks_of_a_thread_that_blocks_the_signal_are_held);
	tcase_add_test(
		tcase,
		time_of_a_thread_that_blocked_the_signal_is_charged_to_nobody);
	tcase_add_test(tcase, a_new_thread_is_charged_what_it_has_used_itself);
	tcase_add_test(tcase, a_thread_that_was_found_late_has_all_its_ticks);
	tcase_add_test(tcase, clocks_of_threads_that_have_ended_are_given_back);
	tcase_add_test(
		tcase,
		a_thread_that_blocks_the_signal_has_no_tick_look_at_all_threads);
	tick_add_prompt_test(
		tcase,
		what_meets_a_thread_in_the_handler_is_had_with_its_next_tick);
	tcase_add_test(tcase, no_wait_is_cut_short_by_ticks);
	tcase_add_test(tcase,
		       no_sleeper_is_waked_for_threads_that_block_the_signal);
	tcase_add_test(
		tcase,
		no_sleeper_is_waked_for_each_new_thread_that_blocks_the_signal);
	tick_add_prompt_test(tcase,
			     system_time_is_charged_to_the_pc_after_the_call);
	suite_add_tcase(suite, tcase);
	return suite;
}
