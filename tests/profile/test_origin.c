#include "profile/origin.h"

#include "support/suite.h"

static struct prf_origin
told(const char *command, const char *clock, uint64_t begun_s)
{
	struct prf_origin origin = {0};

	ck_assert_int_eq(prf_origin_tell(&origin, command, clock, begun_s), 0);
	return origin;
}

/* JOINED with OTHER, which is cleared. */
static void
join(struct prf_origin *joined, struct prf_origin other)
{
	ck_assert_int_eq(prf_origin_join(joined, &other), 0);
	prf_origin_clear(&other);
}

START_TEST(what_is_no_clock_or_no_command_is_not_known)
{
	struct prf_origin origin = told("", "sun", 0);

	ck_assert(origin.is_told);
	ck_assert_ptr_null(origin.command);
	ck_assert_ptr_null(origin.clock);
	prf_origin_clear(&origin);
	ck_assert(!origin.is_told);
}
END_TEST

START_TEST(the_first_run_is_taken_as_it_is)
{
	struct prf_origin origin = {0};

	join(&origin, (struct prf_origin){0});
	ck_assert(!origin.is_told);
	join(&origin, told("prog -x", "wall", 77));
	join(&origin, (struct prf_origin){0});
	ck_assert_str_eq(origin.command, "prog -x");
	ck_assert_str_eq(origin.clock, "wall");
	ck_assert_uint_eq(origin.begun_s, 77);
	prf_origin_clear(&origin);
}
END_TEST

START_TEST(of_several_runs_what_they_agree_in_stays)
{
	struct prf_origin origin = told("prog", "cpu", 77);

	join(&origin, told("prog", "cpu", 78));
	ck_assert_str_eq(origin.command, "prog");
	ck_assert_str_eq(origin.clock, "cpu");
	ck_assert_uint_eq(origin.begun_s, 0);
	join(&origin, told("other", "user", 0));
	ck_assert_ptr_null(origin.command);
	ck_assert_ptr_null(origin.clock);
	/* It does not come back. */
	join(&origin, told("other", "user", 78));
	ck_assert_ptr_null(origin.command);
	ck_assert_ptr_null(origin.clock);
	ck_assert_uint_eq(origin.begun_s, 0);
	prf_origin_clear(&origin);
}
END_TEST

START_TEST(with_a_run_of_which_nothing_is_known_nothing_is)
{
	struct prf_origin origin = told("prog", "cpu", 77);

	join(&origin, told(NULL, NULL, 0));
	ck_assert_ptr_null(origin.command);
	ck_assert_ptr_null(origin.clock);
	ck_assert_uint_eq(origin.begun_s, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("origin");
	TCase *tcase = tcase_create("origin");

	tcase_add_test(tcase, what_is_no_clock_or_no_command_is_not_known);
	tcase_add_test(tcase, the_first_run_is_taken_as_it_is);
	tcase_add_test(tcase, of_several_runs_what_they_agree_in_stays);
	tcase_add_test(tcase, with_a_run_of_which_nothing_is_known_nothing_is);
	suite_add_tcase(suite, tcase);
	return suite;
}
