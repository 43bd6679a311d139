#include "live/tracer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "live/proc/stat.h"
#include "support/suite.h"
#include "traced.h"
#include "watching.h"

static struct prf_watch *const watch = &prf_watching.watch;
static struct prf_task *task;

static void
wait_for_signals(void)
{
	for (;;)
		pause();
}

/* As if this process had launched it. */
static void
begin_child(void)
{
	watch->pid = prf_traced_sleeper(wait_for_signals);
	watch->first_ended = false;
	task = prf_watching_add(watch->pid);
}

static bool
is_stopped(void)
{
	return task->stopped_by;
}

static bool
goes_on(void)
{
	return !task->stopped_by;
}

static bool
has_ended(void)
{
	return watch->ended;
}

START_TEST(a_signal_reaches_the_program_and_its_end_is_told)
{
	begin_child();
	kill(watch->pid, SIGTERM);
	prf_watching_until(has_ended);
	ck_assert(watch->first_ended);
	ck_assert(WIFSIGNALED(watch->wait_status));
	ck_assert_int_eq(WTERMSIG(watch->wait_status), SIGTERM);
	ck_assert_uint_eq(prf_watching.stats.foreign, 1);
	ck_assert_uint_eq(prf_watching.recorder.n_lives[PRF_LIFE_EXIT], 1);
	ck_assert_int_eq(prf_watching.recorder.last_life.wait_status,
			 watch->wait_status);
	ck_assert(!prf_tracer_drain(watch, 0));
}
END_TEST

START_TEST(what_job_control_has_stopped_stays_so_until_it_lets_it_go_on)
{
	begin_child();
	kill(watch->pid, SIGSTOP);
	prf_watching_until(is_stopped);
	ck_assert_int_eq(task->stopped_by, SIGSTOP);
	for (int i = 0; i < 20; i++) {
		prf_tracer_drain(watch, 0);
		usleep(500);
	}
	ck_assert_int_eq(task->stopped_by, SIGSTOP);
	ck_assert(prf_watching_is_stopped(watch->pid, watch->pid));
	kill(watch->pid, SIGCONT);
	prf_watching_until(goes_on);
	ck_assert_uint_eq(task->process->went_on, 1);
	kill(watch->pid, SIGKILL);
	prf_watching_until(has_ended);
}
END_TEST

static bool
is_found(void)
{
	return prf_tasks_count(watch->tasks) == 1;
}

START_TEST(a_thread_that_nobody_has_announced_is_found_out_at_its_stop)
{
	pid_t child = prf_traced_sleeper(wait_for_signals);

	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	prf_watching_until(is_found);
	task = prf_tasks_find(watch->tasks, child);
	ck_assert_ptr_nonnull(task);
	ck_assert_int_eq(task->process->pid, child);
	ck_assert(!task->fresh);
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 1);
	ck_assert_uint_eq(prf_watching.n_armed, 1);
	kill(child, SIGKILL);
	prf_watching_to_the_end();
}
END_TEST

START_TEST(when_we_fail_what_was_launched_is_killed)
{
	begin_child();
	prf_watch_give_up(watch, -EIO, "the disk is %s", "full");
	prf_watch_give_up(watch, -ENOMEM, "not this");
	prf_watching_until(has_ended);
	ck_assert_int_eq(watch->failed, -EIO);
	ck_assert_str_eq(prf_watching.err.text, "the disk is full");
	ck_assert_int_eq(WTERMSIG(watch->wait_status), SIGKILL);
	ck_assert(!watch->leaving);
}
END_TEST

static bool
is_leaving(void)
{
	return watch->leaving;
}

START_TEST(when_we_fail_what_ran_already_is_let_go)
{
	watch->attached = true;
	task = prf_watching_add(prf_traced_sleeper(wait_for_signals));
	prf_watch_give_up(watch, -EIO, "the disk is full");
	/* It is seen at the next stop. */
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL), 0);
	prf_watching_until(is_leaving);
	ck_assert_int_eq(kill(task->tid, 0), 0);
	ck_assert_int_ne(prf_stat_read_state(task->tid, task->tid), 'Z');
}
END_TEST

static void
spin(void)
{
	for (;;)
		;
}

static uint64_t
cpu_of_child(void)
{
	uint64_t cpu_ns;

	ck_assert_int_eq(prf_clock_of_process(task->tid, &cpu_ns), 0);
	return cpu_ns;
}

static void
let_run(uint64_t ns)
{
	uint64_t end_ns = cpu_of_child() + ns;

	while (cpu_of_child() < end_ns)
		usleep(1000);
}

START_TEST(time_in_a_pause_does_not_count)
{
	const uint64_t run_ns = 50000000, pause_ns = 10 * run_ns;

	watch->pid = prf_traced_runner(spin);
	task = prf_watching_add(watch->pid);
	task->process->since = prf_usage_read(watch->pid);
	uint64_t begin_ns = cpu_of_child();
	let_run(run_ns);
	prf_tracer_pause(watch, true);
	prf_tracer_pause(watch, true);
	uint64_t counted_ns = cpu_of_child() - begin_ns;
	let_run(pause_ns);
	prf_tracer_pause(watch, false);
	kill(watch->pid, SIGKILL);
	prf_watching_to_the_end();
	ck_assert_uint_ge(watch->used.cpu_ns, run_ns);
	/* And what it ran from the last call to its end. */
	ck_assert_uint_lt(watch->used.cpu_ns, counted_ns + pause_ns);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("tracer");
	TCase *tcase = tcase_create("tracer");

	tcase_add_checked_fixture(tcase, prf_watching_set_up,
				  prf_watching_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_signal_reaches_the_program_and_its_end_is_told);
	tcase_add_test(
		tcase,
		what_job_control_has_stopped_stays_so_until_it_lets_it_go_on);
	tcase_add_test(
		tcase,
		a_thread_that_nobody_has_announced_is_found_out_at_its_stop);
	tcase_add_test(tcase, when_we_fail_what_was_launched_is_killed);
	tcase_add_test(tcase, when_we_fail_what_ran_already_is_let_go);
	tcase_add_test(tcase, time_in_a_pause_does_not_count);
	suite_add_tcase(suite, tcase);
	return suite;
}
