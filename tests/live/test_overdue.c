/* An injection that its thread does not come to the end of in time: the thread is as
 * it was, later. */
#include "live/stopped/overdue.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "injectable.h"
#include "live/stopped/inject.h"
#include "support/suite.h"
#include "traced.h"

/* Memory of a file that parent and child share.  Of the child it is a userfaultfd's:
 * the parent takes it away, and brings it again. */
static struct {
	int file;
	char *at;
	size_t n_bytes;
	int *child_fd; /* -1: it may have none */
} lent;

static void
lend(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register registration = {
		.range = {(__u64)(size_t)lent.at, lent.n_bytes},
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	memset(lent.at, 1, lent.n_bytes);
	*lent.child_fd =
		fd < 0 || ioctl(fd, UFFDIO_API, &api) ||
				ioctl(fd, UFFDIO_REGISTER, &registration)
			? -1
			: fd;
}

/* Begins a child whose stack, as it is told, is there. */
static void
begin_on_lent_stack(struct prf_regs *told)
{
	lent.n_bytes = (size_t)sysconf(_SC_PAGESIZE);
	lent.file = memfd_create("lent", MFD_CLOEXEC);
	ck_assert_int_eq(ftruncate(lent.file, (off_t)lent.n_bytes), 0);
	lent.at = mmap(NULL, lent.n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		       lent.file, 0);
	ck_assert_ptr_ne(lent.at, MAP_FAILED);
	lent.child_fd =
		mmap(NULL, sizeof *lent.child_fd, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(lent.child_fd, MAP_FAILED);
	prf_injectable_begin(lend);
	if (*lent.child_fd < 0)
		prf_skip("userfaultfd is refused");
	*told = regs;
	told->sp = (uint64_t)(uintptr_t)lent.at + lent.n_bytes / 2;
}

static void
take_away(void)
{
	ck_assert_int_eq(fallocate(lent.file,
				   FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				   0, (off_t)lent.n_bytes),
			 0);
}

static void
bring_again(void)
{
	struct uffdio_zeropage zeros = {
		.range = {(__u64)(size_t)lent.at, lent.n_bytes},
	};
	int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	int fd = (int)syscall(SYS_pidfd_getfd, pidfd, *lent.child_fd, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ioctl(fd, UFFDIO_ZEROPAGE, &zeros), 0);
	close(fd);
	close(pidfd);
}

/* Makes a child call timer_create, and takes the memory away that it writes to. */
static void
lose_time_for_memory(struct prf_injection *injection)
{
	struct prf_regs told;
	uint64_t args[6] = {CLOCK_MONOTONIC};
	const int none = 0;
	int64_t result;

	begin_on_lent_stack(&told);
	ck_assert_int_eq(prf_inject_begin(injection, child, &told, insn_addr,
					  &none, sizeof none),
			 0);
	args[2] = injection->data_addr;
	take_away();
	ck_assert_int_eq(
		prf_inject_call(injection, SYS_timer_create, args, &result),
		-ETIMEDOUT);
}

/* CHILD's next stop or end. */
static struct prf_stop
next_stop(void)
{
	return prf_stop_of_wait(child, prf_traced_wait(child));
}

/* CHILD, which runs, is as it was. */
static void
expect_as_before(void)
{
	struct prf_regs after;
	uint64_t mask = 1;

	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert_int_eq(next_stop().kind, PRF_STOP_TRAP);
	ck_assert_int_eq(prf_arch.read(child, &after), 0);
	ck_assert_uint_eq(after.sp, regs.sp);
	ck_assert_int_eq(after.syscall, PRF_NO_SYSCALL);
	/* It turns in a loop of few instructions. */
	ck_assert_uint_lt(after.pc - regs.pc + 64, 128);
	ck_assert_int_eq(
		ptrace(PTRACE_GETSIGMASK, child, (void *)sizeof mask, &mask),
		0);
	ck_assert_uint_eq(mask, 0);
}

START_TEST(a_thread_that_waits_for_memory_is_put_back_at_its_next_stop)
{
	struct prf_injection injection;
	struct prf_task task = {0};

	lose_time_for_memory(&injection);
	ck_assert_int_eq(prf_overdue_or_end(&injection, &task.overdue),
			 -EINPROGRESS);
	ck_assert_ptr_nonnull(task.overdue);
	task.tid = child;
	bring_again();
	struct prf_stop stop = next_stop();
	ck_assert_int_eq(stop.kind, PRF_STOP_SYSCALL);
	ck_assert(prf_overdue_answer(&task, &stop));
	ck_assert_ptr_null(task.overdue);
	expect_as_before();
}
END_TEST

START_TEST(a_thread_that_is_killed_meanwhile_is_left_alone)
{
	struct prf_injection injection;
	struct prf_task task = {0};

	lose_time_for_memory(&injection);
	ck_assert_int_eq(prf_overdue_or_end(&injection, &task.overdue),
			 -EINPROGRESS);
	task.tid = child;
	kill(child, SIGKILL);
	struct prf_stop stop = next_stop();
	ck_assert_int_eq(stop.kind, PRF_STOP_KILLED);
	ck_assert(!prf_overdue_answer(&task, &stop));
	prf_inject_forget(task.overdue);
}
END_TEST

static void
pin(pid_t pid)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	ck_assert_int_eq(sched_setaffinity(pid, sizeof first, &first), 0);
}

/* Takes its processor for SECONDS, and says so to FD; one that is idle has none of
 * it. */
static void
take_processor(unsigned seconds, int fd)
{
	pin(0);
	signal(SIGALRM, SIG_DFL); /* it is the runner's */
	alarm(seconds);
	if (setpriority(PRIO_PROCESS, 0, -20) || write(fd, "", 1) != 1)
		_exit(1);
	for (;;)
		;
}

START_TEST(a_thread_that_gets_no_processor_is_put_back_when_it_has_one)
{
	enum { BUSY_S = 20 };
	const struct sched_param idle = {0};
	const uint64_t none[6] = {0};
	struct prf_injection injection;
	struct prf_task task = {0};
	int status, told[2];
	int64_t result;
	char byte;

	prf_injectable_begin(NULL);
	pin(child);
	ck_assert_int_eq(sched_setscheduler(child, SCHED_IDLE, &idle), 0);
	ck_assert_int_eq(pipe(told), 0);
	pid_t taker = fork();
	if (taker == 0)
		take_processor(BUSY_S, told[1]);
	close(told[1]);
	(void)!read(told[0], &byte, 1);
	close(told[0]);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	int rc = prf_inject_call(&injection, SYS_getpid, none, &result);
	ck_assert(rc == -ETIMEDOUT || (!rc && result == child));
	int rc_end = prf_overdue_or_end(&injection, &task.overdue);
	kill(taker, SIGKILL);
	/* Others may have the processor, too. */
	(void)!sched_setscheduler(child, SCHED_OTHER, &idle);
	ck_assert_int_eq(waitpid(taker, &status, 0), taker);
	if (!rc_end)
		prf_skip("the processor cannot be kept from a thread");
	ck_assert_int_eq(rc_end, -EINPROGRESS);
	task.tid = child;
	struct prf_stop stop = next_stop();
	bool runs_again = prf_overdue_answer(&task, &stop);
	ck_assert(runs_again == (stop.kind == PRF_STOP_SYSCALL));
	ck_assert_ptr_null(task.overdue);
	if (!runs_again)
		ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	expect_as_before();
}
END_TEST

/* As where it had no processor until now. */
START_TEST(a_call_that_begins_only_now_comes_to_its_end)
{
	struct prf_injection injection;
	const uint64_t none[6] = {0};

	prf_injectable_begin(NULL);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	struct prf_regs calling = regs;
	prf_arch.set_call(&calling, insn_addr, SYS_getppid, none);
	ck_assert_int_eq(prf_arch_write(child, &calling), 0);
	ck_assert_int_eq(ptrace(PTRACE_SYSCALL, child, NULL, NULL), 0);
	injection.is_overdue = true;
	ck_assert_int_eq(next_stop().kind, PRF_STOP_SYSCALL);
	ck_assert_int_eq(prf_inject_end_at(&injection, PRF_STOP_SYSCALL),
			 -EINPROGRESS);
	ck_assert_int_eq(next_stop().kind, PRF_STOP_SYSCALL);
	ck_assert_int_eq(prf_inject_end_at(&injection, PRF_STOP_SYSCALL), 0);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	expect_as_before();
}
END_TEST

/* Not as a program would have had it. */
START_TEST(a_signal_that_the_call_became_does_not_come)
{
	struct prf_injection injection;
	struct prf_task task = {0};

	prf_injectable_begin(NULL);
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	struct prf_regs lost = regs;
	prf_arch.set_pc(&lost, 0);
	ck_assert_int_eq(prf_arch_write(child, &lost), 0);
	struct prf_stop stop = prf_stop_of_wait(child, prf_traced_go(child, 0));
	ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, SIGSEGV);
	injection.is_overdue = true;
	ck_assert_int_eq(prf_overdue_or_end(&injection, &task.overdue),
			 -EINPROGRESS);
	task.tid = child;
	ck_assert(prf_overdue_answer(&task, &stop));
	expect_as_before();
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("overdue");
	TCase *tcase = tcase_create("overdue");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(
		tcase,
		a_thread_that_waits_for_memory_is_put_back_at_its_next_stop);
	tcase_add_test(tcase, a_thread_that_is_killed_meanwhile_is_left_alone);
	tcase_add_test(
		tcase,
		a_thread_that_gets_no_processor_is_put_back_when_it_has_one);
	tcase_add_test(tcase, a_call_that_begins_only_now_comes_to_its_end);
	tcase_add_test(tcase, a_signal_that_the_call_became_does_not_come);
	suite_add_tcase(suite, tcase);
	return suite;
}
