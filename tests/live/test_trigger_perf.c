#include "live/trigger/triggers.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/kept.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "live/trigger/stop_cost.h"
#include "live/trigger/taskclock.h"
#include "support/suite.h"
#include "traced.h"

enum { PERIOD_NS = 5000000, CALL_SIGNAL = 33 };

static struct prf_trigger *trigger;
static struct prf_process process;
static struct prf_task task;
static struct prf_regs regs;
static struct prf_error err;

static void
open_trigger(enum prf_clock clock)
{
	struct prf_trigger_config config = {
		.period_ns = PERIOD_NS,
		.clock = clock,
		.seed = 1,
	};

	memset(&err, 0, sizeof err);
	ck_assert_int_eq(prf_trigger_perf.open(&config, &trigger, &err), 0);
}

static void
set_up(void)
{
	open_trigger(PRF_CLOCK_CPU);
}

static void
tear_down(void)
{
	prf_kept_clear(&task.kept);
	trigger->ops->close(trigger);
}

static void
begin_child(void (*run)(void))
{
	pid_t child = prf_traced_spinner(run, &regs);

	process = (struct prf_process){.pid = child, .addr_bytes = 8};
	task = (struct prf_task){
		.tid = child,
		.process = &process,
	};
}

static void
arm(void)
{
	ck_assert_msg(trigger->ops->arm(trigger, &task, NULL, &err) == 0, "%s",
		      err.text);
}

static struct prf_stop
go(int signal)
{
	return prf_stop_of_wait(task.tid, prf_traced_go(task.tid, signal));
}

static uint64_t
cpu_of_child(void)
{
	uint64_t cpu_ns;

	ck_assert_int_eq(prf_schedstat_read_cpu(task.tid, task.tid, &cpu_ns),
			 0);
	return cpu_ns;
}

/* Ticks of N looks. */
static double
look(int n)
{
	uint32_t ticks = 0;

	for (int i = 0; i < n; i++) {
		struct prf_stop stop = go(0);
		struct prf_claim claim =
			trigger->ops->claim(trigger, &task, &stop);

		ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
		ck_assert_int_eq(stop.signal, SIGTRAP);
		ck_assert(claim.ours);
		ck_assert(!claim.hand_over);
		ticks += claim.ticks;
	}
	return ticks;
}

static const enum prf_clock clocks[] = {PRF_CLOCK_CPU, PRF_CLOCK_USER};

START_TEST(an_armed_thread_has_one_tick_for_each_period_that_it_runs)
{
	tear_down();
	open_trigger(clocks[_i]);
	begin_child(NULL);
	arm();
	uint64_t before_ns = cpu_of_child();
	double ticks = look(100);
	double expected = (double)(cpu_of_child() - before_ns) / PERIOD_NS;

	/* By chance it is off by three or so; four times that is no chance.
	 * With the user clock, but for what it spent in the kernel: each stop
	 * has some of that. */
	ck_assert_double_ge(ticks, clocks[_i] == PRF_CLOCK_USER
					   ? 0.7 * expected - 12
					   : 0.98 * expected - 12);
	ck_assert_double_le(ticks, expected + 12);
}
END_TEST

/* What ticks stand for and what stops take is all that a thread has used. */
START_TEST(the_time_of_stops_is_not_in_the_ticks)
{
	enum { SHORT_NS = 200000, LOOKS = 1000 };
	const struct prf_trigger_config config = {
		.period_ns = SHORT_NS,
		.seed = 1,
		.stop_ns = prf_stop_cost_try(),
	};
	uint64_t ticks = 0, stops_ns = 0;

	tear_down();
	ck_assert_int_eq(prf_trigger_perf.open(&config, &trigger, &err), 0);
	begin_child(NULL);
	arm();
	uint64_t before_ns = cpu_of_child();
	for (int i = 0; i < LOOKS; i++) {
		struct prf_stop stop = go(0);
		struct prf_claim claim =
			trigger->ops->claim(trigger, &task, &stop);

		ticks += claim.ticks;
		stops_ns += claim.stop_ns;
		ck_assert_uint_gt(claim.stop_ns, 0);
	}
	double used = (double)(cpu_of_child() - before_ns) / SHORT_NS;
	double stops = (double)stops_ns / SHORT_NS;

	/* Ticks stay within some three of the time, and are a few off before
	 * the kernel is asked for what the task clock does not count. */
	ck_assert_double_le(fabs((double)ticks + stops - used),
			    12 + 0.02 * used);
	ck_assert_double_lt((double)ticks, used);
}
END_TEST

/* Of 80 random places none is in some quarter of the period once in 10^9. */
START_TEST(looks_fall_into_every_part_of_the_period)
{
	unsigned quarters[4] = {0};

	begin_child(NULL);
	arm();
	for (int i = 0; i < 80; i++) {
		look(1);
		quarters[cpu_of_child() % PERIOD_NS / (PERIOD_NS / 4)]++;
	}
	for (int i = 0; i < 4; i++)
		ck_assert_uint_ge(quarters[i], 1);
}
END_TEST

/* Keeps this process and what it forks on one processor. */
static void
stay_on_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof set, &set), 0);
}

/* Another process that wants the same processor; it dies with this one. */
static pid_t
begin_rival(void)
{
	pid_t rival = fork();

	if (rival == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (volatile unsigned turns = 0;; turns++)
			;
	}
	ck_assert_int_gt(rival, 0);
	return rival;
}

/* One look in each period leaves at most two periods between two; where the
 * next look does not depend on the last, one gap in nine or so is longer, and
 * of 150 all are shorter once in 10^7. */
START_TEST(a_thread_that_waits_for_processors_has_looks_at_any_distance)
{
	const uint64_t long_ns = 2 * PERIOD_NS + PERIOD_NS / 5;
	unsigned n_long = 0;

	stay_on_one_processor();
	begin_child(NULL);
	arm();
	pid_t rival = begin_rival();
	for (int i = 0; i < 150; i++) {
		uint64_t before_ns = cpu_of_child();

		look(1);
		n_long += cpu_of_child() - before_ns > long_ns;
	}
	kill(rival, SIGKILL);
	ck_assert_uint_ge(n_long, 1);
}
END_TEST

/* A clock of the program's own, with another cookie. */
static void
trap_itself(void)
{
	const struct prf_taskclock_config config = {
		.period_ns = 1000000,
		.cookie = 1,
		.user_only = true,
	};
	int fd;

	if (prf_taskclock_open(0, &config, &fd, NULL))
		_exit(1);
}

START_TEST(a_task_clock_of_the_programs_own_is_not_ours)
{
	begin_child(trap_itself);
	struct prf_stop stop = go(0);

	if (stop.kind == PRF_STOP_TRAP)
		stop = go(0);
	ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, SIGTRAP);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
}
END_TEST

START_TEST(a_stop_of_the_programs_own_is_not_ours)
{
	static const int signals[] = {SIGTRAP, SIGUSR1, CALL_SIGNAL};

	begin_child(NULL);
	for (int i = 0; i < 3; i++) {
		syscall(SYS_tgkill, task.tid, task.tid, signals[i]);
		struct prf_stop stop = go(0);
		ck_assert_int_eq(stop.signal, signals[i]);
		ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
	}
	ptrace(PTRACE_INTERRUPT, task.tid, NULL, NULL);
	struct prf_stop stop = go(0);
	ck_assert_int_eq(stop.kind, PRF_STOP_TRAP);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
}
END_TEST

enum { N_CHILDREN = 32 };

/* Soon, each with a status of its own, and with our signal's number. */
static void
end_children(void)
{
	const struct timespec soon = {0, 100000000};

	for (int i = 0; i < N_CHILDREN; i++)
		if (syscall(SYS_clone, CLONE_UNTRACED | CALL_SIGNAL, 0, 0, 0,
			    0) == 0) {
			nanosleep(&soon, NULL);
			_exit(i);
		}
}

START_TEST(a_child_that_ends_with_our_signals_number_is_the_programs)
{
	begin_child(end_children);
	arm();
	for (int n = 0; n < N_CHILDREN;) {
		struct prf_stop stop = go(0);
		bool ours = trigger->ops->claim(trigger, &task, &stop).ours;

		ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
		ck_assert_int_eq(ours, stop.signal == SIGTRAP);
		n += stop.signal == CALL_SIGNAL;
	}
}
END_TEST

START_TEST(a_signal_that_comes_after_all_is_still_ours)
{
	begin_child(NULL);
	arm();
	struct prf_stop stop = go(0);
	trigger->ops->forget(trigger, &task);
	struct prf_claim claim = trigger->ops->claim(trigger, &task, &stop);
	ck_assert(claim.ours);
	ck_assert_uint_eq(claim.ticks, 0);
}
END_TEST

static void
block(uint64_t signals)
{
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &signals, NULL, sizeof signals);
}

static void
block_as_libc_does(void)
{
	block(~(3ULL << 31));
}

static void
block_by_hand(void)
{
	block(~0ULL);
}

/* The first gap, which is random, is hardly as long as half of these. */
enum { UNSEEN_PERIODS = 20 };

/* Lets the child run, with its signals blocked, for some periods. */
static void
run_unseen(void)
{
	uint64_t end_ns = cpu_of_child() + UNSEEN_PERIODS * PERIOD_NS;
	int status;

	ck_assert_int_eq(ptrace(PTRACE_CONT, task.tid, NULL, NULL), 0);
	while (cpu_of_child() < end_ns)
		ck_assert_int_eq(waitpid(task.tid, &status, __WALL | WNOHANG),
				 0);
}

START_TEST(a_thread_that_blocks_it_stops_a_last_time_with_all_that_it_is_owed)
{
	struct prf_thread_status status;

	begin_child(block_as_libc_does);
	arm();
	run_unseen();
	ck_assert_int_eq(prf_status_read_thread(task.tid, task.tid, &status),
			 0);
	ck_assert(trigger->ops->cannot_stop(trigger, &status));
	ck_assert_int_eq(trigger->ops->stop_once_more(trigger, &task), 0);
	ck_assert_int_eq(trigger->ops->stop_once_more(trigger, &task), 0);
	struct prf_stop stop =
		prf_stop_of_wait(task.tid, prf_traced_wait(task.tid));
	ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, CALL_SIGNAL);
	struct prf_claim claim = trigger->ops->claim(trigger, &task, &stop);
	ck_assert(claim.ours);
	ck_assert(claim.hand_over);
	ck_assert_uint_ge(claim.ticks, UNSEEN_PERIODS / 2);
	ck_assert_int_eq(prf_arch.read(task.tid, &regs), 0);
	ck_assert_int_eq(regs.syscall, PRF_NO_SYSCALL);
	trigger->ops->forget(trigger, &task);
}
END_TEST

START_TEST(one_that_blocks_every_signal_cannot_be_stopped_so)
{
	begin_child(block_by_hand);
	arm();
	run_unseen();
	ck_assert_int_eq(trigger->ops->stop_once_more(trigger, &task), -EPERM);
}
END_TEST

START_TEST(only_a_thread_that_blocks_its_signal_cannot_be_stopped)
{
	struct prf_thread_status status = {0};

	ck_assert(!trigger->ops->cannot_stop(trigger, &status));
	status.signals_blocked = ~(1ULL << (SIGTRAP - 1));
	ck_assert(!trigger->ops->cannot_stop(trigger, &status));
	status.signals_blocked = 1ULL << (SIGTRAP - 1);
	ck_assert(trigger->ops->cannot_stop(trigger, &status));
}
END_TEST

START_TEST(what_a_thread_ran_unseen_is_known_when_it_is_dead)
{
	siginfo_t info;

	begin_child(block_as_libc_does);
	arm();
	run_unseen();
	kill(task.tid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)task.tid, &info,
				WEXITED | WNOWAIT | __WALL),
			 0);
	ck_assert_uint_ge(trigger->ops->unseen(trigger, &task),
			  UNSEEN_PERIODS / 2);
	trigger->ops->forget(trigger, &task);
	ck_assert_uint_eq(trigger->ops->unseen(trigger, &task), 0);
}
END_TEST

static int
count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

START_TEST(a_forgotten_thread_leaves_no_file_open)
{
	int before = count_files();

	begin_child(NULL);
	arm();
	ck_assert_int_eq(count_files(), before + 2);
	look(2);
	trigger->ops->forget(trigger, &task);
	ck_assert_int_eq(count_files(), before);
	trigger->ops->forget(trigger, &task);
	ck_assert_int_eq(count_files(), before);
}
END_TEST

START_TEST(some_files_are_left_to_others)
{
	const struct rlimit few = {40, 40};

	begin_child(NULL);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (int i = 0; i < 40; i++)
		if (dup(0) < 0 || trigger->ops->arm(trigger, &task, NULL, &err))
			break;
	ck_assert_int_eq(err.code, -EMFILE);
	ck_assert_int_ge(dup(0), 20);
}
END_TEST

START_TEST(a_thread_that_was_killed_is_said_to_die)
{
	begin_child(NULL);
	kill(task.tid, SIGKILL);
	prf_traced_wait(task.tid);
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err), -ESRCH);
}
END_TEST

Suite *
prf_suite(void)
{
	const struct prf_trigger_config any = {.period_ns = PERIOD_NS};
	Suite *suite = suite_create("trigger_perf");
	TCase *tcase = tcase_create("trigger_perf");
	struct prf_trigger *tried;

	if (prf_trigger_perf.open(&any, &tried, NULL))
		exit(77);
	tried->ops->close(tried);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(
		tcase,
		an_armed_thread_has_one_tick_for_each_period_that_it_runs, 0,
		2);
	tcase_add_test(tcase, the_time_of_stops_is_not_in_the_ticks);
	tcase_add_test(tcase, looks_fall_into_every_part_of_the_period);
	tcase_add_test(
		tcase,
		a_thread_that_waits_for_processors_has_looks_at_any_distance);
	tcase_add_test(tcase, a_task_clock_of_the_programs_own_is_not_ours);
	tcase_add_test(tcase, a_stop_of_the_programs_own_is_not_ours);
	tcase_add_test(
		tcase,
		a_child_that_ends_with_our_signals_number_is_the_programs);
	tcase_add_test(tcase, a_signal_that_comes_after_all_is_still_ours);
	tcase_add_test(
		tcase,
		a_thread_that_blocks_it_stops_a_last_time_with_all_that_it_is_owed);
	tcase_add_test(tcase,
		       one_that_blocks_every_signal_cannot_be_stopped_so);
	tcase_add_test(tcase,
		       only_a_thread_that_blocks_its_signal_cannot_be_stopped);
	tcase_add_test(tcase,
		       what_a_thread_ran_unseen_is_known_when_it_is_dead);
	tcase_add_test(tcase, a_forgotten_thread_leaves_no_file_open);
	tcase_add_test(tcase, some_files_are_left_to_others);
	tcase_add_test(tcase, a_thread_that_was_killed_is_said_to_die);
	suite_add_tcase(suite, tcase);
	return suite;
}
