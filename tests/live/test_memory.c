#include "live/proc/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/unanswered.h"

/* The memory is this process's own. */
static struct prf_memory *memory;
static size_t page;
static char *pages;
static char copy[PRF_MEMORY_MOST_BYTES + 1];

static void
set_up(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(madvise(pages, 4 * page, MADV_NOHUGEPAGE), 0);
	memory = prf_memory_new();
	ck_assert_ptr_nonnull(memory);
	memset(copy, '?', sizeof copy);
}

static void
tear_down(void)
{
	prf_memory_free(memory);
}

static size_t
read_at(const char *at, size_t n_bytes)
{
	return prf_memory_read(memory, getpid(), (uint64_t)(uintptr_t)at, copy,
			       n_bytes, 0);
}

START_TEST(bytes_are_read_as_they_are)
{
	memset(pages, 'a', page);
	memset(pages + page, 'b', page);
	ck_assert_uint_eq(read_at(pages + page - 3, 7), 7);
	ck_assert_mem_eq(copy, "aaabbbb??", 9);
}
END_TEST

START_TEST(pages_that_were_never_touched_are_zeros)
{
	pages[page - 1] = 'a';
	pages[2 * page] = 'b';
	ck_assert_uint_eq(read_at(pages + page - 1, 2 * page), 2 * page);
	ck_assert_int_eq(copy[0], 'a');
	ck_assert_int_eq(copy[1], '\0');
	ck_assert_int_eq(copy[page], '\0');
	ck_assert_int_eq(copy[page + 1], 'b');
	ck_assert_int_eq(copy[2 * page], '?');
}
END_TEST

START_TEST(or_what_they_are_asked_to_be)
{
	pages[page - 1] = 'a';
	pages[2 * page] = 'b';
	ck_assert_uint_eq(prf_memory_read(memory, getpid(),
					  (uint64_t)(uintptr_t)pages + page - 1,
					  copy, page + 2, 'x'),
			  page + 2);
	ck_assert_int_eq(copy[0], 'a');
	ck_assert_int_eq(copy[1], 'x');
	ck_assert_int_eq(copy[page], 'x');
	ck_assert_int_eq(copy[page + 1], 'b');
}
END_TEST

START_TEST(where_nothing_is_there_nothing_is_read)
{
	ck_assert_uint_eq(read_at(pages, page), 0);
	ck_assert_uint_eq(read_at(NULL, 8), 0);
	ck_assert_uint_eq(read_at((char *)UINTPTR_MAX, 8), 0);
}
END_TEST

START_TEST(what_may_not_be_read_ends_it)
{
	memset(pages, 'a', 2 * page);
	ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
	ck_assert_uint_eq(read_at(pages + page - 5, 10), 5);
}
END_TEST

START_TEST(no_more_is_read_at_once_than_was_said)
{
	size_t n_bytes = PRF_MEMORY_MOST_BYTES + page;
	char *many = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(many, MAP_FAILED);
	/* Every second page: the most pieces there can be. */
	madvise(many, n_bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < n_bytes; at += 2 * page)
		many[at] = 'x';
	ck_assert_uint_eq(read_at(many, SIZE_MAX / 2), PRF_MEMORY_MOST_BYTES);
	ck_assert_int_eq(copy[2 * page], 'x');
	ck_assert_int_eq(copy[PRF_MEMORY_MOST_BYTES], '?');
	ck_assert_uint_eq(read_at(many + 1, n_bytes), PRF_MEMORY_MOST_BYTES);
}
END_TEST

START_TEST(memory_that_never_comes_is_not_waited_for)
{
	char *never = prf_unanswered_map(2 * page);

	if (!never)
		prf_skip("no memory can be made that never comes");
	ck_assert_uint_eq(read_at(never + 8, page), 0);
}
END_TEST

START_TEST(it_works_with_no_descriptors_to_spare)
{
	struct rlimit limit = {16, 16};

	pages[0] = 'a';
	for (int i = 0; i < 8; i++)
		ck_assert_int_ge(dup(0), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	for (int i = 0; i < 20; i++)
		ck_assert_uint_eq(read_at(pages, 1), 1);
	ck_assert_int_eq(copy[0], 'a');
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("memory");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, bytes_are_read_as_they_are);
	tcase_add_test(tcase, pages_that_were_never_touched_are_zeros);
	tcase_add_test(tcase, or_what_they_are_asked_to_be);
	tcase_add_test(tcase, where_nothing_is_there_nothing_is_read);
	tcase_add_test(tcase, what_may_not_be_read_ends_it);
	tcase_add_test(tcase, no_more_is_read_at_once_than_was_said);
	tcase_add_test(tcase, memory_that_never_comes_is_not_waited_for);
	tcase_add_test(tcase, it_works_with_no_descriptors_to_spare);
	suite_add_tcase(suite, tcase);
	return suite;
}
