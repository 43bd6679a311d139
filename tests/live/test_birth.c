#include "live/life/birth.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/stat.h"
#include "support/suite.h"
#include "traced.h"
#include "watching.h"

/* Children of these tests end by themselves, and the run with them. */

static struct prf_watch *const watch = &prf_watching.watch;
static const size_t *const n_lives = prf_watching.recorder.n_lives;
static struct prf_task *task;

static void
set_up(void)
{
	prf_watching_set_up();
	prf_traced_options = watch->options;
}

/* CHILD, which waits for SIGUSR1 to do what it is there for, may do so. */
static void
watch_child(pid_t child)
{
	watch->pid = child;
	task = prf_watching_add(child);
	kill(child, SIGUSR1);
}

static void
wait_for_word(void)
{
	sigset_t word;
	int signal;

	sigemptyset(&word);
	sigaddset(&word, SIGUSR1);
	sigprocmask(SIG_BLOCK, &word, NULL);
	sigwait(&word, &signal);
}

static void *
do_nothing(void *arg)
{
	return arg;
}

static void
make_thread(void)
{
	pthread_t thread;

	wait_for_word();
	_exit(pthread_create(&thread, NULL, do_nothing, NULL) ||
	      pthread_join(thread, NULL));
}

static void
check_end(int status)
{
	prf_watching_to_the_end();
	ck_assert(WIFEXITED(watch->wait_status));
	ck_assert_int_eq(WEXITSTATUS(watch->wait_status), status);
}

START_TEST(a_new_thread_is_told_of_and_has_a_trigger_before_it_runs)
{
	watch_child(prf_traced_sleeper(make_thread));
	check_end(0);
	ck_assert_uint_eq(n_lives[PRF_LIFE_THREAD], 1);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 2);
	ck_assert_uint_eq(prf_watching.stats.threads, 1);
	ck_assert_uint_eq(prf_watching.stats.processes, 0);
	ck_assert_uint_eq(prf_watching.n_armed_stopped, 1);
	ck_assert_uint_eq(prf_watching.n_forgotten, 1);
}
END_TEST

static void
make_process(void)
{
	int status;

	wait_for_word();
	pid_t child = fork();
	if (child == 0)
		_exit(3);
	_exit(child < 0 || waitpid(child, &status, 0) != child ||
	      !WIFEXITED(status) || WEXITSTATUS(status) != 3);
}

START_TEST(a_new_process_begins_as_a_copy_of_its_parent)
{
	watch_child(prf_traced_sleeper(make_process));
	check_end(0);
	ck_assert_uint_eq(n_lives[PRF_LIFE_FORK], 1);
	ck_assert_uint_eq(n_lives[PRF_LIFE_EXIT], 2);
	ck_assert_uint_eq(prf_watching.stats.processes, 1);
	ck_assert_uint_eq(prf_watching.n_armed_stopped, 1);
	/* Its program was told with its parent's. */
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 1);
}
END_TEST

START_TEST(one_that_is_not_followed_runs_without_us)
{
	prf_watching.config.follow = PRF_FOLLOW_EXEC;
	watch_child(prf_traced_sleeper(make_process));
	check_end(0);
	ck_assert_uint_eq(n_lives[PRF_LIFE_LEAVE], 1);
	ck_assert_uint_eq(n_lives[PRF_LIFE_EXIT], 1);
	ck_assert_uint_eq(prf_watching.n_armed, 0);
	ck_assert_str_eq(prf_watching.told, "");
}
END_TEST

START_TEST(what_a_debugger_starts_is_left_to_it_and_that_is_said)
{
	pid_t child = prf_traced_sleeper(make_process);

	watch->pid = child;
	task = prf_watching_add(child);
	task->process->lets_children_go = true;
	kill(child, SIGUSR1);
	check_end(0);
	ck_assert_uint_eq(prf_watching.stats.left_alone, 1);
	ck_assert_uint_eq(prf_watching.n_armed, 0);
	ck_assert_ptr_nonnull(strstr(prf_watching.told, "debugger"));
}
END_TEST

/* --- Other programs */

static void
run_program(void)
{
	wait_for_word();
	execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
	_exit(1);
}

static void *
run_program_in_thread(void *arg)
{
	execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
	return arg;
}

static void
run_program_by_thread(void)
{
	pthread_t thread;

	wait_for_word();
	if (!pthread_create(&thread, NULL, run_program_in_thread, NULL))
		pthread_join(thread, NULL);
	_exit(1);
}

static int n_started;

static int
note_started(void *answer, pid_t pid)
{
	ck_assert_int_eq(pid, watch->pid);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 1);
	n_started++;
	return *(int *)answer;
}

static void
watch_start(int *answer)
{
	n_started = 0;
	prf_watching.config.started = note_started;
	prf_watching.config.started_arg = answer;
}

START_TEST(another_program_is_told_and_armed_anew)
{
	int answer = 0;

	watch_start(&answer);
	watch_child(prf_traced_sleeper(run_program));
	prf_watching_arm(task);
	check_end(5);
	ck_assert_int_eq(n_started, 1);
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 2);
	ck_assert_uint_eq(prf_watching.stats.programs, 1);
	ck_assert_uint_eq(prf_watching.n_armed, 2);
	ck_assert_uint_eq(prf_watching.n_armed_stopped, 1);
	ck_assert_uint_eq(prf_watching.n_forgotten, 2);
	ck_assert_uint_eq(n_lives[PRF_LIFE_END], 1);
}
END_TEST

START_TEST(of_several_threads_one_is_left_when_one_becomes_another_program)
{
	int answer = 0;

	watch_start(&answer);
	watch_child(prf_traced_sleeper(run_program_by_thread));
	check_end(5);
	ck_assert_int_eq(n_started, 1);
	ck_assert_uint_eq(n_lives[PRF_LIFE_THREAD], 1);
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 2);
	/* The thread's trigger, and the program's. */
	ck_assert_uint_eq(prf_watching.n_armed, 2);
	ck_assert_uint_eq(prf_watching.n_forgotten, 2);
}
END_TEST

START_TEST(a_program_is_killed_that_the_caller_does_not_want)
{
	int answer = -1;

	watch_start(&answer);
	watch_child(prf_traced_sleeper(run_program));
	prf_watching_to_the_end();
	ck_assert(WIFSIGNALED(watch->wait_status));
	ck_assert_int_eq(watch->failed, -1);
	ck_assert_uint_eq(prf_watching.n_armed, 0);
}
END_TEST

START_TEST(the_second_program_is_let_go_where_only_one_is_wanted)
{
	int status;

	prf_watching.config.follow = PRF_FOLLOW_NONE;
	watch_child(prf_traced_sleeper(run_program));
	watch->image_begun = true;
	prf_watching_to_the_end();
	ck_assert_uint_eq(n_lives[PRF_LIFE_LEAVE], 1);
	ck_assert_uint_eq(prf_watching.stats.programs, 0);
	ck_assert_int_eq(waitpid(watch->pid, &status, 0), watch->pid);
	ck_assert_int_eq(WEXITSTATUS(status), 5);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("birth");
	TCase *tcase = tcase_create("birth");

	tcase_add_checked_fixture(tcase, set_up, prf_watching_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(
		tcase,
		a_new_thread_is_told_of_and_has_a_trigger_before_it_runs);
	tcase_add_test(tcase, a_new_process_begins_as_a_copy_of_its_parent);
	tcase_add_test(tcase, one_that_is_not_followed_runs_without_us);
	tcase_add_test(tcase,
		       what_a_debugger_starts_is_left_to_it_and_that_is_said);
	tcase_add_test(tcase, another_program_is_told_and_armed_anew);
	tcase_add_test(
		tcase,
		of_several_threads_one_is_left_when_one_becomes_another_program);
	tcase_add_test(tcase,
		       a_program_is_killed_that_the_caller_does_not_want);
	tcase_add_test(tcase,
		       the_second_program_is_let_go_where_only_one_is_wanted);
	suite_add_tcase(suite, tcase);
	return suite;
}
