#include "live/proc/schedstat.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

START_TEST(times_and_the_number_of_slices_are_three_numbers)
{
	struct prf_schedstat times;

	ck_assert_int_eq(
		prf_schedstat_parse("18446744073709551615 7 3\n", &times), 0);
	ck_assert_uint_eq(times.cpu_ns, UINT64_MAX);
	ck_assert_uint_eq(times.waited_ns, 7);
	ck_assert_uint_eq(times.n_slices, 3);
	ck_assert_int_eq(prf_schedstat_parse("12 7\n", &times), -EINVAL);
	ck_assert_int_eq(prf_schedstat_parse("12\n", &times), -EINVAL);
	ck_assert_int_eq(prf_schedstat_parse("", &times), -EINVAL);
}
END_TEST

START_TEST(the_clock_of_ones_own_thread_goes_on)
{
	uint64_t before_ns, after_ns;
	volatile unsigned work = 0;

	ck_assert_int_eq(prf_schedstat_read_cpu(getpid(), gettid(), &before_ns),
			 0);
	/* The kernel brings a running thread's up to date at its ticks. */
	do {
		for (unsigned i = 0; i < 1000000; i++)
			work += i;
		ck_assert_int_eq(
			prf_schedstat_read_cpu(getpid(), gettid(), &after_ns),
			0);
	} while (after_ns == before_ns);
	(void)work;
	ck_assert_uint_gt(after_ns, before_ns);
}
END_TEST

START_TEST(an_open_file_and_a_fresh_one_say_the_same_of_a_zombie)
{
	struct prf_schedstat opened, fresh;
	siginfo_t ended;
	pid_t zombie = fork();

	if (zombie == 0)
		_exit(0);
	int fd = prf_schedstat_open(zombie, zombie);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)zombie, &ended, WEXITED | WNOWAIT),
			 0);
	ck_assert_int_eq(prf_schedstat_pread(fd, &opened), 0);
	ck_assert_int_eq(prf_schedstat_read(zombie, zombie, &fresh), 0);
	ck_assert_uint_eq(opened.cpu_ns, fresh.cpu_ns);
	ck_assert_uint_gt(opened.cpu_ns, 0);
	ck_assert_uint_eq(opened.n_slices, fresh.n_slices);

	/* Nothing is left of it once it has been waited for. */
	ck_assert_int_eq(waitid(P_PID, (id_t)zombie, &ended, WEXITED), 0);
	ck_assert_int_eq(prf_schedstat_pread(fd, &opened), -ESRCH);
	close(fd);
}
END_TEST

START_TEST(a_thread_that_is_not_there_has_no_clock)
{
	uint64_t cpu_ns;

	ck_assert_int_eq(prf_schedstat_read_cpu(getpid(), 1, &cpu_ns), -ENOENT);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("schedstat");
	TCase *tcase = tcase_create("schedstat");

	tcase_add_test(tcase, times_and_the_number_of_slices_are_three_numbers);
	tcase_add_test(tcase, the_clock_of_ones_own_thread_goes_on);
	tcase_add_test(tcase,
		       an_open_file_and_a_fresh_one_say_the_same_of_a_zombie);
	tcase_add_test(tcase, a_thread_that_is_not_there_has_no_clock);
	suite_add_tcase(suite, tcase);
	return suite;
}
