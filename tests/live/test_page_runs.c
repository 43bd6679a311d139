/* A piece of memory begins and ends within pages, of each size that Linux has. */
#include "live/proc/page_runs.h"

#include <string.h>

#include "support/suite.h"

#define THERE (UINT64_C(1) << 63)

enum { N_PAGES = 6, ABSENT = 0x5a };

static const size_t sizes[] = {4096, 16384, 65536};

static struct prf_page_runs runs;
static char to[(N_PAGES + 1) * 65536];

static void
find(size_t page_bytes, const uint64_t *entries, uint64_t addr, size_t n_bytes)
{
	memset(to, 1, sizeof to);
	prf_page_runs_find(&runs, page_bytes, entries, addr, to, n_bytes,
			   ABSENT);
}

static void
expect_run(size_t i, uint64_t addr, size_t at, size_t n_bytes)
{
	ck_assert_uint_lt(i, runs.n);
	ck_assert_uint_eq((uintptr_t)runs.there[i].iov_base, addr);
	ck_assert_uint_eq(runs.there[i].iov_len, n_bytes);
	ck_assert_ptr_eq(runs.here[i].iov_base, to + at);
	ck_assert_uint_eq(runs.here[i].iov_len, n_bytes);
}

START_TEST(pages_in_a_row_are_one_run)
{
	static const uint64_t entries[] = {THERE, THERE, 0, THERE};
	const size_t page = sizes[_i], skipped = page - 24;
	const uint64_t addr = 7 * page + skipped;

	/* 24 bytes of the first page, 8 of the last. */
	find(page, entries, addr, 24 + 2 * page + 8);
	ck_assert_uint_eq(runs.n, 2);
	expect_run(0, addr, 0, 24 + page);
	expect_run(1, 10 * page, 24 + 2 * page, 8);
	for (size_t i = 0; i < page; i++)
		ck_assert_int_eq(to[24 + page + i], ABSENT);
	ck_assert_int_eq(to[0], 1);
	ck_assert_int_eq(to[24 + 2 * page], 1);
}
END_TEST

START_TEST(what_is_not_there_is_marked_and_no_more)
{
	static const uint64_t entries[N_PAGES];
	const size_t page = sizes[_i];

	find(page, entries, page / 2, page);
	ck_assert_uint_eq(runs.n, 0);
	ck_assert_ptr_null(memchr(to, 1, page));
	ck_assert_int_eq(to[page], 1);
}
END_TEST

START_TEST(the_pages_of_a_piece_are_counted)
{
	const size_t page = sizes[_i];

	ck_assert_uint_eq(prf_page_runs_pages(page, 0, 1), 1);
	ck_assert_uint_eq(prf_page_runs_pages(page, page, page), 1);
	ck_assert_uint_eq(prf_page_runs_pages(page, page - 1, 2), 2);
	ck_assert_uint_eq(prf_page_runs_pages(page, page - 1, page + 2), 3);
	ck_assert_uint_eq(
		prf_page_runs_pages(page, page - 1, PRF_PAGE_RUNS_MOST_BYTES),
		PRF_PAGE_RUNS_MOST_BYTES / page + 1);
}
END_TEST

/* Each second page is there: as many runs as there can be. */
START_TEST(there_is_room_for_all_runs)
{
	static uint64_t entries[PRF_PAGE_RUNS_MOST_PAGES];
	static char all[PRF_PAGE_RUNS_MOST_BYTES];
	const size_t page = sizes[_i];
	const uint64_t addr = page - 1;

	for (size_t i = 0; i < PRF_PAGE_RUNS_MOST_PAGES; i += 2)
		entries[i] = THERE;
	prf_page_runs_find(&runs, page, entries, addr, all, sizeof all, 0);
	size_t n = prf_page_runs_pages(page, addr, sizeof all);
	ck_assert_uint_eq(runs.n, (n + 1) / 2);
	ck_assert_uint_le(runs.n, PRF_PAGE_RUNS_MOST);
}
END_TEST

/* A read may end anywhere; what lies between runs was marked, and is good. */
START_TEST(what_was_read_is_good_up_to_where_the_read_ended)
{
	static const uint64_t entries[] = {THERE, 0, THERE};
	const size_t page = sizes[_i], all = 3 * page;

	find(page, entries, 0, all);
	ck_assert_uint_eq(runs.n, 2);
	ck_assert_uint_eq(prf_page_runs_good(&runs, 0, to, all), 0);
	ck_assert_uint_eq(prf_page_runs_good(&runs, page - 1, to, all),
			  page - 1);
	ck_assert_uint_eq(prf_page_runs_good(&runs, page, to, all), 2 * page);
	ck_assert_uint_eq(prf_page_runs_good(&runs, page + 5, to, all),
			  2 * page + 5);
	ck_assert_uint_eq(prf_page_runs_good(&runs, 2 * page, to, all), all);
}
END_TEST

Suite *
prf_suite(void)
{
	enum { N_SIZES = sizeof sizes / sizeof *sizes };
	Suite *suite = suite_create("page_runs");
	TCase *tcase = tcase_create("core");

	tcase_add_loop_test(tcase, pages_in_a_row_are_one_run, 0, N_SIZES);
	tcase_add_loop_test(tcase, what_is_not_there_is_marked_and_no_more, 0,
			    N_SIZES);
	tcase_add_loop_test(tcase, the_pages_of_a_piece_are_counted, 0,
			    N_SIZES);
	tcase_add_loop_test(tcase, there_is_room_for_all_runs, 0, N_SIZES);
	tcase_add_loop_test(tcase,
			    what_was_read_is_good_up_to_where_the_read_ended, 0,
			    N_SIZES);
	suite_add_tcase(suite, tcase);
	return suite;
}
