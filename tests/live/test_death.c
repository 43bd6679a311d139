#include "live/life/death.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/tracer.h"
#include "support/suite.h"
#include "traced.h"
#include "watching.h"

enum { NO_THREAD = 1 << 29 };

static struct prf_watch *const watch = &prf_watching.watch;
static const size_t *const n_lives = prf_watching.recorder.n_lives;

static void
sleep_for_ever(void)
{
	for (;;)
		pause();
}

static struct prf_task *
begin_child(void)
{
	struct prf_task *task =
		prf_watching_add(prf_traced_sleeper(sleep_for_ever));

	prf_watching_arm(task);
	return task;
}

START_TEST(a_thread_that_was_killed_before_it_ran_has_no_end)
{
	struct prf_task *first = begin_child();
	struct prf_task *second =
		prf_tasks_add(watch->tasks, NO_THREAD, first->process);

	prf_death_account(watch, NO_THREAD);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 0);
	second->fresh = false;
	prf_death_account(watch, NO_THREAD);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 1);
	prf_death_account(watch, NO_THREAD + 1);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 1);
}
END_TEST

START_TEST(what_a_dead_process_has_used_is_read_before_it_is_reaped)
{
	struct prf_task *task = begin_child();
	siginfo_t info;

	kill(task->tid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)task->tid, &info,
				WEXITED | WNOWAIT | __WALL),
			 0);
	prf_death_account(watch, task->tid);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 1);
	ck_assert_uint_gt(prf_watching.recorder.last_life.cpu_ns, 0);
	ck_assert_uint_gt(task->process->used.cpu_ns, 0);
	prf_watching_to_the_end();
	ck_assert_uint_gt(watch->used.cpu_ns, 0);
	ck_assert_uint_eq(n_lives[PRF_LIFE_EXIT], 1);
	ck_assert_uint_eq(prf_watching.n_forgotten, 1);
}
END_TEST

START_TEST(the_last_thread_that_is_let_go_takes_its_process_along)
{
	struct prf_task *task = begin_child();
	pid_t child = task->tid;

	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert(WIFSTOPPED(prf_traced_wait(child)));
	prf_death_let_go(watch, task);
	ck_assert_int_eq(prf_watching_tracer_of(child), 0);
	ck_assert_uint_eq(watch->processes.n, 0);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 1);
	ck_assert_uint_eq(n_lives[PRF_LIFE_LEAVE], 1);
	ck_assert_uint_eq(prf_watching.n_forgotten, 1);
}
END_TEST

START_TEST(what_is_lost_in_a_pause_is_told_as_the_pauses)
{
	const struct prf_task *task = begin_child();

	prf_watching.n_unseen = 3;
	watch->paused = _i;
	prf_death_note_unseen(watch, task);
	ck_assert_uint_eq(watch->stats->unseen, _i ? 0 : 3);
	ck_assert_uint_eq(watch->stats->paused, _i ? 3 : 0);
}
END_TEST

START_TEST(time_without_ticks_is_that_since_counting_began)
{
	const struct prf_unseen_program *row =
		&watch->stats->unseen_of.programs[0];
	struct prf_task *task = begin_child();

	prf_tracer_pause(watch, true);
	task->process->ticks = 100;
	prf_tracer_pause(watch, false);
	task->process->ticks += 2;
	kill(task->tid, SIGKILL);
	prf_watching_to_the_end();
	ck_assert_uint_eq(row->n_processes, 1);
	ck_assert_uint_eq(row->ticks, 2);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("death");
	TCase *tcase = tcase_create("death");

	tcase_add_checked_fixture(tcase, prf_watching_set_up,
				  prf_watching_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase,
		       a_thread_that_was_killed_before_it_ran_has_no_end);
	tcase_add_test(
		tcase,
		what_a_dead_process_has_used_is_read_before_it_is_reaped);
	tcase_add_test(tcase,
		       the_last_thread_that_is_let_go_takes_its_process_along);
	tcase_add_loop_test(
		tcase, what_is_lost_in_a_pause_is_told_as_the_pauses, 0, 2);
	tcase_add_test(tcase, time_without_ticks_is_that_since_counting_began);
	suite_add_tcase(suite, tcase);
	return suite;
}
