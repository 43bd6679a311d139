#include "live/unseen.h"

#include <stdio.h>
#include <string.h>

#include "support/suite.h"

enum { PERIOD_NS = 10000000 };

static struct prf_unseen unseen;

static void
set_up(void)
{
	memset(&unseen, 0, sizeof unseen);
}

static void
end_many(const char *name, size_t n, uint64_t cpu_ns, uint64_t ticks)
{
	for (size_t i = 0; i < n; i++)
		prf_unseen_add(&unseen, name, cpu_ns, ticks);
}

START_TEST(processes_of_one_name_are_added_up)
{
	end_many("sh", 3, 5, 1);
	end_many("cc1", 1, 7, 2);
	end_many("sh", 2, 5, 0);
	ck_assert_str_eq(unseen.programs[0].name, "sh");
	ck_assert_uint_eq(unseen.programs[0].n_processes, 5);
	ck_assert_uint_eq(unseen.programs[0].cpu_ns, 25);
	ck_assert_uint_eq(unseen.programs[0].ticks, 3);
	ck_assert_str_eq(unseen.programs[1].name, "cc1");
	ck_assert_uint_eq(unseen.programs[2].n_processes, 0);
}
END_TEST

START_TEST(time_without_ticks_is_unseen)
{
	end_many("sh", 1000, PERIOD_NS / 2, 0);
	ck_assert_uint_eq(prf_unseen_ns(&unseen.programs[0], PERIOD_NS),
			  500ULL * PERIOD_NS);
}
END_TEST

/* One has a tick more than its time, the next has none. */
START_TEST(what_some_have_too_little_others_have_too_much)
{
	end_many("sh", 500, PERIOD_NS / 2, 0);
	end_many("sh", 500, PERIOD_NS / 2, 1);
	ck_assert_uint_eq(prf_unseen_ns(&unseen.programs[0], PERIOD_NS), 0);
}
END_TEST

START_TEST(what_may_be_chance_is_not_unseen)
{
	end_many("work", 1, 100ULL * PERIOD_NS, 85);
	ck_assert_uint_eq(prf_unseen_ns(&unseen.programs[0], PERIOD_NS), 0);
	end_many("idle", 1, PERIOD_NS / 2, 0);
	ck_assert_uint_eq(prf_unseen_ns(&unseen.programs[1], PERIOD_NS), 0);
}
END_TEST

START_TEST(of_many_programs_the_last_have_one_row)
{
	char name[PRF_THREAD_NAME_BYTES];

	for (int i = 0; i < 2 * PRF_UNSEEN_PROGRAMS; i++) {
		snprintf(name, sizeof name, "p%d", i);
		end_many(name, 1, 1, 0);
	}
	const struct prf_unseen_program *last =
		&unseen.programs[PRF_UNSEEN_PROGRAMS - 1];
	ck_assert_str_eq(last->name, "");
	ck_assert_uint_eq(last->n_processes, PRF_UNSEEN_PROGRAMS + 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("unseen");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, processes_of_one_name_are_added_up);
	tcase_add_test(tcase, time_without_ticks_is_unseen);
	tcase_add_test(tcase, what_some_have_too_little_others_have_too_much);
	tcase_add_test(tcase, what_may_be_chance_is_not_unseen);
	tcase_add_test(tcase, of_many_programs_the_last_have_one_row);
	suite_add_tcase(suite, tcase);
	return suite;
}
