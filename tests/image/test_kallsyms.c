#include "image/kallsyms.h"

#include <errno.h>
#include <string.h>

#include "support/suite.h"

static struct prf_kallsyms *symbols;
static struct prf_error err;

static int
read_text(const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	ck_assert_ptr_nonnull(file);
	int rc = prf_kallsyms_read(file, &symbols, &err);
	fclose(file);
	return rc;
}

static void
tear_down(void)
{
	prf_kallsyms_free(symbols);
	symbols = NULL;
}

START_TEST(an_address_has_the_function_that_begins_before_it)
{
	ck_assert_int_eq(read_text("ffffffff81000200 T vfs_read\n"
				   "ffffffff81000100 t clear_page\n"
				   "ffffffffc0000000 t tun_get_user\t[tun]\n"),
			 0);
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffff81000100),
			 "clear_page");
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffff810001ff),
			 "clear_page");
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffff81000200),
			 "vfs_read");
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffffc0000010),
			 "tun_get_user");
	ck_assert_ptr_null(prf_kallsyms_at(symbols, 0xffffffff810000ff));
	ck_assert_ptr_null(prf_kallsyms_at(symbols, 0xffffffffb0000000));
	ck_assert_ptr_null(prf_kallsyms_at(symbols, UINT64_MAX));
}
END_TEST

START_TEST(data_and_senseless_lines_are_no_functions)
{
	ck_assert_int_eq(read_text("ffffffff81000100 T one\n"
				   "ffffffff81000110 D data\n"
				   "ffffffff81000120 t\n"
				   "ffffffff81000130 t \n"
				   "\n"
				   "nothing\n"
				   "ffffffff81000140 T last"),
			 0);
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffff81000138), "one");
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffff81000141), "last");
}
END_TEST

START_TEST(of_several_names_the_plainest_is_taken)
{
	ck_assert_int_eq(read_text("ffffffff81000100 T _stext\n"
				   "ffffffff81000100 T first\n"
				   "ffffffff81000100 T second\n"
				   "ffffffff81000100 T __third\n"),
			 0);
	ck_assert_str_eq(prf_kallsyms_at(symbols, 0xffffffff81000100), "first");
}
END_TEST

START_TEST(hidden_addresses_are_told_from_none)
{
	ck_assert_int_eq(read_text("0000000000000000 T one\n"
				   "0000000000000000 T two\n"),
			 -EACCES);
	ck_assert_int_eq(read_text("ffffffff81000110 D data\n"), -ENOENT);
	ck_assert_int_eq(read_text("\n"), -ENOENT);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("kallsyms");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, NULL, tear_down);
	tcase_add_test(tcase,
		       an_address_has_the_function_that_begins_before_it);
	tcase_add_test(tcase, data_and_senseless_lines_are_no_functions);
	tcase_add_test(tcase, of_several_names_the_plainest_is_taken);
	tcase_add_test(tcase, hidden_addresses_are_told_from_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
