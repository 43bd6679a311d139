#include "live/probe.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/refuse.h"
#include "support/suite.h"

static struct prf_probe probe;

START_TEST(what_the_other_tests_need_is_found_to_work)
{
	prf_probe_machine(&probe);
	ck_assert_msg(probe.ptrace.code == 0, "%s", probe.ptrace.text);
	ck_assert_uint_ge(probe.tick_ns, 100000);
	ck_assert_uint_le(probe.tick_ns, 20000000);
}
END_TEST

/* In a child that ends at once: a sanitizer would want to trace. */
START_TEST(without_ptrace_there_is_no_timer)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (prf_refuse_call(SYS_ptrace, EPERM))
			_exit(2);
		prf_probe_machine(&probe);
		_exit(!(probe.ptrace.code == -EPERM && probe.timer.code &&
			probe.seccomp_mode == 2));
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_refused_timer_says_so_and_ptrace_still_works)
{
	ck_assert_int_eq(prf_refuse_call(SYS_timer_create, EPERM), 0);
	prf_probe_machine(&probe);
	ck_assert_int_eq(probe.ptrace.code, 0);
	ck_assert_int_ne(probe.timer.code, 0);
	ck_assert_ptr_nonnull(strstr(probe.timer.text, "seccomp"));
	prf_pass_without_timers();
}
END_TEST

START_TEST(a_refused_ring_says_so_and_the_timer_still_works)
{
	prf_probe_machine(&probe);
	int timer_code = probe.timer.code;

	ck_assert_int_eq(prf_refuse_call(SYS_perf_event_open, EPERM), 0);
	prf_probe_machine(&probe);
	ck_assert_int_eq(probe.timer.code, timer_code);
	ck_assert_int_eq(probe.ring.code, -EPERM);
	ck_assert_int_eq(probe.ring_user.code, -EPERM);
	ck_assert_ptr_nonnull(strstr(probe.ring.text, "seccomp"));
}
END_TEST

static int
count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

START_TEST(it_leaves_no_child_and_no_file)
{
	int before = count_files();

	prf_probe_machine(&probe);
	ck_assert_int_eq(count_files(), before);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("probe");
	TCase *tcase = tcase_create("probe");

	prf_probe_machine(&probe);
	if (probe.ptrace.code)
		exit(77);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, what_the_other_tests_need_is_found_to_work);
	tcase_add_test(tcase, without_ptrace_there_is_no_timer);
	tcase_add_test(tcase, a_refused_timer_says_so_and_ptrace_still_works);
	tcase_add_test(tcase, a_refused_ring_says_so_and_the_timer_still_works);
	tcase_add_test(tcase, it_leaves_no_child_and_no_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
