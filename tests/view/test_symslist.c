#include "support/suite.h"
#include "view/symslist.h"

#include <errno.h>
#include <string.h>

static int
read_text(const char *text, struct prf_symslist *list)
{
	struct prf_error err = {0};
	FILE *in = fmemopen((char *)text, strlen(text), "r");

	ck_assert_ptr_nonnull(in);
	int rc = prf_symslist_read(in, list, &err);
	ck_assert_int_eq(rc, err.code);
	fclose(in);
	return rc;
}

START_TEST(an_address_has_its_name_and_its_object)
{
	struct prf_symslist list = {0};

	ck_assert_int_eq(read_text("# gmon.syms 1\n"
				   "# object 1000 2000 0 - /a/my%20prog\n"
				   "# object 100000 100010 0 ab [kernel]\n"
				   "0000000000001000 T main\n"
				   "0000000000001400 T [my prog+0x1400]\n"
				   "0000000000100000 T [kernel]:read\n"
				   "0000000000100010 T [end]\n",
				   &list),
			 0);
	ck_assert_ptr_null(prf_symslist_at(&list, 0xfff));
	ck_assert_str_eq(prf_symslist_at(&list, 0x13ff)->name, "main");
	ck_assert_str_eq(prf_symslist_at(&list, 0x13ff)->object, "/a/my prog");
	ck_assert_str_eq(prf_symslist_at(&list, 0x100008)->name, "read");
	ck_assert_str_eq(prf_symslist_at(&list, 0x100008)->object, "[kernel]");
	ck_assert_str_eq(prf_symslist_at(&list, UINT64_MAX)->object,
			 "[unknown]");
	prf_symslist_clear(&list);
}
END_TEST

static const char *const bad[] = {
	"\n",
	"# gmon.syms 2\n",
	"# gmon.syms 1",
	"# gmon.syms 1\n1000 T\n",
	"# gmon.syms 1\n1000 T \n",
	"# gmon.syms 1\nxyz T main\n",
	"# gmon.syms 1\n11111111111111111 T main\n",
	"# gmon.syms 1\n2000 T a\n1000 T b\n",
	"# gmon.syms 1\n# object 1000\n",
	"# gmon.syms 1\n# object 1000 2000 0 -\n",
	"# gmon.syms 1\n1000 T a\n# object 1000 2000 0 - /a\n",
};

START_TEST(what_is_no_list_is_refused)
{
	struct prf_symslist list = {0};

	ck_assert_int_eq(read_text(bad[_i], &list), -EBADMSG);
	prf_symslist_clear(&list);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("symslist");
	TCase *tcase = tcase_create("symslist");

	tcase_add_test(tcase, an_address_has_its_name_and_its_object);
	tcase_add_loop_test(tcase, what_is_no_list_is_refused, 0,
			    sizeof bad / sizeof *bad);
	suite_add_tcase(suite, tcase);
	return suite;
}
