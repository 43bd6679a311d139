/* On in parent and child, each with its own copy; off after exec, which
 * nothing of ours may kill. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/region.h"
#include "core/table.h"
#include "inproc/lock.h"
#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/suite.h"

#define PC UINT64_C(0x400000)
#define ONE 0x10000

static uint16_t counters[32];

static struct prf_profil_state
state_now(void)
{
	struct prf_profil_state state;

	prf_profil_state(&state);
	return state;
}

static int
try_start(void *buffer, size_t size_bytes)
{
	return prf_profil(prf_dialect_svr4(), buffer, size_bytes, PC, ONE);
}

static void
start(void *buffer, size_t size_bytes)
{
	ck_assert_int_eq(try_start(buffer, size_bytes), 0);
}

static int
end_of(pid_t child)
{
	int status = -1;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

START_TEST(each_has_its_own_copy_of_a_private_buffer)
{
	tick_block();
	start(counters, sizeof counters);
	tick_at(PC, 3);
	pid_t child = fork();
	if (child == 0) {
		tick_at(PC, 2);
		tick_at(PC + 2, 1);
		_exit(counters[0] == 5 && counters[1] == 1 &&
				      state_now().ticks == 6
			      ? 0
			      : 1);
	}
	ck_assert_int_eq(end_of(child), 0);
	tick_at(PC + 4, 1);
	ck_assert_uint_eq(counters[0], 3);
	ck_assert_uint_eq(counters[1], 0);
	ck_assert_uint_eq(counters[2], 1);
}
END_TEST

static uint64_t
blocked_signals(void)
{
	uint64_t mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask);
	return mask;
}

START_TEST(both_have_the_signals_blocked_that_were)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGRTMAX);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	uint64_t before = blocked_signals();
	ck_assert_uint_ne(before & UINT64_C(1) << (SIGRTMAX - 1), 0);
	start(counters, sizeof counters);
	pid_t child = fork();
	if (child == 0)
		_exit(blocked_signals() == before && state_now().on ? 0 : 1);
	ck_assert_int_eq(end_of(child), 0);
	ck_assert_uint_eq(blocked_signals(), before);
}
END_TEST

/* --- The lock is another thread's as a process forks, and in the child a signal
 * comes before the library knows of that, whose handler calls it. */

static enum { NOBODY, STAGED, WANTED, HELD, DONE } holding;
static bool has_called;

static bool
is_holding(int state)
{
	return (int)__atomic_load_n(&holding, __ATOMIC_ACQUIRE) == state;
}

static void
wait_until_holding_is(int state)
{
	while (!is_holding(state))
		sched_yield();
}

static void
set_holding(int state)
{
	__atomic_store_n(&holding, state, __ATOMIC_RELEASE);
}

static void *
hold_lock(void *arg)
{
	wait_until_holding_is(WANTED);
	uint64_t signals = prf_lock_enter();
	set_holding(HELD);
	wait_until_holding_is(DONE);
	prf_lock_leave(signals);
	return arg;
}

static void
have_lock_held(void)
{
	if (!is_holding(STAGED))
		return;
	set_holding(WANTED);
	wait_until_holding_is(HELD);
}

static void
have_lock_given(void)
{
	if (is_holding(HELD))
		set_holding(DONE);
}

static void
send_signal(void)
{
	if (!is_holding(HELD))
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* if it waits for ever */
	raise(SIGUSR1);
}

/* Before the library's own, so that it is the last before fork and the first after
 * it; 101 is the first priority that is not the C library's. */
__attribute__((constructor(101))) static void
be_around_fork(void)
{
	pthread_atfork(have_lock_held, have_lock_given, send_signal);
}

static void
call_library(int signal)
{
	(void)signal;
	__atomic_store_n(&has_called, state_now().on, __ATOMIC_RELEASE);
}

START_TEST(a_handler_in_the_child_does_not_wait_for_a_thread_of_the_parent)
{
	const struct sigaction action = {.sa_handler = call_library};
	pthread_t holder;

	start(counters, sizeof counters);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	ck_assert_int_eq(pthread_create(&holder, NULL, hold_lock, NULL), 0);
	set_holding(STAGED);
	pid_t child = fork();
	if (child == 0) {
		/* ThreadSanitizer puts signals off until an atomic operation. */
		for (int i = 0; i < 10000; i++) {
			if (__atomic_load_n(&has_called, __ATOMIC_ACQUIRE))
				_exit(0);
			usleep(1000);
		}
		_exit(1);
	}
	ck_assert_int_eq(end_of(child), 0);
	ck_assert_int_eq(pthread_join(holder, NULL), 0);
	set_holding(NOBODY);
	ck_assert(!has_called);
}
END_TEST

/* Three more or less than this thread's CPU time, since SINCE_S, says. */
static bool
are_ticks(uint64_t ticks, double since_s)
{
	double cpu_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID) - since_s;
	double expected = cpu_s * (double)sysconf(_SC_CLK_TCK);

	return (double)ticks >= expected - 3 && (double)ticks <= expected + 3;
}

START_TEST(both_tick_on_their_own_cpu_time)
{
	double since_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID);

	start(counters, sizeof counters);
	tick_burn(0.1);
	pid_t child = fork();
	if (child == 0) {
		uint64_t before = state_now().ticks;
		double child_since_s = tick_cpu_s(CLOCK_THREAD_CPUTIME_ID);

		tick_burn(0.3);
		tick_catch_up();
		_exit(are_ticks(state_now().ticks - before, child_since_s) ? 0
									   : 1);
	}
	ck_assert_int_eq(end_of(child), 0);
	tick_burn(0.1);
	tick_catch_up();
	ck_assert(are_ticks(state_now().ticks, since_s));
}
END_TEST

START_TEST(a_shared_buffer_gets_the_ticks_of_all_and_loses_none)
{
	enum { N_CHILDREN = 4, N = 3000 };
	uint16_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t children[N_CHILDREN];

	tick_block();
	start(shared, 4096);
	for (int i = 0; i < N_CHILDREN; i++) {
		children[i] = fork();
		if (children[i] != 0)
			continue;
		for (int n = 0; n < N; n++)
			tick_at(PC + 2 * (n % 2u), 1);
		_exit(0);
	}
	for (int i = 0; i < N_CHILDREN; i++)
		ck_assert_int_eq(end_of(children[i]), 0);
	ck_assert_uint_eq(shared[0], N_CHILDREN * N / 2);
	ck_assert_uint_eq(shared[1], N_CHILDREN * N / 2);
}
END_TEST

/* Two processes, who begin each round together. */
struct race {
	uint16_t counters[4];
	unsigned n_here;
};

static void
meet(struct race *race, unsigned meeting)
{
	__atomic_add_fetch(&race->n_here, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&race->n_here, __ATOMIC_SEQ_CST) < 2 * meeting)
		sched_yield();
}

/* Both fill a counter that has room for 10, with 20 ticks each; says in how
 * many rounds it was not as it should be afterwards, or its neighbours. */
static int
fill_by_turns(struct race *race, uint16_t full, bool is_referee)
{
	enum { N_ROUNDS = 2000, ROOM = 10, N_TICKS = 2 * ROOM };
	int n_bad = 0;

	for (unsigned round = 0; round < N_ROUNDS; round++) {
		uint16_t *counter = &race->counters[round % 2];

		if (is_referee) {
			memset(race->counters, 0, sizeof race->counters);
			*counter = 65535 - ROOM;
		}
		meet(race, 3 * round + 1);
		for (int i = 0; i < N_TICKS; i++)
			tick_at(PC + 2 * (round % 2), 1);
		meet(race, 3 * round + 2);
		n_bad += *counter != full || race->counters[1 - round % 2] ||
			 race->counters[2];
		/* Before the referee clears it. */
		meet(race, 3 * round + 3);
	}
	return n_bad;
}

static void
check_race(const struct prf_dialect *dialect, uint16_t full)
{
	struct race *race = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	tick_block();
	ck_assert_int_eq(prf_profil(dialect, race->counters,
				    sizeof race->counters, PC, ONE),
			 0);
	pid_t child = fork();
	int n_bad = fill_by_turns(race, full, child != 0);
	if (child == 0)
		_exit(0);
	ck_assert_int_eq(end_of(child), 0);
	ck_assert_int_eq(n_bad, 0);
	munmap(race, 4096);
}

START_TEST(a_shared_counter_that_two_fill_stays_and_its_neighbour_too)
{
	check_race(prf_dialect_svr4(), 65535);
}
END_TEST

START_TEST(a_shared_counter_that_two_wrap_loses_no_tick)
{
	check_race(prf_dialect_freebsd(), 2 * 20 - 10 - 1);
}
END_TEST

START_TEST(a_child_may_turn_it_off_and_the_parent_goes_on)
{
	tick_block();
	start(counters, sizeof counters);
	pid_t child = fork();
	if (child == 0) {
		prf_profil(prf_dialect_svr4(), NULL, 0, 0, 0);
		_exit(state_now().on);
	}
	ck_assert_int_eq(end_of(child), 0);
	tick_at(PC, 1);
	ck_assert_uint_eq(counters[0], 1);
}
END_TEST

START_TEST(a_child_where_the_signal_is_the_default_again_lives)
{
	start(counters, sizeof counters);
	pid_t child = fork();
	if (child == 0) {
		signal(SIGURG, SIG_DFL);
		tick_burn(0.1);
		_exit(0);
	}
	ck_assert_int_eq(end_of(child), 0);
}
END_TEST

static void
own_handler(int signo)
{
	(void)signo;
}

START_TEST(a_child_where_the_program_has_the_signal_is_off_and_says_why)
{
	struct sigaction action = {.sa_handler = own_handler};

	start(counters, sizeof counters);
	sigaction(SIGURG, &action, NULL);
	pid_t child = fork();
	if (child == 0) {
		struct prf_profil_state state = state_now();

		_exit(!state.on && state.why == PRF_PROFIL_HANDLER ? 0 : 1);
	}
	ck_assert_int_eq(end_of(child), 0);
}
END_TEST

/* --- Storms.
 *
 * The threads, and the children that are forked beside them, assert nothing:
 * each assertion, also one that holds, takes a lock of Check's, and a child of
 * fork that finds it taken waits for ever. */

static bool is_over;

static void *
tick_on(void *argument)
{
	(void)argument;
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
		tick_at(PC, 1);
	return NULL;
}

static void *
call_on(void *argument)
{
	struct prf_region region = {argument, 64, PC, ONE};
	static uintptr_t samples[64];

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		prf_sprofil(&region, 1, NULL, PRF_TABLE_UINT);
		prf_pcsample(samples, 64);
		try_start(argument, 64);
	}
	return NULL;
}

/* Threads tick and call all the time, so that a fork finds them anywhere. */
static void
start_storm(pthread_t *threads)
{
	start(counters, sizeof counters);
	__atomic_store_n(&is_over, false, __ATOMIC_RELAXED);
	pthread_create(&threads[0], NULL, tick_on, NULL);
	pthread_create(&threads[1], NULL, tick_on, NULL);
	pthread_create(&threads[2], NULL, call_on, counters);
}

static void
end_storm(pthread_t *threads)
{
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(a_child_of_threads_that_tick_can_tick_and_call)
{
	pthread_t threads[3];

	start_storm(threads);
	tick_block(); /* the children count those that they make */
	for (int i = 0; i < 300; i++) {
		pid_t child = fork();

		if (child == 0) {
			/* Check's handler would kill the parent, too. */
			signal(SIGALRM, SIG_DFL);
			alarm(120);
			tick_at(PC, 1);
			tick_scout(PC);
			if (try_start(counters, sizeof counters) < 0)
				_exit(2);
			tick_at(PC, 1);
			_exit(state_now().ticks == 1 ? 0 : 1);
		}
		int status = end_of(child);
		ck_assert_msg(status == 0, "child %d ends with 0x%x", i,
			      (unsigned)status);
	}
	end_storm(threads);
}
END_TEST

START_TEST(no_new_program_is_killed_by_a_tick)
{
	pthread_t threads[3];

	start_storm(threads);
	for (int i = 0; i < 200; i++) {
		pid_t child = i % 2 ? fork() : vfork();

		if (child == 0) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(77);
		}
		int status = end_of(child);
		ck_assert_msg(status == 0, "program %d ends with 0x%x", i,
			      (unsigned)status);
	}
	end_storm(threads);
}
END_TEST

START_TEST(a_program_that_becomes_another_with_ticks_under_way_lives)
{
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (child == 0) {
			start(counters, sizeof counters);
			tick_block();
			tick_burn(0.03); /* a tick is pending */
			tick_unblock();
			execl("/bin/sh", "sh", "-c",
			      "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); "
			      "done",
			      (char *)NULL);
			_exit(77);
		}
		ck_assert_int_eq(end_of(child), 0);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("fork");
	TCase *tcase = tcase_create("fork");

	tcase_set_timeout(tcase, 600);
	tcase_add_test(tcase, each_has_its_own_copy_of_a_private_buffer);
	tcase_add_test(tcase, both_have_the_signals_blocked_that_were);
	tcase_add_test(
		tcase,
		a_handler_in_the_child_does_not_wait_for_a_thread_of_the_parent);
	tcase_add_test(tcase, both_tick_on_their_own_cpu_time);
	tcase_add_test(tcase,
		       a_shared_buffer_gets_the_ticks_of_all_and_loses_none);
	tcase_add_test(
		tcase,
		a_shared_counter_that_two_fill_stays_and_its_neighbour_too);
	tcase_add_test(tcase, a_shared_counter_that_two_wrap_loses_no_tick);
	tcase_add_test(tcase, a_child_may_turn_it_off_and_the_parent_goes_on);
	tcase_add_test(tcase,
		       a_child_where_the_signal_is_the_default_again_lives);
	tcase_add_test(
		tcase,
		a_child_where_the_program_has_the_signal_is_off_and_says_why);
	tcase_add_test(tcase, a_child_of_threads_that_tick_can_tick_and_call);
	tcase_add_test(tcase, no_new_program_is_killed_by_a_tick);
	tcase_add_test(
		tcase,
		a_program_that_becomes_another_with_ticks_under_way_lives);
	suite_add_tcase(suite, tcase);
	return suite;
}
