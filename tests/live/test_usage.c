/* The kernel's account of a process that has ended. */
#include "live/usage.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "support/suite.h"

static const uint64_t least_ns = 20000000; /* in user mode, and in the kernel */

/* Works in user mode and in the kernel until ticks have met it in both. */
_Noreturn static void
work(void)
{
	static char page[65536];
	int zero = open("/dev/zero", O_RDONLY);
	uint64_t user_ns, system_ns;

	do {
		if (prf_clock_modes_of_process(getpid(), &user_ns, &system_ns))
			_exit(1);
		if (user_ns < least_ns)
			for (volatile int turns = 0; turns < 100000; turns++)
				;
		else if (read(zero, page, sizeof page) < 0)
			_exit(1);
	} while (user_ns < least_ns || system_ns < least_ns);
	_exit(0);
}

START_TEST(a_zombie_has_its_user_and_its_system_time)
{
	siginfo_t ended;
	uint64_t cpu_ns;
	pid_t child = fork();

	if (child == 0)
		work();
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT),
			 0);
	ck_assert_int_eq(ended.si_status, 0);
	struct prf_usage usage = prf_usage_read(child);
	ck_assert_int_eq(prf_clock_of_process(child, &cpu_ns), 0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert(!usage.unknown);
	ck_assert_uint_eq(usage.cpu_ns, cpu_ns);
	/* A tick of user mode between the two readings is told as the kernel's. */
	ck_assert_uint_ge(usage.user_ns, least_ns);
	ck_assert_uint_ge(usage.system_ns, least_ns / 2);
	struct prf_usage_modes modes = prf_usage_modes(&usage);
	ck_assert_uint_eq(modes.user_ns + modes.system_ns, cpu_ns);
	ck_assert_uint_gt(modes.user_ns, 0);
	ck_assert_uint_gt(modes.system_ns, 0);
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
