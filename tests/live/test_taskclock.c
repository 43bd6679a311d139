#include "live/trigger/taskclock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "support/refuse.h"
#include "support/suite.h"
#include "workloads/work.h"

#define COOKIE UINT64_C(0x1234567890abcdef)
enum { MS = 1000000 };

static volatile sig_atomic_t n_signals, last_fd;
static volatile uint64_t last_cookie;

static void
on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	n_signals++;
	last_fd = info->si_fd;
	/* si_perf_data, behind si_addr; C library headers may lack it. */
	memcpy((void *)&last_cookie, (char *)&info->si_addr + 8, 8);
}

static void
catch_signal(int signal)
{
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO,
	};

	ck_assert_int_eq(sigaction(signal, &action, NULL), 0);
	n_signals = 0;
}

/* Nearly all of it in user mode. */
static void
burn(uint64_t ns)
{
	struct budget time = budget(ns);

	while (is_left(&time))
		spend(10 * TURNS_PER_US, 1);
}

static int
open_own(const struct prf_taskclock_config *config)
{
	struct prf_error err = {0};
	int fd = -1;

	ck_assert_msg(prf_taskclock_open(0, config, &fd, &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	return fd;
}

START_TEST(it_counts_the_cpu_time_of_its_thread)
{
	const struct prf_taskclock_config config = {
		.period_ns = UINT64_C(1000000000000),
		.silent = true,
	};
	uint64_t cpu_ns, start_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int fd = open_own(&config);

	burn(50 * MS);
	ck_assert_int_eq(prf_taskclock_read(fd, &cpu_ns), 0);
	ck_assert_uint_ge(cpu_ns, 48 * MS);
	ck_assert_uint_le(cpu_ns, prf_clock_ns(CLOCK_THREAD_CPUTIME_ID) -
					  start_ns + 20 * MS);
}
END_TEST

START_TEST(its_signal_has_the_cookie)
{
	const struct prf_taskclock_config config = {
		.period_ns = MS,
		.cookie = COOKIE,
		.user_only = true,
	};

	catch_signal(SIGTRAP);
	int fd = open_own(&config);
	burn(30 * MS);
	close(fd);
	ck_assert_int_ge(n_signals, 5);
	ck_assert_int_le(n_signals, 60);
	ck_assert_uint_eq(last_cookie, COOKIE);
	n_signals = 0;
	burn(5 * MS);
	ck_assert_int_eq(n_signals, 0);
}
END_TEST

START_TEST(once_restarted_it_has_the_new_period)
{
	const struct prf_taskclock_config config = {
		.period_ns = UINT64_C(1000000000000),
		.user_only = true,
	};

	catch_signal(SIGTRAP);
	int fd = open_own(&config);
	burn(10 * MS);
	ck_assert_int_eq(n_signals, 0);
	ck_assert_int_eq(prf_taskclock_restart(fd, MS, false), 0);
	burn(30 * MS);
	ck_assert_int_ge(n_signals, 5);
}
END_TEST

START_TEST(one_that_signals_once_waits_until_it_is_restarted)
{
	const struct prf_taskclock_config config = {
		.period_ns = MS,
		.user_only = true,
		.once = true,
	};

	if (prf_taskclock_try_blocked() != PRF_TASKCLOCK_WAITS)
		return; /* before Linux 6.1 there is none */
	catch_signal(SIGTRAP);
	int fd = open_own(&config);
	for (int i = 1; i <= 3; i++) {
		burn(20 * MS);
		ck_assert_int_eq(n_signals, i);
		ck_assert_int_eq(prf_taskclock_restart(fd, MS, true), 0);
	}
}
END_TEST

START_TEST(a_silent_one_sends_its_signal_once)
{
	const struct prf_taskclock_config config = {
		.period_ns = MS,
		.user_only = true,
		.silent = true,
		.disabled = true,
	};

	catch_signal(SIGUSR1);
	int fd = open_own(&config);
	burn(10 * MS);
	ck_assert_int_eq(n_signals, 0);
	ck_assert_int_eq(prf_taskclock_send_once(fd, getpid(), SIGUSR1), 0);
	burn(20 * MS);
	ck_assert_int_eq(n_signals, 1);
	ck_assert_int_eq(last_fd, fd);
}
END_TEST

START_TEST(a_thread_that_is_gone_has_none)
{
	const struct prf_taskclock_config config = {.period_ns = MS};
	struct prf_error err;
	pid_t child = fork();
	int fd;

	if (child == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_int_eq(prf_taskclock_open(child, &config, &fd, &err), -ESRCH);
}
END_TEST

static void
refuse_clocks(int code)
{
	ck_assert_int_eq(prf_refuse_call(SYS_perf_event_open, (unsigned)code),
			 0);
}

static const struct {
	int code;
	const char *says;
} refusals[] = {
	{EPERM, "seccomp"},
	{ENOSYS, "not implemented"},
	{EINVAL, "older than Linux 5.13"},
	{E2BIG, "older than Linux 5.13"},
	{EMFILE, "open files"},
};

START_TEST(a_refusal_says_why)
{
	const struct prf_taskclock_config config = {.period_ns = MS};
	struct prf_error err;
	int fd;

	refuse_clocks(refusals[_i].code);
	ck_assert_int_eq(prf_taskclock_open(0, &config, &fd, &err),
			 -refusals[_i].code);
	ck_assert_msg(strstr(err.text, refusals[_i].says) != NULL, "%s",
		      err.text);
}
END_TEST

START_TEST(what_is_refused_cannot_be_tried)
{
	refuse_clocks(EPERM);
	ck_assert_int_eq(prf_taskclock_try_blocked(), PRF_TASKCLOCK_KILLS);
}
END_TEST

START_TEST(the_child_that_tries_leaves_nothing_behind)
{
	catch_signal(SIGTRAP);
	prf_taskclock_try_blocked();
	ck_assert_int_eq(n_signals, 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

Suite *
prf_suite(void)
{
	const struct prf_taskclock_config any = {.period_ns = MS};
	Suite *suite = suite_create("taskclock");
	TCase *tcase = tcase_create("taskclock");
	int fd;

	if (prf_taskclock_open(0, &any, &fd, NULL))
		exit(77);
	close(fd);
	tcase_add_test(tcase, it_counts_the_cpu_time_of_its_thread);
	tcase_add_test(tcase, its_signal_has_the_cookie);
	tcase_add_test(tcase, once_restarted_it_has_the_new_period);
	tcase_add_test(tcase,
		       one_that_signals_once_waits_until_it_is_restarted);
	tcase_add_test(tcase, a_silent_one_sends_its_signal_once);
	tcase_add_test(tcase, a_thread_that_is_gone_has_none);
	tcase_add_loop_test(tcase, a_refusal_says_why, 0,
			    (int)(sizeof refusals / sizeof *refusals));
	tcase_add_test(tcase, what_is_refused_cannot_be_tried);
	tcase_add_test(tcase, the_child_that_tries_leaves_nothing_behind);
	suite_add_tcase(suite, tcase);
	return suite;
}
