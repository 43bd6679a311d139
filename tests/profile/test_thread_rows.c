#include "profile/thread_rows.h"

#include "support/suite.h"

static void
add(struct prf_thread_rows *threads, pid_t tid, uint32_t ticks)
{
	struct prf_thread_row row = {.pid = 1, .tid = tid, .name = "x"};

	if (ticks)
		prf_count_add(&row.count, ticks, 0);
	prf_thread_rows_add(threads, &row);
}

START_TEST(the_most_ticks_come_first_and_equals_by_id)
{
	static const struct {
		pid_t tid;
		uint32_t ticks;
	} rows[] = {{7, 2}, {5, 9}, {9, 0}, {3, 2}};
	struct prf_thread_rows threads = {0};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		add(&threads, rows[i].tid, rows[i].ticks);
	prf_thread_rows_sort(&threads);
	ck_assert_uint_eq(threads.n, 3);
	ck_assert_int_eq(threads.rows[0].tid, 5);
	ck_assert_int_eq(threads.rows[1].tid, 3);
	ck_assert_int_eq(threads.rows[2].tid, 7);
	prf_thread_rows_clear(&threads);
	prf_thread_rows_sort(&threads);
}
END_TEST

START_TEST(of_very_many_the_busiest_stay_and_no_tick_goes)
{
	enum { N = 3 * PRF_THREAD_ROWS_MAX };
	struct prf_thread_rows threads = {0};
	uint64_t ticks = 0;

	for (int i = 1; i <= N; i++)
		add(&threads, i, (uint32_t)(i * 7919 % N) + 1);
	prf_thread_rows_sort(&threads);
	ck_assert_uint_le(threads.n, PRF_THREAD_ROWS_MAX);
	ck_assert_uint_eq(threads.n + threads.n_folded, N);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert_uint_eq(threads.rows[i].count.ticks, N - i);
	for (size_t i = 0; i < threads.n; i++)
		ticks += threads.rows[i].count.ticks;
	ck_assert_uint_eq(ticks + threads.folded.ticks,
			  (uint64_t)N * (N + 1) / 2);
	prf_thread_rows_clear(&threads);
}
END_TEST

START_TEST(a_row_keeps_its_name_and_its_count)
{
	const struct prf_thread_row row = {
		.pid = 7, .tid = 8, .name = "fifteen letters", .count = {3, 5}};
	struct prf_thread_rows threads = {0};

	prf_thread_rows_add(&threads, &row);
	ck_assert_int_eq(threads.rows[0].pid, 7);
	ck_assert_int_eq(threads.rows[0].tid, 8);
	ck_assert_str_eq(threads.rows[0].name, "fifteen letters");
	ck_assert_double_eq(threads.rows[0].count.squares, 5);
	ck_assert_uint_eq(threads.n_folded, 0);
	prf_thread_rows_clear(&threads);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("thread_rows");
	TCase *tcase = tcase_create("threads");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, the_most_ticks_come_first_and_equals_by_id);
	tcase_add_test(tcase, of_very_many_the_busiest_stay_and_no_tick_goes);
	tcase_add_test(tcase, a_row_keeps_its_name_and_its_count);
	suite_add_tcase(suite, tcase);
	return suite;
}
