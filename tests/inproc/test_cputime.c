/* CPU time by numbers: whose it is, and when to look again. */
#include "inproc/cputime.h"
#include "support/suite.h"

#define TICK_NS INT64_C(10000000)
#define TICKS(n) ((int64_t)(n)*TICK_NS)

static struct prf_cputime cputime;
static struct prf_cputime_rest rest;

static void
begin(void)
{
	cputime = (struct prf_cputime){.tick_ns = TICK_NS};
	rest = (struct prf_cputime_rest){0};
}

START_TEST(time_of_threads_with_a_clock_is_theirs)
{
	prf_cputime_balance(&cputime, &rest, TICKS(10), TICKS(10) - 1);
	ck_assert_int_eq(rest.unknown_ns, 1);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 0);
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, TICKS(10)), 0);
}
END_TEST

START_TEST(time_of_nobody_is_unseen_once)
{
	prf_cputime_balance(&cputime, &rest, TICKS(10), TICKS(6) + 1);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 3);
	prf_cputime_balance(&cputime, &rest, TICKS(10), TICKS(6) + 1);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 0);
	prf_cputime_balance(&cputime, &rest, TICKS(10) + 1, TICKS(6) + 1);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 1);
}
END_TEST

START_TEST(ticks_of_a_thread_that_has_ended_explain_its_time)
{
	prf_cputime_end(&cputime, &rest, TICKS(5), 5);
	prf_cputime_balance(&cputime, &rest, TICKS(8), TICKS(3));
	ck_assert_int_eq(rest.unknown_ns, 0);
	ck_assert_int_eq(rest.lost_ns, 0);
}
END_TEST

START_TEST(what_never_reached_a_thread_that_has_ended_is_unseen)
{
	prf_cputime_end(&cputime, &rest, TICKS(100), 2);
	prf_cputime_balance(&cputime, &rest, TICKS(100), 0);
	ck_assert_int_eq(rest.lost_ns, TICKS(98));
	/* And is not charged to who comes next. */
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, TICKS(20)), 0);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 98);
}
END_TEST

START_TEST(what_is_less_than_a_tick_is_not_lost)
{
	prf_cputime_end(&cputime, &rest, TICKS(3) - 1, 2);
	prf_cputime_end(&cputime, &rest, TICKS(3) - 1, 2);
	ck_assert_int_eq(rest.lost_ns, 0);
	prf_cputime_balance(&cputime, &rest, TICKS(6), 0);
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, TICKS(20)), 2);
}
END_TEST

START_TEST(a_new_thread_is_charged_what_it_has_used)
{
	/* 100 of one that was never seen, 20 of the new one. */
	prf_cputime_balance(&cputime, &rest, TICKS(120), 0);
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, TICKS(20)), 20);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 100);
	ck_assert_int_eq(rest.unknown_ns, 0);
}
END_TEST

START_TEST(a_new_thread_is_charged_no_more_than_is_missing)
{
	prf_cputime_balance(&cputime, &rest, TICKS(7) + 5, TICKS(5));
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, TICKS(20)), 2);
	prf_cputime_balance(&cputime, &rest, TICKS(1), TICKS(5));
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, TICKS(20)), 0);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 0);
}
END_TEST

START_TEST(a_tick_that_a_thread_has_begun_stands_for_those_before)
{
	prf_cputime_balance(&cputime, &rest, TICKS(3), 0);
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, 1), 1);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 2);
}
END_TEST

START_TEST(what_is_kept_is_of_threads_that_had_no_clock)
{
	prf_cputime_end(&cputime, &rest, TICKS(2), 0);
	prf_cputime_balance(&cputime, &rest, TICKS(5), 0);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 4), 2);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 2), 1);
	ck_assert_uint_eq(prf_cputime_charge(&cputime, &rest, 1), 1);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 1);
}
END_TEST

START_TEST(a_chance_tick_too_many_is_made_up_for)
{
	/* Two threads of half a tick, of which one met a tick. */
	prf_cputime_end(&cputime, &rest, TICK_NS / 2, 1);
	prf_cputime_balance(&cputime, &rest, TICK_NS / 2, 0);
	ck_assert_int_eq(rest.unknown_ns, -TICK_NS / 2);
	ck_assert_uint_eq(prf_cputime_unseen(&cputime, &rest, 0), 0);
	prf_cputime_end(&cputime, &rest, TICK_NS / 2, 0);
	prf_cputime_balance(&cputime, &rest, TICK_NS, 0);
	ck_assert_int_eq(rest.unknown_ns, 0);
}
END_TEST

/* --- When to look again. */

static const struct {
	uint32_t before;
	enum prf_cputime_news news;
	uint32_t after;
} patience[] = {
	{3, PRF_CPUTIME_NEWS_NONE, 3},
	{1, PRF_CPUTIME_NEWS_NONE, 3},
	{96, PRF_CPUTIME_NEWS_NONE, 3},
	{3, PRF_CPUTIME_NEWS_THREAD, 1},
	{6000, PRF_CPUTIME_NEWS_THREAD, 1},
	{1, PRF_CPUTIME_NEWS_VAIN, 3},
	{3, PRF_CPUTIME_NEWS_VAIN, 6},
	{6, PRF_CPUTIME_NEWS_VAIN, 12},
	{3072, PRF_CPUTIME_NEWS_VAIN, 6000},
	{6000, PRF_CPUTIME_NEWS_VAIN, 6000},
};
#define N_PATIENCE ((int)(sizeof patience / sizeof *patience))

START_TEST(who_looks_in_vain_waits_longer)
{
	ck_assert_uint_eq(
		prf_cputime_patience(patience[_i].before, patience[_i].news),
		patience[_i].after);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("cputime");
	TCase *tcase = tcase_create("cputime");

	tcase_add_checked_fixture(tcase, begin, NULL);
	tcase_add_test(tcase, time_of_threads_with_a_clock_is_theirs);
	tcase_add_test(tcase, time_of_nobody_is_unseen_once);
	tcase_add_test(tcase,
		       ticks_of_a_thread_that_has_ended_explain_its_time);
	tcase_add_test(tcase,
		       what_never_reached_a_thread_that_has_ended_is_unseen);
	tcase_add_test(tcase, what_is_less_than_a_tick_is_not_lost);
	tcase_add_test(tcase, a_new_thread_is_charged_what_it_has_used);
	tcase_add_test(tcase, a_new_thread_is_charged_no_more_than_is_missing);
	tcase_add_test(tcase,
		       a_tick_that_a_thread_has_begun_stands_for_those_before);
	tcase_add_test(tcase, what_is_kept_is_of_threads_that_had_no_clock);
	tcase_add_test(tcase, a_chance_tick_too_many_is_made_up_for);
	tcase_add_loop_test(tcase, who_looks_in_vain_waits_longer, 0,
			    N_PATIENCE);
	suite_add_tcase(suite, tcase);
	return suite;
}
