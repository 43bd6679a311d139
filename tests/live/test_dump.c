#include "live/dump/dump.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/stat.h"
#include "live/proc/status.h"
#include "long_exec.h"
#include "recorder.h"
#include "support/suite.h"
#include "uring_worker.h"

static struct prf_recorder recorder;
static struct prf_dump dump;
static struct prf_error err;

/* A child that calls RUN and dies with us. */
static pid_t
child_of(void (*run)(void))
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run();
	_exit(0);
}

static void
await_state(pid_t child, char state)
{
	while (prf_stat_read_state(child, child) != state)
		usleep(1000);
}

static void
take(pid_t child)
{
	prf_recorder_begin(&recorder);
	int rc = prf_dump_take(child, &recorder.base, &dump, &err);

	if (rc == -EPERM)
		prf_skip(err.text);
	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_uint_eq(recorder.n_execs, 1);
	ck_assert_uint_gt(recorder.n_mappings, 0);
	ck_assert_int_eq(dump.pid, child);
}

static void
end(pid_t child)
{
	prf_dump_clear(&dump);
	prf_recorder_end(&recorder);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void
sleep_for_ever(void)
{
	for (;;)
		pause();
}

/* A thread that waits stays as it was: its kernel counts no switch. */
START_TEST(a_thread_that_waits_is_not_stopped)
{
	pid_t child = child_of(sleep_for_ever);

	await_state(child, 'S');
	take(child);
	ck_assert_uint_eq(dump.n_threads, 1);
	const struct prf_dump_thread *thread = &dump.threads[0];
	ck_assert_int_eq(thread->tid, child);
	ck_assert_int_eq(thread->how, PRF_DUMP_BLOCKED);
	ck_assert_int_eq(thread->state, 'S');
	ck_assert_uint_eq(thread->stopped_ns, 0);
	ck_assert_uint_eq(recorder.n_samples, 1);
	ck_assert_uint_eq(recorder.ticks_in_calls, 1);
	ck_assert_int_eq(recorder.tids[0], child);
	end(child);
}
END_TEST

static volatile unsigned long turns;

static void
spin(void)
{
	for (;;)
		turns++;
}

START_TEST(a_thread_that_runs_is_stopped_and_let_go)
{
	struct prf_process_status status;
	pid_t child = child_of(spin);

	await_state(child, 'R');
	take(child);
	ck_assert_int_eq(dump.threads[0].how, PRF_DUMP_STOPPED);
	ck_assert_int_eq(dump.threads[0].syscall, PRF_NO_SYSCALL);
	ck_assert_uint_gt(dump.threads[0].stopped_ns, 0);
	ck_assert_uint_eq(dump.threads[0].cut_bytes, 0);
	ck_assert_uint_eq(recorder.n_samples, 1);
	ck_assert_int_eq(prf_status_read_process(child, &status), 0);
	ck_assert_int_eq(status.tracer, 0);
	ck_assert(!status.is_stopped);
	end(child);
}
END_TEST

static int deep_enough[2];

/* So many frames of 4 KiB, and more. */
static unsigned __attribute__((noinline)) spin_deep(unsigned n)
{
	volatile char room[4096];

	room[n] =
		(char)n; /* at a place that is not known: all of it is there */
	if (n > 0)
		return spin_deep(n - 1) + (unsigned)room[n];
	if (write(deep_enough[1], "", 1) == 1)
		spin();
	return 0;
}

static void
spin_in_deep_stack(void)
{
	spin_deep(256);
}

/* More is not copied, which is no failure to read it. */
START_TEST(a_stack_deeper_than_its_copy_is_told)
{
	char byte;

	ck_assert_int_eq(pipe(deep_enough), 0);
	pid_t child = child_of(spin_in_deep_stack);
	ck_assert_int_eq(read(deep_enough[0], &byte, 1), 1);
	take(child);
	ck_assert_int_eq(dump.threads[0].how, PRF_DUMP_STOPPED);
	ck_assert_uint_eq(dump.threads[0].cut_bytes, 1 << 20);
	end(child);
}
END_TEST

static void
begin_worker_and_sleep(void)
{
	prf_uring_begin_worker();
	sleep_for_ever();
}

START_TEST(a_worker_of_the_kernels_is_called_that)
{
	pid_t child = child_of(begin_worker_and_sleep);

	await_state(child, 'S');
	take(child);
	ck_assert_int_eq(dump.threads[0].how, PRF_DUMP_BLOCKED);
	if (dump.n_threads > 1)
		ck_assert_int_eq(dump.threads[1].how, PRF_DUMP_WORKER);
	ck_assert_uint_eq(recorder.n_samples, 1);
	end(child);
}
END_TEST

/* Its stop is its parent's to end. */
START_TEST(a_thread_that_was_stopped_stays_so)
{
	pid_t child = child_of(_i ? spin : sleep_for_ever);

	await_state(child, _i ? 'R' : 'S');
	kill(child, SIGSTOP);
	ck_assert_int_eq(waitpid(child, NULL, WUNTRACED), child);
	take(child);
	ck_assert_int_eq(dump.threads[0].state, 'T');
	ck_assert(dump.status.is_stopped);
	ck_assert_uint_eq(recorder.n_samples, 1);
	await_state(child, 'T');
	kill(child, SIGCONT);
	await_state(child, _i ? 'R' : 'S');
	end(child);
}
END_TEST

static void
end_at_once(void)
{
}

START_TEST(a_process_that_has_ended_is_refused)
{
	pid_t child = child_of(end_at_once);

	await_state(child, 'Z');
	prf_recorder_begin(&recorder);
	ck_assert_int_eq(prf_dump_take(child, &recorder.base, &dump, &err),
			 -ESRCH);
	ck_assert_ptr_nonnull(strstr(err.text, "has ended"));
	end(child);
	prf_recorder_begin(&recorder);
	ck_assert_int_eq(prf_dump_take(child, &recorder.base, &dump, &err),
			 -ESRCH);
	ck_assert_ptr_nonnull(strstr(err.text, "no such process"));
	ck_assert_uint_eq(recorder.n_execs, 0);
	prf_recorder_end(&recorder);
}
END_TEST

/* Another program: it seizes SEIZED, stops it if it is to be STOPPED, and says on
 * READY whether it could. */
static _Noreturn void
trace(pid_t seized, bool stopped, int ready)
{
	char answer = ptrace(PTRACE_SEIZE, seized, NULL, NULL) ? 'n' : 'y';

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (stopped && !ptrace(PTRACE_INTERRUPT, seized, NULL, NULL))
		waitpid(seized, NULL, __WALL);
	if (write(ready, &answer, 1) == 1)
		pause();
	_exit(0);
}

/* Another program traces it: what waits, or was stopped by that, is read all the
 * same, what runs cannot be. */
START_TEST(what_another_traces_is_read_as_far_as_it_stands_still)
{
	static const struct {
		void (*act)(void);
		bool stopped;
		char state;
		enum prf_dump_how how;
	} cases[] = {
		{sleep_for_ever, false, 'S', PRF_DUMP_BLOCKED},
		{spin, false, 'R', PRF_DUMP_REFUSED},
		{spin, true, 't', PRF_DUMP_BLOCKED},
	};
	pid_t child = child_of(cases[_i].act);
	int ready[2];
	char answer;

	await_state(child, _i ? 'R' : 'S');
	ck_assert_int_eq(pipe(ready), 0);
	pid_t tracer = fork();
	if (!tracer)
		trace(child, cases[_i].stopped, ready[1]);
	ck_assert_int_eq(read(ready[0], &answer, 1), 1);
	if (answer == 'n')
		prf_skip("ptrace is refused");
	take(child);
	ck_assert_int_eq(dump.tracer, tracer);
	ck_assert_int_eq(dump.threads[0].state, cases[_i].state);
	ck_assert_int_eq(dump.threads[0].how, cases[_i].how);
	ck_assert_int_eq(dump.threads[0].code,
			 cases[_i].how == PRF_DUMP_REFUSED ? -EPERM : 0);
	kill(tracer, SIGKILL);
	waitpid(tracer, NULL, 0);
	end(child);
}
END_TEST

/* The freezer that this process is in, of cgroups of version 1, has another in it
 * named by PATH; false: it is not there, or we may not. */
static bool
make_freezer(char *path, size_t size)
{
	char line[256], *at = NULL;
	FILE *own = fopen("/proc/self/cgroup", "r");

	while (own && !at && fgets(line, sizeof line, own))
		at = strstr(line, ":freezer:/");
	if (own)
		fclose(own);
	if (!at)
		return false;
	at[strcspn(at, "\n")] = '\0';
	snprintf(path, size, "/sys/fs/cgroup/freezer%s/profrun-test-%d",
		 at + strlen(":freezer:"), getpid());
	return !mkdir(path, 0700);
}

static bool
put(const char *folder, const char *name, const char *text)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	bool done = file && fputs(text, file) >= 0;

	return file && !fclose(file) && done;
}

static bool
freeze(const char *folder, pid_t child)
{
	char tid[16];

	snprintf(tid, sizeof tid, "%d", child);
	if (!put(folder, "cgroup.procs", tid) ||
	    !put(folder, "freezer.state", "FROZEN"))
		return false;
	await_state(child, 'D');
	return true;
}

/* As what docker pauses; it is in no system call, and it never stops.  (Nor does it
 * end before it is thawed.) */
START_TEST(a_thread_that_cannot_be_interrupted_is_read_where_it_stands)
{
	char folder[400];
	pid_t child = child_of(spin);
	int rc = 0;

	prf_recorder_begin(&recorder);
	await_state(child, 'R');
	bool has_freezer = make_freezer(folder, sizeof folder);
	bool is_frozen = has_freezer && freeze(folder, child);
	if (is_frozen)
		rc = prf_dump_take(child, &recorder.base, &dump, &err);
	if (has_freezer)
		put(folder, "freezer.state", "THAWED");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	while (has_freezer && rmdir(folder) && errno == EBUSY)
		usleep(1000);
	if (rc == -EPERM)
		prf_skip(err.text);
	ck_assert_msg(rc == 0, "%s", err.text);
	if (is_frozen) {
		ck_assert_int_eq(dump.threads[0].how, PRF_DUMP_BLOCKED);
		ck_assert_int_eq(dump.threads[0].state, 'D');
		ck_assert_uint_eq(recorder.n_samples, 1);
	}
	prf_dump_clear(&dump);
	prf_recorder_end(&recorder);
}
END_TEST

/* The thread that executes waits for the end of another, which we trace. */
START_TEST(one_in_an_exec_that_lasts_is_read_where_it_stands)
{
	struct prf_long_exec *exec = prf_long_exec_new();
	size_t n_blocked = 0;

	prf_long_exec_begin(exec);
	if (ptrace(PTRACE_SEIZE, exec->thread, NULL, NULL))
		prf_skip("ptrace is refused");
	prf_long_exec_go(exec);
	take(exec->pid);
	for (size_t i = 0; i < dump.n_threads; i++)
		if (dump.threads[i].how != PRF_DUMP_ENDED) {
			ck_assert_int_eq(dump.threads[i].how, PRF_DUMP_BLOCKED);
			n_blocked++;
		}
	ck_assert_uint_eq(n_blocked, 1);
	kill(exec->pid, SIGKILL);
	waitpid(exec->thread, NULL, __WALL);
	end(exec->pid);
}
END_TEST

START_TEST(a_sink_that_fails_ends_it)
{
	pid_t child = child_of(sleep_for_ever);

	await_state(child, 'S');
	take(child);
	prf_dump_clear(&dump);
	recorder.answer = -ENOMEM;
	ck_assert_int_eq(prf_dump_take(child, &recorder.base, &dump, &err),
			 -ENOMEM);
	ck_assert_ptr_null(dump.threads);
	end(child);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dump");
	TCase *tcase = tcase_create("dump");

	tcase_add_test(tcase, a_thread_that_waits_is_not_stopped);
	tcase_add_test(tcase, a_thread_that_runs_is_stopped_and_let_go);
	tcase_add_test(tcase, a_stack_deeper_than_its_copy_is_told);
	tcase_add_test(tcase, a_worker_of_the_kernels_is_called_that);
	tcase_add_loop_test(tcase, a_thread_that_was_stopped_stays_so, 0, 2);
	tcase_add_test(tcase, a_process_that_has_ended_is_refused);
	tcase_add_loop_test(
		tcase, what_another_traces_is_read_as_far_as_it_stands_still, 0,
		3);
	tcase_add_test(
		tcase,
		a_thread_that_cannot_be_interrupted_is_read_where_it_stands);
	tcase_add_test(tcase,
		       one_in_an_exec_that_lasts_is_read_where_it_stands);
	tcase_add_test(tcase, a_sink_that_fails_ends_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
