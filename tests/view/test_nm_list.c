#include "view/gmon/nm_list.h"

#include <errno.h>
#include <string.h>

#include "support/suite.h"

static struct prf_symbol_list list;

static void
forget(void)
{
	prf_symbol_list_clear(&list);
}

static int
read_text(const char *text, struct prf_error *err)
{
	prf_symbol_list_clear(&list);
	return prf_nm_list_read(&list, text, strlen(text), err);
}

START_TEST(code_is_taken_in_the_order_of_its_addresses)
{
	struct prf_error err = {0};

	ck_assert_int_eq(read_text("                 U puts\n"
				   "                 w __gmon_start__\n"
				   "0000000000001200 T main\n"
				   "0000000000004010 B counter\n"
				   "0000000000001100 t a(int, char)\n"
				   "0000000000001300 W b\n"
				   "0000000000001300 T a2\n",
				   &err),
			 0);
	ck_assert_uint_eq(list.n, 3);
	ck_assert_uint_eq(list.all[0].vaddr, 0x1100);
	ck_assert_str_eq(list.all[0].name, "a(int, char)");
	ck_assert_str_eq(list.all[1].name, "main");
	ck_assert_str_eq(list.all[2].name, "a2");
}
END_TEST

START_TEST(sizes_are_passed_over)
{
	ck_assert_int_eq(read_text("0000000000001100 0000000000000020 T a\n"
				   "08048100 00000010 t b",
				   NULL),
			 0);
	ck_assert_uint_eq(list.n, 2);
	ck_assert_str_eq(list.all[0].name, "a");
	ck_assert_uint_eq(list.all[1].vaddr, 0x8048100);
}
END_TEST

/* Of which each is none. */
static const char *const bad[] = {
	"",
	"0000000000004010 B counter\n",
	"hello\n",
	"0000000000001100\n",
	"0000000000001100 T\n",
	"0000000000001100 T \n",
	"0000000000001100 Ta\n",
	"00000000000000001100 T a\n",
	"0000000000001100 T a\nxyz T b\n",
};

START_TEST(what_nm_does_not_print_is_refused)
{
	struct prf_error err = {0};

	ck_assert_msg(read_text(bad[_i], &err) == -EBADMSG, "'%s'", bad[_i]);
	ck_assert_str_ne(err.text, "");
}
END_TEST

START_TEST(the_line_that_is_wrong_is_told)
{
	struct prf_error err = {0};

	ck_assert_int_eq(read_text("0000000000001100 T a\nx\n", &err),
			 -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.text, "line 2"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("nm_list");
	TCase *tcase = tcase_create("nm_list");

	tcase_add_checked_fixture(tcase, NULL, forget);
	tcase_add_test(tcase, code_is_taken_in_the_order_of_its_addresses);
	tcase_add_test(tcase, sizes_are_passed_over);
	tcase_add_loop_test(tcase, what_nm_does_not_print_is_refused, 0,
			    sizeof bad / sizeof *bad);
	tcase_add_test(tcase, the_line_that_is_wrong_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
