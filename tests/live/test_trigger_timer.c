#include "live/trigger/triggers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/kept.h"
#include "live/stopped/inject.h"
#include "live/proc/procfs.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "support/suite.h"
#include "traced.h"

enum { PERIOD_NS = 10000000, TIMER_SIGNAL = 33 };

static struct prf_trigger *trigger;
static struct prf_process process;
static struct prf_task task;
static struct prf_regs regs;
static struct prf_error err;

static void
open_trigger(bool attached)
{
	struct prf_trigger_config config = {
		.period_ns = PERIOD_NS,
		.attached = attached,
		.seed = 1,
	};

	memset(&err, 0, sizeof err);
	ck_assert_int_eq(prf_trigger_timer.open(&config, &trigger, &err), 0);
}

static void
set_up(void)
{
	open_trigger(false);
}

static void
tear_down(void)
{
	prf_kept_clear(&task.kept);
	prf_kept_clear(&process.kept);
	trigger->ops->close(trigger);
}

static void
begin_child(void (*run)(void))
{
	pid_t child = prf_traced_spinner(run, &regs);

	process = (struct prf_process){
		.pid = child,
		.syscall_insn = prf_inject_find_insn(child),
		.addr_bytes = 8,
	};
	task = (struct prf_task){
		.tid = child,
		.process = &process,
	};
}

static int
arm(void)
{
	const struct prf_stopped by = {.tid = task.tid, .regs = regs};

	return trigger->ops->arm(trigger, &task, &by, &err);
}

static struct prf_stop
go(int signal)
{
	return prf_stop_of_wait(task.tid, prf_traced_go(task.tid, signal));
}

/* Where it has to share a processor, single ticks of the kernel's may stand for
 * more than it has run, and later ones then for less. */
START_TEST(an_armed_thread_stops_by_itself_once_a_period)
{
	uint64_t before_ns, after_ns;
	uint32_t ticks = 0;

	begin_child(NULL);
	ck_assert_msg(arm() == 0, "%s", err.text);
	ck_assert_int_eq(prf_schedstat_read_cpu(task.tid, task.tid, &before_ns),
			 0);
	for (int i = 0; i < 60; i++) {
		struct prf_stop stop = go(0);
		struct prf_claim claim =
			trigger->ops->claim(trigger, &task, &stop);

		ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
		ck_assert_int_eq(stop.signal, TIMER_SIGNAL);
		ck_assert(claim.ours);
		ck_assert_uint_ge(claim.ticks, 1);
		ticks +=
			trigger->ops->weigh(trigger, &task, false, claim.ticks);
	}
	ck_assert_int_eq(prf_schedstat_read_cpu(task.tid, task.tid, &after_ns),
			 0);
	double expected = (double)(after_ns - before_ns) / PERIOD_NS;
	ck_assert_double_eq_tol(ticks, expected, 6);
}
END_TEST

START_TEST(a_stop_of_the_programs_own_is_not_ours)
{
	static const int signals[] = {SIGUSR1, SIGPROF, TIMER_SIGNAL};

	begin_child(NULL);
	for (int i = 0; i < 3; i++) {
		syscall(SYS_tgkill, task.tid, task.tid, signals[i]);
		struct prf_stop stop = go(0);
		ck_assert_int_eq(stop.signal, signals[i]);
		ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
	}
	kill(task.tid, SIGSTOP);
	struct prf_stop stop = go(0);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
	stop = go(SIGSTOP);
	ck_assert_int_eq(stop.kind, PRF_STOP_GROUP);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
}
END_TEST

/* As the program might have one.  On a machine of whatever speed it comes when the
 * program has arrived where it spins. */
static void
make_own_timer(void)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = TIMER_SIGNAL,
		.sigev_value.sival_int = 1,
	};
	struct itimerspec soon = {{0, 20000000}, {0, 20000000}};
	int id;

	/* By the call: libc keeps the signal for itself. */
	if (syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &id) ||
	    syscall(SYS_timer_settime, id, 0, &soon, NULL))
		_exit(1);
}

START_TEST(a_timer_of_the_programs_own_with_the_same_signal_is_not_ours)
{
	begin_child(make_own_timer);
	struct prf_stop stop = go(0);

	/* It may have come before the stop that was asked for. */
	if (stop.kind == PRF_STOP_TRAP)
		stop = go(0);
	ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, TIMER_SIGNAL);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
}
END_TEST

static volatile pid_t *offspring;

/* It tells of its end by the timers' signal, and nobody follows it. */
static void
make_offspring(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, TIMER_SIGNAL, 0, 0, 0, 0);

	if (pid == 0)
		for (;;)
			pause();
	*offspring = pid;
}

START_TEST(the_end_of_a_child_that_is_told_by_the_same_signal_is_not_ours)
{
	siginfo_t info;

	offspring = mmap(NULL, sizeof *offspring, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)offspring, MAP_FAILED);
	prf_traced_options = PTRACE_O_TRACESYSGOOD;
	begin_child(make_offspring);
	ck_assert_int_gt(*offspring, 0);
	kill(*offspring, SIGKILL);
	struct prf_stop stop = go(0);
	ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, TIMER_SIGNAL);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, task.tid, NULL, &info), 0);
	ck_assert_int_eq(info.si_code, CLD_KILLED);
	ck_assert(!trigger->ops->claim(trigger, &task, &stop).ours);
}
END_TEST

START_TEST(what_cannot_be_armed_is_left_as_it_was)
{
	begin_child(NULL);
	process.addr_bytes = 4;
	ck_assert_int_eq(arm(), -ENOSYS);
	ck_assert_ptr_nonnull(strstr(err.text, "32-bit"));
	process.addr_bytes = 8;
	process.syscall_insn = 0;
	ck_assert_int_eq(arm(), -ENOSYS);
	ck_assert_ptr_nonnull(strstr(err.text, "vDSO"));
}
END_TEST

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#define GET_DISPATCH 0x4211
enum { DISPATCH_OFF, DISPATCH_ON };
static volatile char selector;

static void
dispatch_calls(void)
{
	selector = 0; /* ALLOW; and its page is there */
	prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, 0, 0, &selector);
}

static void
dispatch_calls_from_now_on(void)
{
	dispatch_calls();
	selector = 1; /* BLOCK */
}

/* Each call would be a SIGSYS. */
START_TEST(who_takes_system_calls_for_its_own_is_not_made_to_call)
{
	uint64_t dispatch[4];

	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_OFF, 0, 0, 0))
		prf_skip("system calls cannot be dispatched");
	begin_child(dispatch_calls);
	if (ptrace(GET_DISPATCH, task.tid, (void *)sizeof dispatch, dispatch))
		prf_skip("the kernel does not tell of dispatch");
	ck_assert_int_eq(arm(), 0);
	prf_kept_clear(&task.kept);
	prf_kept_clear(&process.kept);
	begin_child(dispatch_calls_from_now_on);
	ck_assert_int_eq(arm(), -EPERM);
	ck_assert_ptr_nonnull(strstr(err.text, "dispatched to itself"));
	const struct prf_stopped by = {.tid = task.tid, .regs = regs};
	ck_assert_int_eq(trigger->ops->sweep(trigger, &process, &by), -EPERM);
}
END_TEST

START_TEST(a_thread_that_was_killed_is_said_to_die)
{
	begin_child(NULL);
	kill(task.tid, SIGKILL);
	ck_assert_int_eq(arm(), -ESRCH);
	prf_traced_wait(task.tid);
	ck_assert_int_eq(arm(), -ESRCH);
}
END_TEST

/* How many timers the child has, as the kernel lists them. */
static size_t
count_timers(void)
{
	char path[64];
	size_t n = 0, size;

	snprintf(path, sizeof path, "/proc/%d/timers", task.tid);
	char *text = prf_procfs_slurp(path, &size);
	ck_assert_ptr_nonnull(text);
	for (const char *at = text; (at = strstr(at, "ID: ")); at++)
		n += at == text || at[-1] == '\n';
	free(text);
	return n;
}

START_TEST(nothing_is_left_in_a_process_that_was_swept)
{
	begin_child(NULL);
	const struct prf_stopped by = {.tid = task.tid, .regs = regs};

	ck_assert_uint_eq(count_timers(), 0);
	ck_assert_int_eq(arm(), 0);
	trigger->ops->forget(trigger, &task);
	ck_assert_int_eq(arm(), 0);
	ck_assert_uint_eq(count_timers(), 2);
	ck_assert(trigger->ops->has_leftovers(trigger, &process));
	task.trigger = trigger;
	process.tasks = &task;
	ck_assert_int_eq(trigger->ops->sweep(trigger, &process, &by), 0);
	ck_assert_uint_eq(count_timers(), 0);
	ck_assert(!trigger->ops->has_leftovers(trigger, &process));
}
END_TEST

/* N threads after each other; how many timers are left of them. */
static size_t
idle_after(int n)
{
	begin_child(NULL);
	for (int i = 0; i < n; i++) {
		ck_assert_int_eq(arm(), 0);
		trigger->ops->forget(trigger, &task);
	}
	return count_timers();
}

START_TEST(timers_of_ended_threads_do_not_pile_up)
{
	struct rlimit pending;

	ck_assert_int_eq(getrlimit(RLIMIT_SIGPENDING, &pending), 0);
	size_t most =
		pending.rlim_cur < 16 * 4096 ? pending.rlim_cur / 16 : 4096;
	size_t n = idle_after((int)most + 100);

	ck_assert_uint_ge(n, most);
	ck_assert_uint_lt(n, most + 10);
}
END_TEST

START_TEST(fewer_are_left_in_a_program_that_may_be_left_to_itself)
{
	tear_down();
	open_trigger(true);
	ck_assert_uint_lt(idle_after(300), 100);
}
END_TEST

static int
tidy(void)
{
	const struct prf_stopped by = {.tid = task.tid, .regs = regs};

	return trigger->ops->tidy(trigger, &process, &by);
}

/* N threads, each of which has a timer when another trigger gets it. */
static void
give_away(int n)
{
	for (int i = 0; i < n; i++) {
		ck_assert_int_eq(arm(), 0);
		task.holds_ours = 1;
		trigger->ops->forget(trigger, &task);
		task.holds_ours = 0;
	}
}

/* They tick on: it is not for their number that they go. */
START_TEST(timers_of_threads_that_live_all_go_in_a_few_stops)
{
	int rc;

	begin_child(NULL);
	ck_assert_int_eq(arm(), 0);
	trigger->ops->forget(trigger, &task);
	ck_assert(!process.untidy);
	give_away(20);
	ck_assert(process.untidy);
	rc = tidy();
	ck_assert_int_eq(rc, -EAGAIN);
	ck_assert_uint_lt(count_timers(), 1 + 20);
	for (int i = 0; i < 20 && rc == -EAGAIN; i++)
		rc = tidy();
	ck_assert_int_eq(rc, 0);
	/* That of a thread that has ended can wait. */
	ck_assert_uint_eq(count_timers(), 1);
}
END_TEST

START_TEST(those_that_are_still_there_are_swept_too)
{
	begin_child(NULL);
	give_away(2);
	const struct prf_stopped by = {.tid = task.tid, .regs = regs};

	ck_assert(trigger->ops->has_leftovers(trigger, &process));
	ck_assert_int_eq(trigger->ops->sweep(trigger, &process, &by), 0);
	ck_assert_uint_eq(count_timers(), 0);
	ck_assert(!trigger->ops->has_leftovers(trigger, &process));
}
END_TEST

START_TEST(what_cannot_be_tidied_is_not_tried_for_ever)
{
	int n = 0;

	begin_child(NULL);
	give_away(2);
	uint64_t insn = process.syscall_insn;
	process.syscall_insn = 0;
	ck_assert_int_ne(tidy(), 0);
	process.syscall_insn = insn;
	ck_assert_int_eq(tidy(), 0);
	ck_assert_uint_eq(count_timers(), 0);
	give_away(1);
	process.syscall_insn = 0;
	while (tidy())
		ck_assert_int_lt(++n, 10);
	ck_assert_uint_eq(count_timers(), 1);
}
END_TEST

START_TEST(nobody_stopped_is_asked_to_wait)
{
	begin_child(NULL);
	ck_assert_int_eq(trigger->ops->arm(trigger, &task, NULL, &err),
			 -EAGAIN);
}
END_TEST

static void
nothing(int number)
{
	(void)number;
}

static void
catch_urgent(void)
{
	signal(SIGURG, nothing);
}

/* The first stop of a child that calls RUN, as a program that is attached to. */
static struct prf_claim
first_claim_attached(void (*run)(void))
{
	tear_down();
	open_trigger(true);
	begin_child(run);
	ck_assert_msg(arm() == 0, "%s", err.text);
	struct prf_stop stop = go(0);
	struct prf_claim claim = trigger->ops->claim(trigger, &task, &stop);
	ck_assert_int_eq(stop.signal, SIGURG);
	ck_assert(claim.ours);
	return claim;
}

/* One of its own may have been lost beside ours. */
START_TEST(who_catches_the_signal_of_its_timer_gets_it_as_the_kernels)
{
	siginfo_t info;

	ck_assert_int_eq(first_claim_attached(NULL).pass_on, 0);
	ck_assert_int_eq(first_claim_attached(catch_urgent).pass_on, SIGURG);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, task.tid, NULL, &info), 0);
	ck_assert_int_eq(info.si_code, SI_KERNEL);
}
END_TEST

START_TEST(only_a_thread_that_blocks_its_signal_cannot_be_stopped)
{
	struct prf_thread_status status = {0};

	ck_assert(!trigger->ops->cannot_stop(trigger, &status));
	status.signals_blocked = ~(1ULL << (TIMER_SIGNAL - 1));
	ck_assert(!trigger->ops->cannot_stop(trigger, &status));
	status.signals_blocked = 1ULL << (TIMER_SIGNAL - 1);
	ck_assert(trigger->ops->cannot_stop(trigger, &status));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("trigger_timer");
	TCase *tcase = tcase_create("trigger_timer");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, an_armed_thread_stops_by_itself_once_a_period);
	tcase_add_test(tcase, a_stop_of_the_programs_own_is_not_ours);
	tcase_add_test(
		tcase,
		a_timer_of_the_programs_own_with_the_same_signal_is_not_ours);
	tcase_add_test(
		tcase,
		the_end_of_a_child_that_is_told_by_the_same_signal_is_not_ours);
	tcase_add_test(tcase, what_cannot_be_armed_is_left_as_it_was);
	tcase_add_test(tcase,
		       who_takes_system_calls_for_its_own_is_not_made_to_call);
	tcase_add_test(tcase, a_thread_that_was_killed_is_said_to_die);
	tcase_add_test(tcase, nothing_is_left_in_a_process_that_was_swept);
	tcase_add_test(tcase, timers_of_ended_threads_do_not_pile_up);
	tcase_add_test(tcase,
		       fewer_are_left_in_a_program_that_may_be_left_to_itself);
	tcase_add_test(tcase,
		       timers_of_threads_that_live_all_go_in_a_few_stops);
	tcase_add_test(tcase, those_that_are_still_there_are_swept_too);
	tcase_add_test(tcase, what_cannot_be_tidied_is_not_tried_for_ever);
	tcase_add_test(tcase, nobody_stopped_is_asked_to_wait);
	tcase_add_test(
		tcase,
		who_catches_the_signal_of_its_timer_gets_it_as_the_kernels);
	tcase_add_test(tcase,
		       only_a_thread_that_blocks_its_signal_cannot_be_stopped);
	suite_add_tcase(suite, tcase);
	return suite;
}
