#include "live/life/attach.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/life/seize.h"
#include "long_exec.h"
#include "support/suite.h"
#include "uring_worker.h"
#include "watching.h"

enum { N_THREADS = 4 };

static struct prf_watch *const watch = &prf_watching.watch;
/* Shared with the children. */
static struct {
	pid_t thread, grandchild;
	volatile unsigned n_threads;
	volatile int traced, arrived;
} * shared;
static struct prf_long_exec *long_exec;

static void
set_up(void)
{
	prf_watching_set_up();
	watch->attached = true;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)shared, MAP_FAILED);
	long_exec = prf_long_exec_new();
}

_Noreturn static void
sleep_for_ever(void)
{
	for (;;)
		pause();
}

static void *
begin_thread(void *arg)
{
	(void)arg;
	shared->thread = gettid();
	__atomic_add_fetch(&shared->n_threads, 1, __ATOMIC_SEQ_CST);
	sleep_for_ever();
}

static void
make_threads(void)
{
	pthread_t thread;

	for (unsigned i = 1; i < N_THREADS; i++)
		if (pthread_create(&thread, NULL, begin_thread, NULL))
			_exit(1);
	while (shared->n_threads < N_THREADS - 1)
		usleep(500);
}

static void
make_child(void)
{
	pid_t child = fork();

	if (child == 0)
		sleep_for_ever();
	shared->grandchild = child;
}

static void
make_traced_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		shared->traced = 1;
		sleep_for_ever();
	}
	while (!shared->traced)
		usleep(500);
	shared->grandchild = child;
}

/* A process that nobody traces, once it has done what BEGIN does; it ends with
 * the test. */
static pid_t
begin_process(void (*begin)(void))
{
	pid_t child = fork();

	if (child == 0) {
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		if (begin)
			begin();
		shared->arrived = 1;
		sleep_for_ever();
	}
	ck_assert_int_gt(child, 0);
	while (!shared->arrived)
		usleep(500);
	return child;
}

static void
attach(pid_t pid)
{
	int rc = prf_attach(watch, pid, &prf_watching.err);

	if (rc == -EPERM)
		prf_skip(prf_watching.err.text);
	ck_assert_msg(rc == 0, "%s", prf_watching.err.text);
}

START_TEST(all_threads_are_had_and_none_is_stopped)
{
	pid_t child = begin_process(make_threads);

	attach(child);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), N_THREADS);
	ck_assert_uint_eq(prf_watching.stats.threads, N_THREADS);
	ck_assert_uint_eq(prf_watching.stats.processes, 1);
	ck_assert_uint_eq(prf_watching.n_armed, N_THREADS);
	ck_assert_uint_eq(prf_watching.n_armed_stopped, 0);
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 1);
	ck_assert_uint_gt(prf_watching.recorder.n_mappings, 0);
	ck_assert_uint_eq(prf_watching.recorder.n_lives[PRF_LIFE_THREAD],
			  N_THREADS - 1);
	ck_assert_int_eq(prf_watching_tracer_of(shared->thread), gettid());
	ck_assert(!prf_watching_is_stopped(child, child));
	ck_assert(!prf_watching_is_stopped(child, shared->thread));
}
END_TEST

START_TEST(workers_of_the_kernels_are_left_alone)
{
	pid_t child = begin_process(prf_uring_begin_worker);
	pid_t worker = prf_uring_worker_of(child);

	attach(child);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 1);
	ck_assert_uint_eq(prf_watching.stats.threads, 1);
	ck_assert_int_eq(prf_watching_tracer_of(child), gettid());
	if (worker)
		ck_assert_int_eq(prf_watching_tracer_of(worker), 0);
}
END_TEST

START_TEST(any_thread_stands_for_its_process_and_twice_is_once)
{
	pid_t child = begin_process(make_threads);

	attach(shared->thread);
	attach(child);
	ck_assert_uint_eq(watch->processes.n, 1);
	ck_assert_int_eq(watch->processes.first->pid, child);
	ck_assert_uint_eq(prf_watching.stats.processes, 1);
}
END_TEST

/* It waits for the end of a thread that is ours already, and to seize another is
 * to wait for it. */
START_TEST(one_that_becomes_another_program_meanwhile_is_had)
{
	prf_long_exec_begin(long_exec);
	struct prf_process *process =
		prf_processes_add(&watch->processes, long_exec->pid);

	if (ptrace(PTRACE_SEIZE, long_exec->thread, NULL, watch->options))
		prf_skip("ptrace is refused");
	ck_assert_ptr_nonnull(
		prf_tasks_add(watch->tasks, long_exec->thread, process));
	prf_long_exec_go(long_exec);
	ck_assert_int_eq(prf_seize_all(watch, process), 0);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 1);
	ck_assert_int_eq(process->tasks->tid, long_exec->pid);
	ck_assert_int_eq(prf_watching_tracer_of(long_exec->pid), gettid());
}
END_TEST

/* Another process traces a thread of it, and does not wait for that. */
static void
let_exec_last(void)
{
	enum { YES = 1, NO };

	if (fork() == 0) {
		shared->traced =
			ptrace(PTRACE_SEIZE, long_exec->thread, NULL, NULL)
				? NO
				: YES;
		sleep_for_ever();
	}
	while (!shared->traced)
		usleep(500);
	if (shared->traced == NO)
		prf_skip("ptrace is refused");
	prf_long_exec_go(long_exec);
	watch->patience_ns = 200000000;
}

START_TEST(of_one_in_an_exec_that_lasts_nothing_is_held)
{
	prf_long_exec_begin(long_exec);
	let_exec_last();
	ck_assert_int_eq(prf_attach(watch, long_exec->pid, &prf_watching.err),
			 -ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(prf_watching.err.text, "in an execve"));
	ck_assert_uint_eq(watch->processes.n, 0);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 0);
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 0);
}
END_TEST

static void
begin_long_exec(void)
{
	prf_long_exec_begin(long_exec);
}

START_TEST(a_child_in_an_exec_that_lasts_is_left_out_and_counted)
{
	pid_t child = begin_process(begin_long_exec);

	let_exec_last();
	attach(child);
	ck_assert_uint_eq(prf_watching.stats.processes, 1);
	ck_assert_uint_eq(prf_watching.stats.unreached, 1);
	ck_assert_ptr_nonnull(
		strstr(prf_watching.stats.unreached_reason, "in an execve"));
}
END_TEST

/* (It is as if the first had been seized before that began.) */
START_TEST(of_one_in_an_exec_that_lasts_those_are_kept_that_were_had)
{
	prf_long_exec_begin(long_exec);
	struct prf_process *process =
		prf_processes_add(&watch->processes, long_exec->pid);

	ck_assert_ptr_nonnull(
		prf_tasks_add(watch->tasks, long_exec->pid, process));
	let_exec_last();
	ck_assert_int_eq(prf_seize_all(watch, process), 0);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 1);
	ck_assert_int_eq(process->tasks->tid, long_exec->pid);
}
END_TEST

START_TEST(children_are_had_where_they_are_followed)
{
	pid_t child = begin_process(make_child);

	prf_watching.config.follow = _i ? PRF_FOLLOW_ALL : PRF_FOLLOW_EXEC;
	attach(child);
	ck_assert_uint_eq(prf_watching.stats.processes, _i ? 2 : 1);
	ck_assert_int_eq(prf_watching_tracer_of(shared->grandchild),
			 _i ? gettid() : 0);
	ck_assert_uint_eq(prf_watching.stats.unreached, 0);
}
END_TEST

START_TEST(a_child_that_another_traces_is_left_out_and_counted)
{
	attach(begin_process(make_traced_child));
	ck_assert_uint_eq(prf_watching.stats.processes, 1);
	ck_assert_uint_eq(prf_watching.stats.unreached, 1);
	ck_assert_ptr_nonnull(
		strstr(prf_watching.stats.unreached_reason, "traced"));
}
END_TEST

START_TEST(of_one_that_cannot_be_had_nothing_is_held)
{
	begin_process(make_traced_child);
	ck_assert_int_eq(
		prf_attach(watch, shared->grandchild, &prf_watching.err),
		-EBUSY);
	ck_assert_ptr_nonnull(strstr(prf_watching.err.text, "traced"));
	ck_assert_uint_eq(watch->processes.n, 0);
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 0);
	ck_assert_uint_eq(prf_watching.recorder.n_execs, 0);
}
END_TEST

/* So many threads can be remembered; there is no memory for the next. */
static unsigned most_tasks = UINT_MAX;

struct prf_task *__real_prf_tasks_add(struct prf_tasks *tasks, pid_t tid,
				      struct prf_process *process);
struct prf_task *__wrap_prf_tasks_add(struct prf_tasks *tasks, pid_t tid,
				      struct prf_process *process);

struct prf_task *
__wrap_prf_tasks_add(struct prf_tasks *tasks, pid_t tid,
		     struct prf_process *process)
{
	return prf_tasks_count(tasks) < most_tasks
		       ? __real_prf_tasks_add(tasks, tid, process)
		       : NULL;
}

START_TEST(without_memory_for_all_threads_none_is_remembered)
{
	pid_t child = begin_process(make_threads);

	most_tasks = N_THREADS - 1;
	int rc = prf_attach(watch, child, &prf_watching.err);
	if (rc == -EPERM)
		prf_skip(prf_watching.err.text);
	ck_assert_int_eq(rc, -ENOMEM);
	ck_assert_str_eq(prf_watching.err.text, "out of memory");
	ck_assert_uint_eq(prf_tasks_count(watch->tasks), 0);
	ck_assert_uint_eq(watch->processes.n, 0);
}
END_TEST

/* Some of its threads are traced by then. */
START_TEST(without_memory_for_those_of_a_child_there_is_no_run)
{
	pid_t child = begin_process(make_child);

	prf_watching.config.follow = PRF_FOLLOW_ALL;
	most_tasks = 1;
	int rc = prf_attach(watch, child, &prf_watching.err);
	if (rc == -EPERM)
		prf_skip(prf_watching.err.text);
	ck_assert_int_eq(rc, -ENOMEM);
}
END_TEST

START_TEST(one_that_is_not_there_is_said_to_be_missing)
{
	pid_t child = begin_process(NULL);

	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_int_eq(prf_attach(watch, child, &prf_watching.err), -ESRCH);
	ck_assert_uint_eq(watch->processes.n, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("attach");
	TCase *tcase = tcase_create("attach");

	tcase_add_checked_fixture(tcase, set_up, prf_watching_tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, all_threads_are_had_and_none_is_stopped);
	tcase_add_test(tcase, workers_of_the_kernels_are_left_alone);
	tcase_add_test(tcase,
		       any_thread_stands_for_its_process_and_twice_is_once);
	tcase_add_test(tcase,
		       one_that_becomes_another_program_meanwhile_is_had);
	tcase_add_test(tcase, of_one_in_an_exec_that_lasts_nothing_is_held);
	tcase_add_test(tcase,
		       a_child_in_an_exec_that_lasts_is_left_out_and_counted);
	tcase_add_test(
		tcase,
		of_one_in_an_exec_that_lasts_those_are_kept_that_were_had);
	tcase_add_loop_test(tcase, children_are_had_where_they_are_followed, 0,
			    2);
	tcase_add_test(tcase,
		       a_child_that_another_traces_is_left_out_and_counted);
	tcase_add_test(tcase, of_one_that_cannot_be_had_nothing_is_held);
	tcase_add_test(tcase,
		       without_memory_for_all_threads_none_is_remembered);
	tcase_add_test(tcase,
		       without_memory_for_those_of_a_child_there_is_no_run);
	tcase_add_test(tcase, one_that_is_not_there_is_said_to_be_missing);
	suite_add_tcase(suite, tcase);
	return suite;
}
