#include "live/life/begin.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "support/suite.h"
#include "traced.h"
#include "uring_worker.h"

enum { THREADS = 100, FIRST_TID = 1 << 29 };

/* Two triggers: the first needs a stopped thread, and its signal can be blocked;
 * the last needs nothing. */
static int n_armed, n_stopped;

static int
arm_first(struct prf_trigger *trigger, struct prf_task *task,
	  const struct prf_stopped *by, struct prf_error *err)
{
	(void)trigger;
	(void)task;
	if (!by)
		return prf_error_set(err, -EAGAIN, "none is stopped");
	n_armed++;
	return 0;
}

static int
arm_last(struct prf_trigger *trigger, struct prf_task *task,
	 const struct prf_stopped *by, struct prf_error *err)
{
	(void)trigger;
	(void)task;
	(void)by;
	(void)err;
	n_stopped++;
	return 0;
}

static void
forget(struct prf_trigger *trigger, struct prf_task *task)
{
	(void)trigger;
	(void)task;
}

static uint32_t
unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	(void)trigger;
	(void)task;
	return 0;
}

static bool
is_blocked(const struct prf_trigger *trigger,
	   const struct prf_thread_status *status)
{
	(void)trigger;
	return status->signals_blocked;
}

static bool
stops_all(const struct prf_trigger *trigger,
	  const struct prf_thread_status *status)
{
	(void)trigger;
	(void)status;
	return false;
}

static const struct prf_trigger_ops first_ops = {
	.arm = arm_first,
	.forget = forget,
	.unseen = unseen,
	.cannot_stop = is_blocked,
};
static const struct prf_trigger_ops last_ops = {
	.arm = arm_last,
	.forget = forget,
	.unseen = unseen,
	.cannot_stop = stops_all,
};
static struct prf_trigger first = {&first_ops}, last = {&last_ops};
static struct prf_sampler_stats stats;
static struct prf_watch watch;
static struct prf_process *process;
static struct prf_task *stopped;

/* A process of a thread that is stopped, and of others that nobody asks after. */
static void
set_up(void)
{
	struct prf_regs regs;
	pid_t child = prf_traced_spinner(NULL, &regs);

	n_armed = n_stopped = 0;
	stats = (struct prf_sampler_stats){0};
	watch = (struct prf_watch){
		.stats = &stats,
		.triggers = {&first, &last},
		.n_triggers = 2,
		.tasks = prf_tasks_new(),
	};
	ck_assert_ptr_nonnull(watch.tasks);
	process = prf_processes_add(&watch.processes, child);
	stopped = prf_tasks_add(watch.tasks, child, process);
	stopped->fresh = false;
	for (int i = 1; i < THREADS; i++)
		prf_tasks_add(watch.tasks, FIRST_TID + i, process)->fresh =
			false;
}

static void
tear_down(void)
{
	prf_tasks_free(watch.tasks);
	prf_processes_clear(&watch.processes);
}

static void
arm_each(void *arg, struct prf_task *task)
{
	ck_assert_int_eq(prf_begin_arm(arg, task, NULL), 0);
	ck_assert_ptr_eq(task->trigger, &last);
}

static void
check_has_first(void *arg, struct prf_task *task)
{
	(void)arg;
	ck_assert_ptr_eq(task->trigger, &first);
}

START_TEST(a_stop_is_long_enough_for_some_threads_and_the_one_that_is_stopped)
{
	int n_stops = 0;

	prf_tasks_each_of(process, arm_each, &watch);
	ck_assert(process->waits_for_stop);
	prf_begin_improve(&watch, stopped);
	ck_assert_ptr_eq(stopped->trigger, &first);
	ck_assert_int_gt(n_armed, 1);
	ck_assert_int_lt(n_armed, THREADS / 2);
	for (; process->waits_for_stop && n_stops < THREADS; n_stops++)
		prf_begin_improve(&watch, stopped);
	ck_assert_int_eq(n_armed, THREADS);
	prf_tasks_each_of(process, check_has_first, NULL);
}
END_TEST

START_TEST(a_worker_of_the_kernels_makes_no_call_for_others)
{
	struct prf_regs regs;
	pid_t child = prf_traced_spinner(prf_uring_begin_worker, &regs);
	pid_t tid = prf_uring_worker_of(child);

	if (!tid || ptrace(PTRACE_SEIZE, tid, NULL, NULL) ||
	    ptrace(PTRACE_INTERRUPT, tid, NULL, NULL))
		return;
	prf_traced_wait(tid);
	struct prf_task *worker = prf_tasks_add(watch.tasks, tid, process);
	prf_tasks_each_of(process, arm_each, &watch);
	prf_begin_improve(&watch, worker);
	ck_assert_int_eq(n_armed, 0);
	ck_assert(process->waits_for_stop);
	prf_begin_improve(&watch, stopped);
	ck_assert_ptr_eq(stopped->trigger, &first);
}
END_TEST

START_TEST(who_takes_every_signal_is_sent_none)
{
	const struct prf_stopped by = {.tid = stopped->tid};

	process->takes_signals = true;
	ck_assert_int_eq(prf_begin_arm(&watch, stopped, &by), 0);
	ck_assert_ptr_eq(stopped->trigger, &last);
	ck_assert_ptr_nonnull(strstr(stats.fallback_reason, "valgrind"));
	/* And where the first may try again. */
	stopped->waits_for_stop = process->waits_for_stop = true;
	prf_begin_improve(&watch, stopped);
	ck_assert_ptr_eq(stopped->trigger, &last);
	ck_assert_int_eq(n_armed, 0);
}
END_TEST

START_TEST(a_thread_whose_mask_is_known_has_a_trigger_that_it_does_not_block)
{
	const struct prf_stopped by = {.tid = stopped->tid};

	stopped->signals_blocked = 1;
	ck_assert_int_eq(prf_begin_arm(&watch, stopped, &by), 0);
	ck_assert_ptr_eq(stopped->trigger, &last);
	ck_assert_int_eq(n_armed, 0);
	ck_assert_ptr_nonnull(strstr(stats.fallback_reason, "blocks"));
}
END_TEST

START_TEST(a_spare_trigger_is_for_threads_alone_that_block)
{
	const struct prf_stopped by = {.tid = stopped->tid};

	watch.n_spare = 1;
	ck_assert_int_eq(prf_begin_arm(&watch, stopped, NULL), -EAGAIN);
	ck_assert_ptr_null(stopped->trigger);
	stopped->signals_blocked = 1;
	ck_assert_int_eq(prf_begin_arm(&watch, stopped, &by), 0);
	ck_assert_ptr_eq(stopped->trigger, &last);
}
END_TEST

START_TEST(what_a_thread_ran_before_is_not_what_a_trigger_owes_it)
{
	const struct prf_stopped by = {.tid = stopped->tid};
	struct prf_task *young = prf_tasks_find(watch.tasks, FIRST_TID + 1);
	uint64_t cpu_ns;

	young->creator = stopped->tid;
	ck_assert_int_eq(prf_begin_arm(&watch, young, NULL), 0);
	ck_assert_uint_eq(young->checked_cpu_ns, 1);
	ck_assert_int_eq(prf_begin_arm(&watch, stopped, &by), 0);
	ck_assert_int_eq(
		prf_schedstat_read_cpu(stopped->tid, stopped->tid, &cpu_ns), 0);
	ck_assert_uint_eq(stopped->checked_cpu_ns, cpu_ns);
	ck_assert_uint_eq(stopped->mask_cpu_ns, cpu_ns);
}
END_TEST

static void
block_one(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

START_TEST(a_new_program_has_the_mask_of_the_one_before)
{
	struct prf_regs regs;
	pid_t child = prf_traced_spinner(block_one, &regs);
	struct prf_task *task = prf_tasks_add(
		watch.tasks, child, prf_processes_add(&watch.processes, child));

	prf_begin_program(&watch, task);
	ck_assert_ptr_eq(task->trigger, &last);
	ck_assert_int_eq(n_armed, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("begin");
	TCase *tcase = tcase_create("begin");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(
		tcase,
		a_stop_is_long_enough_for_some_threads_and_the_one_that_is_stopped);
	tcase_add_test(tcase, a_worker_of_the_kernels_makes_no_call_for_others);
	tcase_add_test(
		tcase,
		a_thread_whose_mask_is_known_has_a_trigger_that_it_does_not_block);
	tcase_add_test(tcase, a_spare_trigger_is_for_threads_alone_that_block);
	tcase_add_test(tcase,
		       what_a_thread_ran_before_is_not_what_a_trigger_owes_it);
	tcase_add_test(tcase, a_new_program_has_the_mask_of_the_one_before);
	tcase_add_test(tcase, who_takes_every_signal_is_sent_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
