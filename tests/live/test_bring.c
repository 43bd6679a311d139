#include "live/proc/bring.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/unanswered.h"

/* The memory is this process's own. */
static char *pages;
static size_t page;

static void
set_up(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
}

static int
bring(const char *at, size_t n_bytes)
{
	return prf_bring(getpid(), (uint64_t)(uintptr_t)at, n_bytes);
}

START_TEST(what_is_there_is_there)
{
	pages[page - 1] = pages[page] = 'a';
	ck_assert_int_eq(bring(pages + page - 1, 2), 0);
	ck_assert_int_eq(bring(pages, 0), 0);
}
END_TEST

START_TEST(what_was_never_touched_comes)
{
	pages[0] = 'a';
	ck_assert_int_eq(bring(pages + page - 1, 2), 0);
	ck_assert_int_eq(bring(pages + 2 * page, 8), 0);
}
END_TEST

START_TEST(what_is_not_mapped_does_not)
{
	ck_assert_int_eq(munmap(pages + page, page), 0);
	ck_assert_int_eq(bring(pages + page - 1, 2), -EFAULT);
	ck_assert_int_eq(bring(NULL, 8), -EFAULT);
	ck_assert_int_eq(bring((char *)UINTPTR_MAX, 8), -EFAULT);
	ck_assert_int_eq(bring(pages, PRF_BRING_MOST_BYTES + 1), -EFAULT);
}
END_TEST

START_TEST(what_never_comes_is_not_waited_for_without_end)
{
	int fd;
	char *never = prf_unanswered_map_until(page, &fd);

	if (!never)
		prf_skip("no memory can be made that never comes");
	ck_assert_int_eq(bring(never, 8), -ETIMEDOUT);
	/* A search for leaks stops all threads, and waits for them. */
	close(fd);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("bring");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, what_is_there_is_there);
	tcase_add_test(tcase, what_was_never_touched_comes);
	tcase_add_test(tcase, what_is_not_mapped_does_not);
	tcase_add_test(tcase, what_never_comes_is_not_waited_for_without_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
