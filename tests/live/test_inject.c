#include "live/stopped/inject.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif
#include <time.h>
#include <unistd.h>

#include "image/vdso.h"
#include "injectable.h"
#include "live/proc/status.h"
#include "support/suite.h"
#include "support/unanswered.h"
#include "traced.h"

/* More than an injection may touch below the stack pointer. */
enum { BELOW_BYTES = 1024 };

static void
read_memory(uint64_t addr, void *bytes, size_t n)
{
	struct iovec here = {bytes, n}, there = {(void *)(uintptr_t)addr, n};

	ck_assert_int_eq(process_vm_readv(child, &here, 1, &there, 1, 0),
			 (ssize_t)n);
}

static struct prf_thread_status
status_of_child(void)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_status_read_thread(child, child, &status), 0);
	return status;
}

#ifdef __x86_64__
/* Below the stack pointer is memory that never comes. */
static void
stand_on_nothing(void)
{
	char *never = prf_unanswered_map(16 << 10);

	if (!never)
		_exit(77);
	__asm__ volatile(
		"mov %0, %%rsp\n1: pause\n\tjmp 1b" ::"r"(never + 8192));
}

static void
stop_child(void)
{
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	prf_traced_wait(child);
	ck_assert_int_eq(prf_arch.read(child, &regs), 0);
}

START_TEST(a_stack_that_never_comes_is_not_waited_for_without_end)
{
	struct prf_injection injection;

	if (!prf_unanswered_map(4096))
		prf_skip("no memory can be made that never comes");
	child = prf_traced_runner(stand_on_nothing);
	/* At first it is on the stack that it has in common with the test. */
	uint64_t here = (uint64_t)(uintptr_t)&injection;
	for (stop_child(); here - regs.sp < 1 << 24; stop_child())
		ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, 0, "", 1),
			 -ETIMEDOUT);
	/* The thread that waits for it ends with it: a search for leaks stops
	 * all threads, and waits for them. */
	kill(child, SIGKILL);
	prf_traced_wait(child);
}
END_TEST
#endif

START_TEST(the_address_found_holds_a_system_call_instruction)
{
	uint8_t bytes[PRF_ARCH_MAX_INSN];

	prf_injectable_begin(NULL);
	read_memory(insn_addr, bytes, prf_arch.syscall_insn_bytes);
	ck_assert_mem_eq(bytes, prf_arch.syscall_insn,
			 prf_arch.syscall_insn_bytes);
}
END_TEST

START_TEST(an_injected_call_is_made_by_the_thread_itself)
{
	prf_injectable_begin(NULL);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
	ck_assert_int_eq(prf_injectable_call(SYS_gettid), child);
	ck_assert_int_eq(prf_injectable_call(SYS_getppid), getpid());
}
END_TEST

START_TEST(a_call_that_fails_gives_its_error)
{
	prf_injectable_begin(NULL);
	ck_assert_int_eq(prf_injectable_call(100000), -ENOSYS);
}
END_TEST

START_TEST(data_is_found_by_the_call_and_read_back)
{
	struct prf_injection injection;
	uint64_t clock[2] = {0, 0}, args[6] = {CLOCK_MONOTONIC};
	int64_t result;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, insn_addr,
					  clock, sizeof clock),
			 0);
	args[1] = injection.data_addr;
	ck_assert_int_eq(
		prf_inject_call(&injection, SYS_clock_gettime, args, &result),
		0);
	ck_assert_int_eq(result, 0);
	ck_assert_int_eq(prf_inject_read(&injection, clock), 0);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	ck_assert_uint_gt(clock[0] + clock[1], 0);
}
END_TEST

static void
block_two(void)
{
	sigset_t two;

	sigemptyset(&two);
	sigaddset(&two, SIGUSR1);
	sigaddset(&two, SIGTRAP);
	sigprocmask(SIG_BLOCK, &two, NULL);
	signal(SIGTRAP, SIG_IGN);
}

static void
check_as_before(const struct prf_thread_status *before)
{
	const struct prf_thread_status after = status_of_child();
	struct prf_regs regs_after;

	ck_assert_int_eq(prf_arch.read(child, &regs_after), 0);
	ck_assert_uint_eq(regs.raw_bytes, regs_after.raw_bytes);
	ck_assert_mem_eq(regs.raw, regs_after.raw, regs.raw_bytes);
	ck_assert_uint_eq(before->signals_blocked, after.signals_blocked);
	ck_assert_uint_eq(before->signals_caught, after.signals_caught);
	ck_assert_uint_eq(before->signals_ignored, after.signals_ignored);
	ck_assert_uint_ne(after.signals_ignored & 1 << (SIGTRAP - 1), 0);
}

START_TEST(registers_memory_and_signals_are_as_before)
{
	uint8_t before[BELOW_BYTES], after[BELOW_BYTES];

	prf_injectable_begin(block_two);
	struct prf_thread_status status = status_of_child();
	read_memory(regs.sp - BELOW_BYTES, before, sizeof before);
	prf_injectable_call(SYS_getpid);
	read_memory(regs.sp - BELOW_BYTES, after, sizeof after);
	ck_assert_mem_eq(before, after, sizeof before);
	check_as_before(&status);
}
END_TEST

/* Memory may be waited for, for ever. */
START_TEST(all_but_the_data_is_as_before_when_the_data_is_read)
{
	struct prf_injection injection;
	uint64_t data[2] = {1, 2};
	int64_t result;

	prf_injectable_begin(block_two);
	struct prf_thread_status status = status_of_child();
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, insn_addr,
					  data, sizeof data),
			 0);
	check_as_before(&status);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(prf_inject_call(&injection, SYS_getppid,
						 (uint64_t[6]){0}, &result),
				 0);
		ck_assert_int_eq(result, getpid());
		ck_assert_int_eq(prf_inject_read(&injection, data), 0);
		check_as_before(&status);
	}
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	check_as_before(&status);
}
END_TEST

#ifdef __aarch64__
static void
fill_vectors(void)
{
	__asm__ volatile(".arch_extension sve\n\t"
			 "ptrue p0.b\n\t"
			 "mov z0.b, #5" ::
				 : "v0");
}

/* Any call of its own would clear all but 128 bits of each. */
START_TEST(what_calls_destroy_is_as_before)
{
	struct prf_vectors before, after;

	if (!(getauxval(AT_HWCAP) & HWCAP_SVE))
		prf_skip("this machine has no SVE");
	prf_injectable_begin(fill_vectors);
	ck_assert_int_eq(prf_arch.read_vectors(child, &before), 0);
	ck_assert_ptr_nonnull(before.data);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
	ck_assert_int_eq(prf_arch.read_vectors(child, &after), 0);
	ck_assert_int_eq(after.type, before.type);
	ck_assert_uint_eq(after.bytes, before.bytes);
	ck_assert_mem_eq(after.data, before.data, before.bytes);
	free(before.data);
	free(after.data);
}
END_TEST
#endif

START_TEST(too_much_data_and_a_stack_at_nowhere_are_refused)
{
	struct prf_injection injection;
	uint8_t data[PRF_INJECT_MAX_DATA + 1] = {0};

	prf_injectable_begin(NULL);
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, insn_addr,
					  data, sizeof data),
			 -EFAULT);
	regs.sp = 100;
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, insn_addr,
					  data, 100),
			 -EFAULT);
	regs.sp = 4096;
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs, insn_addr,
					  data, 100),
			 -EFAULT);
}
END_TEST

static void
turn_for_ever(void)
{
	for (;;)
		__asm__ volatile("");
}

/* What should have been a system call is something else by now. */
START_TEST(a_call_that_never_begins_is_given_up)
{
	struct prf_injection injection;
	struct prf_regs after;
	const uint64_t none[6] = {0};
	int64_t result;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs,
					  (uint64_t)(uintptr_t)turn_for_ever,
					  "", 1),
			 0);
	ck_assert_int_eq(
		prf_inject_call(&injection, SYS_getppid, none, &result),
		-ETIMEDOUT);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	ck_assert_int_eq(prf_arch.read(child, &after), 0);
	ck_assert_uint_eq(after.pc, regs.pc);
	ck_assert_uint_eq(after.sp, regs.sp);
	ck_assert_uint_eq(status_of_child().signals_blocked, 0);
}
END_TEST

/* (A sanitizer would call something before.) */
static __attribute__((no_sanitize("address", "undefined"))) void
crash(void)
{
	__builtin_trap();
}

/* The kernel forces a signal on the thread, which blocks all. */
START_TEST(a_signal_that_comes_instead_of_a_call_is_not_delivered)
{
	struct prf_injection injection;
	struct prf_regs after;
	const uint64_t none[6] = {0};
	int64_t result;

	prf_injectable_begin(NULL);
	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs,
					  (uint64_t)(uintptr_t)crash, "", 1),
			 0);
	ck_assert_int_eq(
		prf_inject_call(&injection, SYS_getppid, none, &result),
		-ECANCELED);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	ck_assert_int_eq(prf_arch.read(child, &after), 0);
	ck_assert_uint_eq(after.pc, regs.pc);
	insn_addr = prf_inject_find_insn(child);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
}
END_TEST

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
enum { DISPATCH_OFF, DISPATCH_ON };
static volatile char selector;
static const uint64_t sigsys = 1ULL << (SIGSYS - 1);

static void
handle(int signal)
{
	_exit(signal);
}

static void
handle_sigsys(void)
{
	signal(SIGSYS, handle);
}

/* As at the beginning of its handler. */
static void
block_sigsys(void)
{
	sigset_t one;

	handle_sigsys();
	sigemptyset(&one);
	sigaddset(&one, SIGSYS);
	sigprocmask(SIG_BLOCK, &one, NULL);
}

static void (*const handlers[])(void) = {handle_sigsys, block_sigsys};
enum { N_HANDLERS = sizeof handlers / sizeof *handlers };
static void (*begin_handler)(void);

static void
dispatch_calls(void)
{
	begin_handler();
	prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, 0, 0, &selector);
	selector = 1; /* BLOCK */
}

/* As before Linux 6.4, where nothing tells that it will be so. */
START_TEST(a_call_that_is_dispatched_leaves_the_handler)
{
	struct prf_injection injection;
	const uint64_t none[6] = {0};
	int64_t result;

	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_OFF, 0, 0, 0))
		prf_skip("system calls cannot be dispatched");
	begin_handler = handlers[_i];
	prf_injectable_begin(dispatch_calls);
	const uint64_t blocked = status_of_child().signals_blocked;
	ck_assert_int_eq(
		prf_inject_begin(&injection, child, &regs, insn_addr, "", 1),
		0);
	ck_assert_int_eq(
		prf_inject_call(&injection, SYS_getppid, none, &result),
		-ECANCELED);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	struct prf_thread_status status = status_of_child();
	ck_assert_uint_ne(status.signals_caught & sigsys, 0);
	ck_assert_uint_eq(status.signals_blocked, blocked);
	ck_assert_uint_eq(status.signals_pending & sigsys, 0);
}
END_TEST

/* The next signal that comes to the child. */
static siginfo_t
next_signal(void)
{
	siginfo_t info;
	int wait_status = prf_traced_go(child, 0);

	ck_assert(WIFSTOPPED(wait_status));
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &info), 0);
	return info;
}

/* It comes as it was sent; where the program blocks it, when it does not any more. */
START_TEST(a_sigsys_that_was_sent_waits_for_the_end)
{
	const uint64_t none = 0;

	prf_injectable_begin(handlers[_i]);
	ck_assert_int_eq(
		sigqueue(child, SIGSYS, (union sigval){.sival_int = 42}), 0);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
	ck_assert_int_eq(prf_injectable_call(SYS_getpid), child);
	ck_assert_uint_eq(status_of_child().signals_blocked, _i ? sigsys : 0);
	ck_assert_int_eq(
		ptrace(PTRACE_SETSIGMASK, child, (void *)sizeof none, &none),
		0);
	siginfo_t info = next_signal();
	ck_assert_int_eq(info.si_signo, SIGSYS);
	ck_assert_int_eq(info.si_code, SI_QUEUE);
	ck_assert_int_eq(info.si_pid, getpid());
	ck_assert_int_eq(info.si_value.sival_int, 42);
}
END_TEST

/* Memory of the program's own in the place of the vDSO. */
static void
replace_vdso(void)
{
	size_t bytes;
	const void *base = prf_vdso(&bytes);
	void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(copy, base, bytes);
	mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)base);
}

START_TEST(what_stands_in_for_the_vdso_is_not_run)
{
	child = prf_traced_spinner(replace_vdso, &regs);
	ck_assert_uint_eq(prf_inject_find_insn(child), 0);
}
END_TEST

START_TEST(a_process_that_is_gone_has_no_instruction)
{
	prf_injectable_begin(NULL);
	kill(child, SIGKILL);
	prf_traced_wait(child);
	ck_assert_uint_eq(prf_inject_find_insn(child), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("inject");
	TCase *tcase = tcase_create("inject");

#ifdef __x86_64__
	tcase_add_test(tcase,
		       a_stack_that_never_comes_is_not_waited_for_without_end);
#endif
	tcase_add_test(tcase,
		       the_address_found_holds_a_system_call_instruction);
	tcase_add_test(tcase, an_injected_call_is_made_by_the_thread_itself);
	tcase_add_test(tcase, a_call_that_fails_gives_its_error);
	tcase_add_test(tcase, data_is_found_by_the_call_and_read_back);
	tcase_add_test(tcase, registers_memory_and_signals_are_as_before);
	tcase_add_test(tcase,
		       all_but_the_data_is_as_before_when_the_data_is_read);
#ifdef __aarch64__
	tcase_add_test(tcase, what_calls_destroy_is_as_before);
#endif
	tcase_add_test(tcase, too_much_data_and_a_stack_at_nowhere_are_refused);
	tcase_add_test(tcase, a_call_that_never_begins_is_given_up);
	tcase_add_test(tcase,
		       a_signal_that_comes_instead_of_a_call_is_not_delivered);
	tcase_add_loop_test(tcase, a_call_that_is_dispatched_leaves_the_handler,
			    0, N_HANDLERS);
	tcase_add_loop_test(tcase, a_sigsys_that_was_sent_waits_for_the_end, 0,
			    N_HANDLERS);
	tcase_add_test(tcase, what_stands_in_for_the_vdso_is_not_run);
	tcase_add_test(tcase, a_process_that_is_gone_has_no_instruction);
	suite_add_tcase(suite, tcase);
	return suite;
}
