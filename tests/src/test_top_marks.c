#include "src/top/top_marks.h"

#include <errno.h>

#include "core/scope.h"
#include "support/made_run.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static struct prf_top_marks marks;

static void
end(void)
{
	prf_top_marks_clear(&marks);
}

/* JIT code so far: TICKS in NAME, and 10 in a function that keeps its name. */
static struct prf_profile *
profile_of(const char *name, uint64_t ticks)
{
	const struct prf_count has = {ticks, (double)ticks}, kept = {10, 10};
	struct prf_profile *profile = prf_profile_new();
	struct prf_binary *jit =
		prf_profile_take(profile, prf_binary_new(PRF_BINARY_JIT, ""));

	ck_assert_int_eq(prf_binary_count_name(jit, name, &has), 0);
	ck_assert_int_eq(prf_binary_count_name(jit, "kept", &kept), 0);
	profile->total = (struct prf_count){ticks + 10, (double)ticks + 10};
	return profile;
}

/* What is shown of that at SECONDS; 0: nothing is. */
static uint64_t
look_at(const char *name, uint64_t ticks, uint64_t seconds, bool resets,
	bool all)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *so_far = profile_of(name, ticks);
	uint64_t since_ns = 0;

	prf_top_marks_move(&marks, so_far, seconds * UINT64_C(1000000000),
			   resets);
	int rc = prf_top_marks_take(&marks, so_far, all, &since_ns);
	ck_assert(rc == 0 || rc == -ERANGE);
	return rc ? 0 : so_far->total.ticks;
}

START_TEST(what_is_of_late_is_shown)
{
	ck_assert_uint_eq(look_at("f", 100, 1, false, false), 110);
	ck_assert_uint_eq(look_at("f", 105, 5, false, false), 115);
	/* The first mark is old enough. */
	ck_assert_uint_eq(look_at("f", 107, 6, false, false), 7);
	ck_assert_uint_eq(look_at("f", 112, 10, false, false), 12);
	ck_assert_uint_eq(look_at("f", 112, 11, false, false), 5);
	ck_assert_uint_eq(look_at("f", 112, 11, false, true), 122);
}
END_TEST

START_TEST(after_a_reset_all_is_what_came_since)
{
	look_at("f", 100, 1, false, true);
	ck_assert_uint_eq(look_at("f", 100, 2, true, true), 0);
	ck_assert_uint_eq(look_at("f", 103, 9, false, true), 3);
}
END_TEST

/* A JIT compiles a function again, to where its map had another. */
START_TEST(names_that_change_stop_nothing_for_long)
{
	look_at("interpreted", 100, 1, false, false);
	ck_assert_uint_eq(look_at("compiled", 105, 6, false, false), 0);
	ck_assert_uint_eq(look_at("compiled", 106, 7, false, false), 116);
	ck_assert_uint_eq(look_at("compiled", 110, 12, false, false), 4);
}
END_TEST

START_TEST(names_that_change_bring_nothing_back_that_was_forgotten)
{
	look_at("interpreted", 100, 1, true, true);
	ck_assert_uint_eq(look_at("compiled", 105, 2, false, true), 0);
	ck_assert_uint_eq(look_at("compiled", 106, 3, false, true), 0);
	ck_assert_uint_eq(look_at("compiled", 109, 4, false, true), 3);
}
END_TEST

Suite *
prf_suite(void)
{
	TCase *tcase = tcase_create("marks");
	Suite *suite = suite_create("top_marks");

	tcase_add_checked_fixture(tcase, NULL, end);
	tcase_add_test(tcase, what_is_of_late_is_shown);
	tcase_add_test(tcase, after_a_reset_all_is_what_came_since);
	tcase_add_test(tcase, names_that_change_stop_nothing_for_long);
	tcase_add_test(tcase,
		       names_that_change_bring_nothing_back_that_was_forgotten);
	suite_add_tcase(suite, tcase);
	return suite;
}
