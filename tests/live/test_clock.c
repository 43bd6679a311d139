#include "live/proc/clock.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

START_TEST(the_clock_of_this_process_goes_on_while_it_works)
{
	uint64_t before_ns, after_ns;

	ck_assert_int_eq(prf_clock_of_process(getpid(), &before_ns), 0);
	while (prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < before_ns + 1000000)
		;
	ck_assert_int_eq(prf_clock_of_process(getpid(), &after_ns), 0);
	ck_assert_uint_ge(after_ns, before_ns + 1000000);
}
END_TEST

START_TEST(a_zombie_has_its_time_and_a_reaped_process_has_not)
{
	const uint64_t quota_ns = 20000000;
	uint64_t cpu_ns;
	siginfo_t info;
	pid_t child = fork();

	if (child == 0) {
		while (prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < quota_ns)
			;
		_exit(0);
	}
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
			 0);
	ck_assert_int_eq(prf_clock_of_process(child, &cpu_ns), 0);
	ck_assert_uint_ge(cpu_ns, quota_ns);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_int_eq(prf_clock_of_process(child, &cpu_ns), -ESRCH);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("clock");
	TCase *tcase = tcase_create("clock");

	tcase_add_test(tcase, the_clock_of_this_process_goes_on_while_it_works);
	tcase_add_test(tcase,
		       a_zombie_has_its_time_and_a_reaped_process_has_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
