/* The kernel's account of a process that has ended. */
#include "live/usage.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "support/suite.h"

enum { N_TICKS = 5 }; /* of user time, and of system time */

/* Works in user mode and in the kernel until both show. */
_Noreturn static void
work(void)
{
	static char page[65536];
	int zero = open("/dev/zero", O_RDONLY);
	struct tms used;

	do {
		times(&used);
		if (used.tms_utime < N_TICKS)
			for (volatile int turns = 0; turns < 100000; turns++)
				;
		else if (read(zero, page, sizeof page) < 0)
			_exit(1);
	} while (used.tms_utime < N_TICKS || used.tms_stime < N_TICKS);
	_exit(0);
}

static uint64_t
us_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

/* What the kernel tells divides the exact time in the same way, but never goes back
 * while the process asks for it. */
static void
check_near(uint64_t found_ns, const struct timeval *time)
{
	uint64_t tick_us = 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);

	ck_assert_uint_lt(found_ns / 1000, us_of(time) + tick_us);
	ck_assert_uint_gt(found_ns / 1000 + tick_us, us_of(time));
	ck_assert_uint_gt(found_ns / 1000, tick_us);
}

START_TEST(a_zombie_has_its_user_and_its_system_time)
{
	struct rusage told;
	siginfo_t ended;
	uint64_t cpu_ns;
	pid_t child = fork();

	if (child == 0)
		work();
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT),
			 0);
	struct prf_usage usage = prf_usage_read(child);
	ck_assert_int_eq(prf_clock_of_process(child, &cpu_ns), 0);
	ck_assert_int_eq(wait4(child, NULL, 0, &told), child);
	ck_assert(!usage.unknown);
	ck_assert_uint_eq(usage.cpu_ns, cpu_ns);
	struct prf_usage_modes modes = prf_usage_modes(&usage);
	check_near(modes.user_ns, &told.ru_utime);
	check_near(modes.system_ns, &told.ru_stime);
}
END_TEST

START_TEST(only_what_was_used_since_is_added)
{
	struct prf_usage sum = {.cpu_ns = 1, .user_ns = 2, .system_ns = 3};
	const struct prf_usage usage = {100, 50, 20, false};
	const struct prf_usage since = {60, 50, 30, false};

	prf_usage_add(&sum, &usage, &since);
	ck_assert_uint_eq(sum.cpu_ns, 41);
	ck_assert_uint_eq(sum.user_ns, 2);
	/* Accounts in steps may go back. */
	ck_assert_uint_eq(sum.system_ns, 3);
	ck_assert(!sum.unknown);
	prf_usage_add(&sum, &(struct prf_usage){.unknown = true}, &since);
	ck_assert(sum.unknown);
	prf_usage_add(&sum, &usage, &since);
	ck_assert(sum.unknown);
}
END_TEST

START_TEST(the_exact_time_is_divided_as_the_ticks_are)
{
	struct prf_usage usage = {.cpu_ns = 1000, .user_ns = 3, .system_ns = 1};
	struct prf_usage_modes modes = prf_usage_modes(&usage);

	ck_assert_uint_eq(modes.user_ns, 750);
	ck_assert_uint_eq(modes.system_ns, 250);
	usage.system_ns = 0;
	ck_assert_uint_eq(prf_usage_modes(&usage).user_ns, 1000);
	usage.user_ns = 0; /* nothing is known */
	ck_assert_uint_eq(prf_usage_modes(&usage).user_ns, 0);
	ck_assert_uint_eq(prf_usage_modes(&usage).system_ns, 0);
}
END_TEST

START_TEST(ones_own_usage_grows)
{
	struct prf_usage before = prf_usage_read(getpid());
	struct prf_usage after = prf_usage_read(getpid());

	ck_assert(!before.unknown);
	ck_assert_uint_gt(after.cpu_ns, before.cpu_ns);
	ck_assert(prf_usage_read(1 << 23).unknown);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("usage");
	TCase *tcase = tcase_create("usage");

	tcase_add_test(tcase, a_zombie_has_its_user_and_its_system_time);
	tcase_add_test(tcase, only_what_was_used_since_is_added);
	tcase_add_test(tcase, the_exact_time_is_divided_as_the_ticks_are);
	tcase_add_test(tcase, ones_own_usage_grows);
	suite_add_tcase(suite, tcase);
	return suite;
}
