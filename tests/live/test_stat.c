#include "live/proc/stat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"
#include "uring_worker.h"

/* The command's name can be anything: the fields are counted from its end. */
static const char stat_text[] =
	"42 (a) R (b c) S 1 2 3 4 5 6 7 8 9 10 250 75 13 14 15 16 17 18 19 "
	"20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 6 39 40 41 42 "
	"43 44 1000 1100 1101 1200 52\n";

START_TEST(page_faults_are_those_of_the_thread_alone)
{
	uint64_t n;

	ck_assert_int_eq(prf_stat_parse_faults(stat_text, &n), 0);
	ck_assert_uint_eq(n, 7 + 9);
	ck_assert_int_eq(prf_stat_parse_faults("1 (a) S 1 2 3 4 5 6 7 8", &n),
			 -EINVAL);
}
END_TEST

START_TEST(reading_counts_a_page_fault)
{
	uint64_t before, after;

	ck_assert_int_eq(prf_stat_read_faults(getpid(), getpid(), &before), 0);
	volatile char *page = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*page = 1;
	ck_assert_int_eq(prf_stat_read_faults(getpid(), getpid(), &after), 0);
	ck_assert_uint_gt(after, before);
	munmap((void *)page, 1 << 16);
}
END_TEST

START_TEST(the_processor_is_the_39th_field)
{
	int cpu;
	char text[1024] = "1 (x)";

	for (int field = 3; field <= 41; field++)
		sprintf(text + strlen(text), " %d",
			field == 39 ? 6 : 1000 + field);
	ck_assert_int_eq(prf_stat_parse_processor(text, &cpu), 0);
	ck_assert_int_eq(cpu, 6);
}
END_TEST

START_TEST(a_state_stands_behind_whatever_name)
{
	ck_assert_int_eq(prf_stat_parse_state("1 (a) S) R 2"), 'R');
	ck_assert_int_eq(prf_stat_parse_state("1 (a"), '\0');
}
END_TEST

START_TEST(a_stat_that_is_cut_short_is_refused)
{
	int cpu;

	for (size_t n = 0; n < 30; n++) {
		char *cut = strndup(stat_text, n);

		ck_assert_int_eq(prf_stat_parse_processor(cut, &cpu), -EINVAL);
		free(cut);
	}
}
END_TEST

START_TEST(the_flags_are_the_9th_field)
{
	uint64_t flags;

	ck_assert_int_eq(prf_stat_parse_flags(stat_text, &flags), 0);
	ck_assert_uint_eq(flags, 6);
	ck_assert_int_eq(prf_stat_parse_flags("1 (a) S 1 2 3 4 5", &flags),
			 -EINVAL);
}
END_TEST

START_TEST(the_strings_are_in_the_48th_field_and_those_behind_it)
{
	struct prf_stat_strings strings;

	ck_assert_int_eq(prf_stat_parse_strings(stat_text, &strings), 0);
	ck_assert_uint_eq(strings.args, 1000);
	ck_assert_uint_eq(strings.args_end, 1100);
	ck_assert_uint_eq(strings.env, 1101);
	ck_assert_uint_eq(strings.env_end, 1200);
	ck_assert_int_eq(prf_stat_parse_strings("1 (a) S 1 2 3", &strings),
			 -EINVAL);
}
END_TEST

START_TEST(a_worker_of_the_kernels_is_told_from_a_thread)
{
	pid_t child = fork(), worker;

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prf_uring_begin_worker();
		raise(SIGSTOP);
	}
	ck_assert_int_eq(waitpid(child, NULL, WUNTRACED), child);
	worker = prf_uring_worker_of(child);
	ck_assert(!prf_stat_is_worker(child, child));
	if (worker)
		ck_assert(prf_stat_is_worker(child, worker));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}
END_TEST

START_TEST(ones_own_thread_runs)
{
	ck_assert_int_eq(prf_stat_read_state(getpid(), gettid()), 'R');
}
END_TEST

START_TEST(a_thread_that_is_not_there_has_no_state)
{
	ck_assert_int_eq(prf_stat_read_state(getpid(), 1), '\0');
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stat");
	TCase *tcase = tcase_create("stat");

	tcase_add_test(tcase, page_faults_are_those_of_the_thread_alone);
	tcase_add_test(tcase, reading_counts_a_page_fault);
	tcase_add_test(tcase, the_processor_is_the_39th_field);
	tcase_add_test(tcase, a_state_stands_behind_whatever_name);
	tcase_add_test(tcase, a_stat_that_is_cut_short_is_refused);
	tcase_add_test(tcase, the_flags_are_the_9th_field);
	tcase_add_test(tcase,
		       the_strings_are_in_the_48th_field_and_those_behind_it);
	tcase_add_test(tcase, a_worker_of_the_kernels_is_told_from_a_thread);
	tcase_add_test(tcase, ones_own_thread_runs);
	tcase_add_test(tcase, a_thread_that_is_not_there_has_no_state);
	suite_add_tcase(suite, tcase);
	return suite;
}
