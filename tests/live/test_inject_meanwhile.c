/* What goes on while a call is injected: what the thread was doing, signals, job
 * control, and the ends of threads. */
#include "live/stopped/inject.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "injectable.h"
#include "live/stop.h"
#include "live/stopped/rseq.h"
#include "live/watch.h"
#include "support/suite.h"
#include "traced.h"
#include "waiting_calls.h"

/* Stops the child in the call that it sleeps in, and injects one there. */
static void
call_in_its_sleep(void (*sleep)(void))
{
	child = prf_traced_sleeper(sleep);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert(WIFSTOPPED(prf_traced_wait(child)));
	ck_assert_int_eq(prf_arch.read(child, &regs), 0);
	insn_addr = prf_inject_find_insn(child);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
}

static void
sleep_in_pause(void)
{
	pause();
	_exit(3);
}

START_TEST(a_call_that_is_to_be_restarted_is)
{
	call_in_its_sleep(sleep_in_pause);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	/* What it does next of its own is to die of this. */
	ck_assert_int_eq(kill(child, SIGTERM), 0);
	int status = prf_traced_wait(child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), SIGTERM);
	status = prf_traced_go(child, SIGTERM);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
}
END_TEST

static uint64_t
monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* By nanosleep: the kernel remembers elsewhere how much of it is left. */
static void
sleep_for_a_while(void)
{
	const struct timespec while_ = {0, 300000000};
	uint64_t start_ns = monotonic_ns();
	int rc = nanosleep(&while_, NULL);

	_exit(rc ? 4 : monotonic_ns() - start_ns < 300000000 ? 5 : 6);
}

START_TEST(a_sleep_goes_on_for_what_is_left_of_it)
{
	call_in_its_sleep(sleep_for_a_while);
	int status = prf_traced_go(child, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 6);
}
END_TEST

static void
expect_stop(int wait_status, enum prf_stop_kind kind, int signal)
{
	struct prf_stop stop = prf_stop_of_wait(child, wait_status);

	ck_assert_int_eq(stop.kind, kind);
	ck_assert_int_eq(stop.signal, signal);
}

/* Any stop that a tracer asks for is one by job control then. */
START_TEST(a_sleeper_that_job_control_has_stopped_can_be_made_to_call)
{
	child = prf_traced_sleeper(sleep_for_a_while);
	kill(child, SIGSTOP);
	expect_stop(prf_traced_wait(child), PRF_STOP_SIGNAL, SIGSTOP);
	expect_stop(prf_traced_go(child, SIGSTOP), PRF_STOP_GROUP, SIGSTOP);
	ck_assert_int_eq(prf_arch.read(child, &regs), 0);
	insn_addr = prf_inject_find_insn(child);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);

	expect_stop(prf_traced_go(child, 0), PRF_STOP_GROUP, SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_LISTEN, child, NULL, NULL), 0);
	kill(child, SIGCONT);
	expect_stop(prf_traced_wait(child), PRF_STOP_TRAP, SIGTRAP);
	expect_stop(prf_traced_go(child, 0), PRF_STOP_SIGNAL, SIGCONT);
	int status = prf_traced_go(child, SIGCONT);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 6);
}
END_TEST

#if defined __x86_64__ && defined RSEQ_SIG
static volatile int *over;

/* Stays in a restartable sequence that nothing but an interruption ends; that
 * leads out of it, and in again unless it is all over. */
static void
turn_in_sequence(void)
{
	uintptr_t thread = (uintptr_t)__builtin_thread_pointer();
	struct rseq *area = (struct rseq *)(thread + (uintptr_t)__rseq_offset);

	__asm__ volatile(".pushsection .data.sequence, \"aw\"\n\t"
			 ".balign 32\n"
			 "3:\t.long 0, 0\n\t"
			 ".quad 1f, 2f - 1f, 4f\n\t"
			 ".popsection\n"
			 "5:\tleaq 3b(%%rip), %%rax\n\t"
			 "movq %%rax, %0\n"
			 "1:\tjmp 1b\n\t"
			 ".byte 0x0f, 0xb9, 0x3d\n\t"
			 ".long %c2\n"
			 "2:\n"
			 "4:\tcmpl $0, %1\n\t"
			 "je 5b"
			 : "=m"(area->rseq_cs)
			 : "m"(*over), "i"(RSEQ_SIG)
			 : "rax", "memory", "cc");
	_exit(7);
}

START_TEST(a_restartable_sequence_is_not_gone_on_with)
{
	int status;

	if (!__rseq_size)
		prf_skip("the C library has registered no rseq area");
	over = mmap(NULL, sizeof *over, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)over, MAP_FAILED);
	child = prf_traced_runner(turn_in_sequence);
	do {
		ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL),
				 0);
		prf_traced_wait(child);
		ck_assert_int_eq(prf_arch.read(child, &regs), 0);
		insn_addr = prf_inject_find_insn(child);
		if (!prf_rseq_abort_addr(child, regs.pc))
			ptrace(PTRACE_CONT, child, NULL, NULL);
	} while (!prf_rseq_abort_addr(child, regs.pc));
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
	*over = 1;
	status = prf_traced_go(child, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 7);
}
END_TEST
#endif

START_TEST(a_child_that_was_killed_is_said_to_die_and_can_be_waited_for)
{
	struct prf_injection injection;
	const uint64_t none[6] = {0};
	int64_t result;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	kill(child, SIGKILL);
	ck_assert_int_eq(prf_inject_call(&injection, SYS_getpid, none, &result),
			 -ESRCH);
	(void)!prf_inject_end(&injection);
	int status = prf_traced_wait(child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		-ESRCH);
}
END_TEST

START_TEST(a_call_that_ends_the_thread_is_said_to_be_its_death)
{
	struct prf_injection injection;
	const uint64_t args[6] = {9};
	int64_t result;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	ck_assert_int_eq(
		prf_inject_call(&injection, SYS_exit_group, args, &result),
		-ESRCH);
	(void)!prf_inject_end(&injection);
	int status = prf_traced_wait(child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 9);
}
END_TEST

/* Begins INJECTION, and SIGNAL comes before its first call. */
static void
call_beside(struct prf_injection *injection, int signal)
{
	const uint64_t none[6] = {0};
	int64_t result;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(
		prf_inject_begin(injection, child, &regs, insn_addr, "", 1), 0);
	kill(child, signal);
	ck_assert_int_eq(prf_inject_call(injection, SYS_getpid, none, &result),
			 0);
	ck_assert_int_eq(result, child);
}

static const int late_signals[] = {SIGUSR1, SIGTERM, SIGTRAP, 34};

START_TEST(a_signal_that_comes_meanwhile_is_delivered_afterwards)
{
	struct prf_injection injection;
	int signal = late_signals[_i];

	call_beside(&injection, signal);
	ck_assert_int_eq(prf_inject_end(&injection), 0);

	expect_stop(prf_traced_go(child, 0), PRF_STOP_SIGNAL, signal);
	int status = prf_traced_go(child, signal);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), signal);
}
END_TEST

START_TEST(a_stop_by_job_control_meanwhile_is_told_afterwards)
{
	struct prf_injection injection;

	call_beside(&injection, SIGSTOP);
	ck_assert_int_eq(prf_inject_end(&injection), 0);

	expect_stop(prf_traced_go(child, 0), PRF_STOP_GROUP, SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_LISTEN, child, NULL, NULL), 0);
	kill(child, SIGCONT);
	expect_stop(prf_traced_wait(child), PRF_STOP_TRAP, SIGTRAP);
}
END_TEST

START_TEST(a_stop_that_is_over_before_the_end_leaves_nobody_stopped)
{
	struct prf_injection injection;

	call_beside(&injection, SIGSTOP);
	kill(child, SIGCONT);
	ck_assert_int_eq(prf_inject_end(&injection), 0);

	expect_stop(prf_traced_go(child, 0), PRF_STOP_TRAP, SIGTRAP);
	expect_stop(prf_traced_go(child, 0), PRF_STOP_SIGNAL, SIGCONT);
}
END_TEST

/* Whether the thread is stopped again before it has begun its call, and before its
 * stop has become one of all its process, is up to chance. */
START_TEST(a_thread_that_is_stopped_again_and_again_is_given_up)
{
	struct prf_injection injection;
	const uint64_t none[6] = {0};
	struct prf_regs after;
	int64_t result;
	int rc = 0, status;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	pid_t stopper = fork();
	if (stopper == 0)
		while (!kill(child, SIGSTOP))
			;
	uint64_t begun_ns = monotonic_ns();
	while (!rc && monotonic_ns() - begun_ns < 20000000000)
		rc = prf_inject_call(&injection, SYS_getpid, none, &result);
	kill(stopper, SIGKILL);
	ck_assert_int_eq(waitpid(stopper, &status, 0), stopper);
	ck_assert_int_eq(rc, -ETIMEDOUT);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	ck_assert_int_eq(prf_arch.read(child, &after), 0);
	ck_assert_uint_eq(after.pc, regs.pc);
	ck_assert_uint_eq(after.sp, regs.sp);
	expect_stop(prf_traced_go(child, 0), PRF_STOP_GROUP, SIGSTOP);
}
END_TEST

/* The threads of PID, as many as there is ROOM for; how many. */
static int
list_threads(pid_t pid, pid_t *tids, int room)
{
	char path[64];
	struct dirent *entry;
	int n = 0;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	DIR *dir = opendir(path);
	while (dir && n < room && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			tids[n++] = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return n;
}

/* What a second thread does when it is told to. */
static volatile int *told;

static void
end_all(void)
{
	_exit(7);
}

static void
become_true(void)
{
	execlp("true", "true", NULL);
	_exit(9);
}

static void (*const acts[])(void) = {end_all, become_true};

static void *
act_when_told(void *act)
{
	const struct timespec pause = {0, 50000000};

	told[1] = 1;
	while (!*told)
		sched_yield();
	nanosleep(&pause, NULL);
	(*(void (*const *)(void))act)();
	return NULL;
}

/* A child of two threads, both traced; the first is stopped. */
static void
begin_two_threads(void (*const *act)(void))
{
	pthread_t thread;

	told = mmap(NULL, 2 * sizeof *told, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)told, MAP_FAILED);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		if (pthread_create(&thread, NULL, act_when_told, (void *)act))
			_exit(1);
		for (;;)
			sched_yield();
	}
	while (!told[1])
		sched_yield();
	pid_t tids[3] = {0};
	ck_assert_int_eq(list_threads(child, tids, 3), 2);
	for (int i = 0; i < 2; i++)
		if (ptrace(PTRACE_SEIZE, tids[i], NULL, PRF_WATCH_OPTIONS))
			prf_skip("ptrace is refused");
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert(WIFSTOPPED(prf_traced_wait(child)));
	ck_assert_int_eq(prf_arch.read(child, &regs), 0);
	insn_addr = prf_inject_find_insn(child);
}

/* The kernel does not tell of the first thread's end before the other's has
 * been waited for; and after an exec by the other its id is that one's. */
START_TEST(a_first_thread_that_ends_with_others_is_not_waited_for)
{
	struct prf_injection injection;
	const uint64_t none[6] = {0};
	int64_t result;

	begin_two_threads(&acts[_i]);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	*told = 1;
	ck_assert_int_eq(prf_inject_call(&injection, PAUSE_CALL, none, &result),
			 -ESRCH);
	ck_assert_int_eq(prf_inject_end(&injection), -ESRCH);

	int status = 0;
	bool execed = false;
	while (waitpid(-1, &status, __WALL) > 0)
		if (WIFSTOPPED(status)) {
			execed |= status >> 8 ==
				  (SIGTRAP | PTRACE_EVENT_EXEC << 8);
			ptrace(PTRACE_CONT, child, NULL, NULL);
		}
	ck_assert(execed == (acts[_i] == become_true));
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), execed ? 0 : 7);
}
END_TEST

static void
allow_descriptors(rlim_t n)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = n;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* What cannot be read tells of no end. */
START_TEST(a_first_thread_whose_status_cannot_be_read_has_not_ended)
{
	const struct timespec moment = {0, 5000000};
	struct prf_injection injection;
	struct rlimit limit;
	uint64_t args[6] = {0};
	int64_t result = -1;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	begin_two_threads(&acts[0]);
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, insn_addr,
					  &moment, sizeof moment),
			 0);
	args[0] = injection.data_addr;
	allow_descriptors(0);
	int rc = prf_inject_call(&injection, SYS_nanosleep, args, &result);
	allow_descriptors(limit.rlim_cur);
	ck_assert_int_eq(rc, 0);
	ck_assert_int_eq(result, 0);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	kill(child, SIGKILL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("inject_meanwhile");
	TCase *tcase = tcase_create("inject_meanwhile");

	tcase_add_test(tcase, a_call_that_is_to_be_restarted_is);
	tcase_add_test(tcase, a_sleep_goes_on_for_what_is_left_of_it);
	tcase_add_test(
		tcase,
		a_sleeper_that_job_control_has_stopped_can_be_made_to_call);
#if defined __x86_64__ && defined RSEQ_SIG
	tcase_add_test(tcase, a_restartable_sequence_is_not_gone_on_with);
#endif
	tcase_add_test(
		tcase,
		a_child_that_was_killed_is_said_to_die_and_can_be_waited_for);
	tcase_add_test(tcase,
		       a_call_that_ends_the_thread_is_said_to_be_its_death);
	tcase_add_loop_test(
		tcase, a_signal_that_comes_meanwhile_is_delivered_afterwards, 0,
		(int)(sizeof late_signals / sizeof *late_signals));
	tcase_add_test(tcase,
		       a_stop_by_job_control_meanwhile_is_told_afterwards);
	tcase_add_test(
		tcase,
		a_stop_that_is_over_before_the_end_leaves_nobody_stopped);
	tcase_add_test(tcase,
		       a_thread_that_is_stopped_again_and_again_is_given_up);
	tcase_add_loop_test(
		tcase, a_first_thread_that_ends_with_others_is_not_waited_for,
		0, (int)(sizeof acts / sizeof *acts));
	tcase_add_test(
		tcase,
		a_first_thread_whose_status_cannot_be_read_has_not_ended);
	suite_add_tcase(suite, tcase);
	return suite;
}
