#include "image/lazy.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "support/suite.h"

enum { OFF = 100, SIZE = 20000, BLOCK = 4096 };

static FILE *file;
static int fd;
static struct prf_lazy lazy;

static uint8_t
byte_at(size_t i)
{
	return (uint8_t)(i * 31 % 251 + 1);
}

static void
begin(void)
{
	file = tmpfile();
	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < OFF + SIZE; i++)
		putc(byte_at(i), file);
	fflush(file);
	fd = fileno(file);
	ck_assert_int_eq(prf_lazy_open(&lazy, fd, OFF, SIZE), 0);
}

static void
end(void)
{
	prf_lazy_close(&lazy);
	fclose(file);
}

/* Are the N bytes at AT those of the file? */
static bool
is_read(size_t at, size_t n)
{
	const uint8_t *bytes = lazy.data.d_buf;

	for (size_t i = at; i < at + n; i++)
		if (bytes[i] != byte_at(OFF + i))
			return false;
	return true;
}

START_TEST(what_is_needed_is_there)
{
	static const struct {
		size_t at, n;
	} cases[] = {
		{5000, 10},         {0, 1},    {BLOCK - 1, 2}, {BLOCK, BLOCK},
		{SIZE - 1, 1},      {SIZE, 0}, {0, 0},         {17, 0},
		{3 * BLOCK + 7, 1}, {0, SIZE},
	};

	ck_assert_uint_eq(lazy.data.d_size, SIZE);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert(prf_lazy_need(&lazy, cases[i].at, cases[i].n));
		ck_assert(is_read(cases[i].at, cases[i].n));
	}
}
END_TEST

START_TEST(what_is_not_needed_is_not_read)
{
	ck_assert(prf_lazy_need(&lazy, 2 * BLOCK, 1));
	ck_assert(is_read(2 * BLOCK, BLOCK));
	ck_assert(!is_read(2 * BLOCK - 1, 1));
	ck_assert(!is_read(3 * BLOCK, 1));
}
END_TEST

START_TEST(nothing_is_behind_the_end)
{
	ck_assert(!prf_lazy_need(&lazy, SIZE, 1));
	ck_assert(!prf_lazy_need(&lazy, SIZE - 1, 2));
	ck_assert(!prf_lazy_need(&lazy, 1, UINT64_MAX));
	ck_assert(!prf_lazy_need(&lazy, UINT64_MAX, 1));
	ck_assert(!prf_lazy_need(&lazy, UINT64_MAX, 0));
}
END_TEST

START_TEST(a_file_may_be_cut_short)
{
	ck_assert(prf_lazy_need(&lazy, 0, 1));
	ck_assert_int_eq(ftruncate(fd, OFF + BLOCK + 10), 0);
	ck_assert(prf_lazy_need(&lazy, 0, BLOCK));
	ck_assert(!prf_lazy_need(&lazy, 0, SIZE));
	ck_assert(!prf_lazy_need(&lazy, 2 * BLOCK, 1));
	/* What was read stays. */
	ck_assert(is_read(0, BLOCK));
	ck_assert(prf_lazy_need(&lazy, 0, BLOCK));
}
END_TEST

START_TEST(what_no_memory_holds_is_not_opened)
{
	struct prf_lazy other;

	ck_assert_int_eq(prf_lazy_open(&other, fd, 0, UINT64_MAX / 2), -ENOMEM);
	prf_lazy_close(&other);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("lazy");
	TCase *tcase = tcase_create("lazy");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, what_is_needed_is_there);
	tcase_add_test(tcase, what_is_not_needed_is_not_read);
	tcase_add_test(tcase, nothing_is_behind_the_end);
	tcase_add_test(tcase, a_file_may_be_cut_short);
	tcase_add_test(tcase, what_no_memory_holds_is_not_opened);
	suite_add_tcase(suite, tcase);
	return suite;
}
