#include "live/trigger/check.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "support/suite.h"

enum { PERIOD_NS = 1000000 };

/* Two triggers that do nothing but say so, for a tracer of this very process:
 * it blocks no signal, so whether its trigger can stop it is said here. */
static bool out_of_reach, libc_can_block;
static int n_forgotten, n_armed, arm_answer;

static int
arm(struct prf_trigger *trigger, struct prf_task *task,
    const struct prf_stopped *by, struct prf_error *err)
{
	(void)trigger;
	(void)task;
	(void)by;
	(void)err;
	n_armed++;
	return arm_answer;
}

static void
forget(struct prf_trigger *trigger, struct prf_task *task)
{
	(void)trigger;
	(void)task;
	n_forgotten++;
}

static bool
cannot_stop(const struct prf_trigger *trigger,
	    const struct prf_thread_status *status)
{
	(void)trigger;
	/* Of a mask that is made up, it is asked what libc can do. */
	return status->signals_blocked ? libc_can_block : out_of_reach;
}

static const struct prf_trigger_ops ops = {
	.arm = arm,
	.forget = forget,
	.cannot_stop = cannot_stop,
};
static struct prf_trigger first = {&ops}, last = {&ops};
static struct prf_sampler_stats stats;
static const struct prf_sampler_config config = {.period_ns = PERIOD_NS};
static struct prf_watch watch;
static struct prf_task *task;

static void
burn(unsigned n_periods)
{
	uint64_t end_ns = prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) +
			  (uint64_t)n_periods * PERIOD_NS;

	while (prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end_ns)
		;
}

/* Until the kernel has counted more of this thread's time. */
static void
run_on(void)
{
	uint64_t before_ns, now_ns;

	ck_assert_int_eq(prf_schedstat_read_cpu(getpid(), getpid(), &before_ns),
			 0);
	do
		ck_assert_int_eq(
			prf_schedstat_read_cpu(getpid(), getpid(), &now_ns), 0);
	while (now_ns == before_ns);
}

static void
set_up(void)
{
	watch = (struct prf_watch){
		.pid = getpid(),
		.config = &config,
		.stats = &stats,
		.triggers = {&first, &last},
		.n_triggers = 2,
		.tasks = prf_tasks_new(),
	};
	ck_assert_ptr_nonnull(watch.tasks);
	struct prf_process *process =
		prf_processes_add(&watch.processes, getpid());
	ck_assert_ptr_nonnull(process);
	task = prf_tasks_add(watch.tasks, getpid(), process);
	task->trigger = &first;
	out_of_reach = true;
	/* What came before does not count. */
	burn(20);
	prf_check_threads(&watch, true);
	task->trigger = &first;
	libc_can_block = false;
	n_forgotten = n_armed = 0;
	arm_answer = 0;
	stats = (struct prf_sampler_stats){0};
}

static void
tear_down(void)
{
	prf_tasks_free(watch.tasks);
	prf_processes_clear(&watch.processes);
}

START_TEST(it_looks_soon_after_many_ticks_can_be_missing)
{
	ck_assert_int_eq(prf_check_every_ms(10000000), 50);
	ck_assert_int_eq(prf_check_every_ms(5000000), 25);
	/* But wakes nobody all the time. */
	ck_assert_int_eq(prf_check_every_ms(1000000), 20);
	ck_assert_int_eq(prf_check_every_ms(100000), 20);
	ck_assert_int_eq(prf_check_every_ms(1000000000), 1000);
}
END_TEST

START_TEST(
	a_thread_that_blocks_its_signal_and_runs_unseen_gets_the_last_trigger)
{
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &last);
	ck_assert_int_eq(n_forgotten, 1);
	ck_assert_int_eq(n_armed, 1);
	ck_assert_uint_eq(stats.trigger[1].threads, 1);
	ck_assert_ptr_nonnull(strstr(stats.fallback_reason, "blocks"));
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_int_eq(n_armed, 1);
}
END_TEST

START_TEST(its_time_since_the_last_check_is_still_to_be_charged)
{
	uint64_t cpu_ns;

	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_int_eq(prf_schedstat_read_cpu(getpid(), getpid(), &cpu_ns),
			 0);
	ck_assert_uint_ge(cpu_ns - task->owed_from_ns, 45ull * PERIOD_NS);
}
END_TEST

START_TEST(a_thread_that_hears_is_left_to_its_trigger)
{
	out_of_reach = false;
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &first);
	ck_assert_int_eq(n_forgotten, 0);
}
END_TEST

START_TEST(a_thread_that_ticks_is_left_to_its_trigger)
{
	burn(50);
	task->ticks = 50;
	stats.ticks = 50;
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &first);
	/* And if others are missing, too. */
	burn(50);
	task->ticks = 51;
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &first);
}
END_TEST

START_TEST(missing_ticks_add_up)
{
	for (int i = 0; i < 3; i++) {
		burn(2);
		prf_check_threads(&watch, true);
		ck_assert_ptr_eq(task->trigger, &first);
	}
	burn(6);
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &last);
}
END_TEST

START_TEST(a_few_missing_among_many_are_enough)
{
	burn(100);
	task->process->ticks += 85;
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &last);
}
END_TEST

START_TEST(ticks_that_were_too_many_make_up_for_none)
{
	burn(10);
	task->process->ticks += 1000;
	prf_check_threads(&watch, true);
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &last);
}
END_TEST

START_TEST(a_thread_that_hardly_runs_is_left_to_its_trigger)
{
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &first);
}
END_TEST

START_TEST(the_only_trigger_keeps_what_it_has)
{
	watch.n_triggers = 1;
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &first);
}
END_TEST

START_TEST(a_thread_that_no_trigger_can_have_is_counted)
{
	arm_answer = -EACCES;
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_ptr_null(task->trigger);
	ck_assert_uint_eq(stats.unarmed, 1);
	burn(50);
	prf_check_threads(&watch, true);
	ck_assert_uint_eq(stats.unarmed, 1);
}
END_TEST

/* As it may be in the middle of a call of libc. */
START_TEST(where_libc_can_block_the_signal_four_masks_are_enough)
{
	/* No tick is missing by then. */
	const struct prf_sampler_config slow = {
		.period_ns = 1000 * (uint64_t)PERIOD_NS,
	};

	watch.config = &slow;
	libc_can_block = true;
	for (int i = 0; i < 3; i++) {
		run_on();
		prf_check_threads(&watch, true);
		ck_assert_ptr_eq(task->trigger, &first);
	}
	run_on();
	prf_check_threads(&watch, true);
	ck_assert_ptr_eq(task->trigger, &last);
	ck_assert_int_eq(n_armed, 1);
}
END_TEST

START_TEST(its_time_before_the_first_of_them_is_still_to_be_charged)
{
	uint64_t cpu_ns;

	libc_can_block = true;
	for (int i = 0; i < 4; i++) {
		burn(2);
		prf_check_threads(&watch, true);
	}
	ck_assert_ptr_eq(task->trigger, &last);
	ck_assert_int_eq(prf_schedstat_read_cpu(getpid(), getpid(), &cpu_ns),
			 0);
	ck_assert_uint_ne(task->owed_from_ns, 0);
	ck_assert_uint_ge(cpu_ns - task->owed_from_ns, 7ull * PERIOD_NS);
}
END_TEST

/* It may wait for a processor in that very call. */
START_TEST(a_thread_that_has_not_run_since_is_not_condemned)
{
	libc_can_block = true;
	pid_t still = fork();

	ck_assert_int_ge(still, 0);
	if (still == 0)
		for (;;)
			pause();
	struct prf_process *process =
		prf_processes_add(&watch.processes, still);
	ck_assert_ptr_nonnull(process);
	struct prf_task *waiting = prf_tasks_add(watch.tasks, still, process);
	waiting->trigger = &first;
	siginfo_t info;
	kill(still, SIGSTOP);
	ck_assert_int_eq(waitid(P_PID, (id_t)still, &info, WSTOPPED), 0);
	for (int i = 0; i < 4; i++)
		prf_check_threads(&watch, true);
	ck_assert_int_eq(waiting->n_blocked, 1);
	ck_assert_ptr_eq(waiting->trigger, &first);
	kill(still, SIGKILL);
	ck_assert_int_eq(waitpid(still, NULL, 0), still);
}
END_TEST

/* Between two moments in which a C library blocks all signals. */
START_TEST(a_thread_with_ticks_in_between_is_let_be)
{
	libc_can_block = true;
	for (int i = 0; i < 8; i++) {
		burn(1);
		task->ticks++;
		prf_check_threads(&watch, true);
		ck_assert_ptr_eq(task->trigger, &first);
	}
}
END_TEST

START_TEST(a_signal_that_was_blocked_for_a_moment_is_let_be)
{
	libc_can_block = true;
	for (int i = 0; i < 4; i++) {
		burn(2);
		out_of_reach = i % 2 == 0;
		prf_check_threads(&watch, true);
		ck_assert_ptr_eq(task->trigger, &first);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("check");
	TCase *tcase = tcase_create("check");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, it_looks_soon_after_many_ticks_can_be_missing);
	tcase_add_test(
		tcase,
		a_thread_that_blocks_its_signal_and_runs_unseen_gets_the_last_trigger);
	tcase_add_test(tcase,
		       its_time_since_the_last_check_is_still_to_be_charged);
	tcase_add_test(tcase, a_thread_that_hears_is_left_to_its_trigger);
	tcase_add_test(tcase, a_thread_that_ticks_is_left_to_its_trigger);
	tcase_add_test(tcase, missing_ticks_add_up);
	tcase_add_test(tcase, a_few_missing_among_many_are_enough);
	tcase_add_test(tcase, ticks_that_were_too_many_make_up_for_none);
	tcase_add_test(tcase, a_thread_that_hardly_runs_is_left_to_its_trigger);
	tcase_add_test(tcase, the_only_trigger_keeps_what_it_has);
	tcase_add_test(tcase, a_thread_that_no_trigger_can_have_is_counted);
	tcase_add_test(tcase,
		       where_libc_can_block_the_signal_four_masks_are_enough);
	tcase_add_test(
		tcase,
		its_time_before_the_first_of_them_is_still_to_be_charged);
	tcase_add_test(tcase, a_thread_that_has_not_run_since_is_not_condemned);
	tcase_add_test(tcase, a_thread_with_ticks_in_between_is_let_be);
	tcase_add_test(tcase, a_signal_that_was_blocked_for_a_moment_is_let_be);
	suite_add_tcase(suite, tcase);
	return suite;
}
