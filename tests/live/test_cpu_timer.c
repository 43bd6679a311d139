#include "live/trigger/cpu_timer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "live/proc/procfs.h"
#include "live/stop.h"
#include "support/suite.h"
#include "traced.h"

enum { COOKIE = 0x5eed };

static struct prf_injection injection;
static pid_t child;

static struct prf_cpu_timer
timer_of(pid_t tid)
{
	return (struct prf_cpu_timer){
		.tid = tid,
		.signal = SIGUSR1,
		.cookie = COOKIE,
		.first_ns = 20000000,
		.period_ns = 3500000000,
	};
}

/* A child makes it, for TID or (0) itself; what the calls said. */
static int64_t
make(pid_t tid, int *id)
{
	struct prf_regs regs;
	int64_t result = 1;

	child = prf_traced_spinner(NULL, &regs);
	struct prf_cpu_timer timer = timer_of(tid ? tid : child);
	struct prf_cpu_timer_data data = prf_cpu_timer_data(&timer);

	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs,
					  prf_inject_find_insn(child), &data,
					  sizeof data),
			 0);
	ck_assert_int_eq(prf_cpu_timer_make(&injection, &timer, id, &result),
			 0);
	return result;
}

/* What the kernel lists of the child's timers; to be free()d. */
static char *
list(void)
{
	char path[64];
	size_t size;

	snprintf(path, sizeof path, "/proc/%d/timers", child);
	char *text = prf_procfs_slurp(path, &size);
	ck_assert_ptr_nonnull(text);
	return text;
}

START_TEST(times_are_seconds_and_nanoseconds)
{
	struct prf_cpu_timer timer = timer_of(42);
	struct prf_cpu_timer_data data = prf_cpu_timer_data(&timer);

	ck_assert_int_eq(data.spec.value_s, 0);
	ck_assert_int_eq(data.spec.value_ns, 20000000);
	ck_assert_int_eq(data.spec.interval_s, 3);
	ck_assert_int_eq(data.spec.interval_ns, 500000000);
	ck_assert_int_eq(data.event.tid, 42);
	ck_assert_int_eq(data.event.notify, SIGEV_THREAD_ID);
}
END_TEST

START_TEST(it_expires_by_the_clock_of_its_thread_and_says_whose_it_is)
{
	siginfo_t info;
	int id = -1;

	ck_assert_int_eq(make(0, &id), 0);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	ck_assert_int_ge(id, 0);

	struct prf_stop stop = prf_stop_of_wait(child, prf_traced_go(child, 0));

	ck_assert_int_eq(stop.kind, PRF_STOP_SIGNAL);
	ck_assert_int_eq(stop.signal, SIGUSR1);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &info), 0);
	ck_assert_int_eq(info.si_code, SI_TIMER);
	ck_assert_int_eq(info.si_int, COOKIE);
}
END_TEST

/* Not the scheduler's, by which the ends of bursts have too many samples. */
START_TEST(its_clock_is_the_one_that_counts_the_kernels_ticks)
{
	enum { KIND = 3, SCHED = 2 };
	int id = -1, clock = SCHED;

	ck_assert_int_eq(make(0, &id), 0);
	char *text = list();
	const char *at = strstr(text, "ClockID: ");

	ck_assert_ptr_nonnull(at);
	ck_assert_int_eq(sscanf(at, "ClockID: %d", &clock), 1);
	ck_assert_int_eq(clock & KIND, 0);
	free(text);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
}
END_TEST

START_TEST(what_was_made_is_gone_once_deleted)
{
	int id = -1;

	ck_assert_int_eq(make(0, &id), 0);
	char *text = list();

	ck_assert_msg(strstr(text, "ID: ") != NULL, "%s", text);
	free(text);
	ck_assert_int_eq(prf_cpu_timer_delete(&injection, id), 0);
	text = list();
	ck_assert_str_eq(text, "");
	free(text);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
}
END_TEST

START_TEST(a_thread_of_another_process_has_no_clock_there)
{
	int id = -1;

	ck_assert_int_eq(make(getpid(), &id), -EINVAL);
	ck_assert_int_eq(id, -1);
	ck_assert_int_eq(prf_inject_end(&injection), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("cpu_timer");
	TCase *tcase = tcase_create("cpu_timer");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, times_are_seconds_and_nanoseconds);
	tcase_add_test(
		tcase,
		it_expires_by_the_clock_of_its_thread_and_says_whose_it_is);
	tcase_add_test(tcase,
		       its_clock_is_the_one_that_counts_the_kernels_ticks);
	tcase_add_test(tcase, what_was_made_is_gone_once_deleted);
	tcase_add_test(tcase, a_thread_of_another_process_has_no_clock_there);
	suite_add_tcase(suite, tcase);
	return suite;
}
