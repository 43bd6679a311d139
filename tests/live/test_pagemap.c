#include "live/proc/pagemap.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/scope.h"
#include "support/suite.h"

START_TEST(a_page_is_there_when_it_has_been_touched)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *at = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	PRF_AUTO(prf_auto_close) int fd = prf_pagemap_open(getpid());
	uint64_t entries[3];

	ck_assert_ptr_ne((void *)at, MAP_FAILED);
	ck_assert_int_eq(madvise((void *)at, 3 * page, MADV_NOHUGEPAGE), 0);
	at[page] = 1;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(
		prf_pagemap_pread(fd, (uint64_t)(uintptr_t)at, entries, 3), 3);
	ck_assert(!prf_pagemap_is_there(entries[0]));
	ck_assert(prf_pagemap_is_there(entries[1]));
	ck_assert(!prf_pagemap_is_there(entries[2]));
}
END_TEST

START_TEST(above_all_memory_there_are_no_pages)
{
	PRF_AUTO(prf_auto_close) int fd = prf_pagemap_open(getpid());
	uint64_t entry;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(prf_pagemap_pread(fd, UINT64_MAX, &entry, 1), 0);
}
END_TEST

START_TEST(a_thread_that_is_gone_has_none)
{
	ck_assert_int_eq(prf_pagemap_open(0), -ENOENT);
}
END_TEST

START_TEST(what_is_swapped_out_is_there_but_a_mark_is_not)
{
	const uint64_t swapped = UINT64_C(1) << 62;
	const uint64_t write_protected = UINT64_C(1) << 57;

	ck_assert(prf_pagemap_is_there(swapped));
	ck_assert(!prf_pagemap_is_there(swapped | write_protected));
	ck_assert(prf_pagemap_is_protected(swapped | write_protected));
	ck_assert(!prf_pagemap_is_protected(swapped));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pagemap");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, a_page_is_there_when_it_has_been_touched);
	tcase_add_test(tcase, above_all_memory_there_are_no_pages);
	tcase_add_test(tcase, a_thread_that_is_gone_has_none);
	tcase_add_test(tcase, what_is_swapped_out_is_there_but_a_mark_is_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
