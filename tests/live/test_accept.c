#include "live/stopped/accept.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/proc/status.h"
#include "live/stopped/inject.h"
#include "support/suite.h"
#include "traced.h"

static pid_t child;
static struct prf_regs regs;

static void
block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
}

static void
set_up(void)
{
	child = prf_traced_spinner(block_all, &regs);
}

static void
send(int signal)
{
	ck_assert_int_eq(syscall(SYS_tgkill, child, child, signal), 0);
}

static uint64_t
pending(void)
{
	struct prf_thread_status status;

	ck_assert_int_eq(prf_status_read_thread(child, child, &status), 0);
	return status.signals_pending;
}

START_TEST(the_next_of_a_number_is_found_among_others)
{
	siginfo_t info;

	ck_assert(!prf_accept_next(child, SIGURG, &info));
	for (int i = 0; i < 20; i++)
		send(SIGRTMIN);
	ck_assert(!prf_accept_next(child, SIGURG, &info));
	send(SIGURG);
	ck_assert(prf_accept_next(child, SIGURG, &info));
	ck_assert_int_eq(info.si_signo, SIGURG);
	ck_assert_int_eq(info.si_pid, getpid());
}
END_TEST

START_TEST(what_is_accepted_waits_no_more_and_the_rest_does)
{
	struct prf_regs after;

	send(SIGURG);
	send(SIGTRAP);
	ck_assert_int_eq(
		prf_accept(child, prf_inject_find_insn(child), SIGURG, NULL),
		0);
	ck_assert_uint_eq(pending(), 1ULL << (SIGTRAP - 1));
	ck_assert_int_eq(prf_arch.read(child, &after), 0);
	ck_assert_uint_eq(after.pc, regs.pc);
	ck_assert_uint_eq(after.sp, regs.sp);
}
END_TEST

START_TEST(where_none_waits_nothing_is_waited_for)
{
	ck_assert_int_eq(
		prf_accept(child, prf_inject_find_insn(child), SIGURG, NULL),
		0);
	ck_assert_uint_eq(pending(), 0);
}
END_TEST

START_TEST(a_thread_that_is_gone_accepts_none)
{
	siginfo_t info;

	kill(child, SIGKILL);
	prf_traced_wait(child);
	ck_assert(!prf_accept_next(child, SIGURG, &info));
	ck_assert_int_eq(prf_accept(child, 1, SIGURG, NULL), -ESRCH);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("accept");
	TCase *tcase = tcase_create("accept");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, the_next_of_a_number_is_found_among_others);
	tcase_add_test(tcase, what_is_accepted_waits_no_more_and_the_rest_does);
	tcase_add_test(tcase, where_none_waits_nothing_is_waited_for);
	tcase_add_test(tcase, a_thread_that_is_gone_accepts_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
