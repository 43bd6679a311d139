#include "view/symsfile.h"

#include <errno.h>
#include <string.h>

#include "support/suite.h"

#define HEAD "# gmon.syms 1\n"
#define OBJECT "# object 1000 2000 0 ab /bin/a%20b\n"
#define MAIN "0000000000001000 T main\n"
#define END "0000000000002000 T [end]\n"

START_TEST(objects_and_symbols_are_read)
{
	static const char text[] =
		HEAD OBJECT "# object 100000 100800 ff000 - [vdso]\n" MAIN
			    "0000000000001801 T [a b+0x1801]\n"
			    "0000000000100000 T \xc3\xa9\n"
			    "0000000000100800 T [end]\n";
	/* Names hold no blanks. */
	char good[sizeof text];
	struct prf_syms *syms = NULL;
	struct prf_error err = {0};

	memcpy(good, text, sizeof text);
	memcpy(strstr(good, "[a b+"), "[a_b+", 5);
	ck_assert_msg(!prf_syms_parse(good, strlen(good), &syms, &err), "%s",
		      err.text);
	ck_assert_uint_eq(syms->n_objects, 2);
	ck_assert_uint_eq(syms->objects[0].lo, 0x1000);
	ck_assert_str_eq(syms->objects[0].build_id, "ab");
	ck_assert_str_eq(syms->objects[0].path, "/bin/a%20b");
	ck_assert_uint_eq(syms->objects[1].shift, 0xff000);
	ck_assert_uint_eq(syms->n_symbols, 3);
	ck_assert_uint_eq(syms->symbols[1].addr, 0x1801);
	ck_assert_str_eq(syms->symbols[1].name, "[a_b+0x1801]");
	ck_assert_uint_eq(syms->symbols[2].object, 1);
	prf_syms_free(syms);
}
END_TEST

static const struct bad {
	const char *text, *error;
} bad[] = {
	{"", "line 1:"},
	{"# gmon.syms 2\n", "line 1:"},
	{HEAD, "cut"},
	{HEAD OBJECT MAIN, "cut"},
	{HEAD OBJECT MAIN "00000000000020", "line 4:"},
	{HEAD OBJECT MAIN END MAIN, "line 5:"},
	{HEAD OBJECT MAIN MAIN END, "line 4: not above"},
	{HEAD OBJECT MAIN OBJECT END, "line 4: an object behind"},
	{HEAD OBJECT OBJECT END, "line 3: an object in the place"},
	{HEAD MAIN END, "line 2: a symbol that is in no object"},
	{HEAD OBJECT "0000000000000fff T low\n" END, "in no object"},
	{HEAD OBJECT "0000000000002000 T high\n" END, "in no object"},
	{HEAD OBJECT "1000 T main\n" END, "line 3:"},
	{HEAD OBJECT "0000000000001000 T a b\n" END, "line 3:"},
	{HEAD OBJECT "0000000000001000 T \n" END, "line 3:"},
	{HEAD OBJECT MAIN "0000000000003000 T [end]\n", "line 4: the end"},
	{HEAD "# object 2000 1000 0 - /a\n" END, "without a place"},
	{HEAD "# object 1000 2000 1 - /a\n" END, "no whole blocks"},
	{HEAD "# object 1000 2000 fffffffffffff800 - /a\n" END, ""},
	{HEAD "# object 1000 2000 1800 - /a\n" END, "beyond all addresses"},
	{HEAD "# object 1000 2000 0 xy /a\n" END, "line 2:"},
	{HEAD "# object 1000 2000 0 - \n" END, "line 2:"},
	{HEAD "# object 1000 2000 0 - /a b\n" END, "line 2:"},
	{HEAD "# object 11111111111111111 2 0 - /a\n" END, "line 2:"},
	{HEAD "# object 1000 1010 0 - /a\n# object 1020 2000 0 - /b\n" END,
	 "line 3: an object in the place"},
};

START_TEST(what_is_no_list_is_refused_with_its_line)
{
	const struct bad *b = &bad[_i];
	struct prf_syms *syms = NULL;
	struct prf_error err = {0};
	int rc = prf_syms_parse(b->text, strlen(b->text), &syms, &err);

	/* A shift below 0 is a good one. */
	ck_assert_int_eq(rc, *b->error ? -EBADMSG : 0);
	ck_assert_msg(strstr(err.text, b->error), "%s: %s", b->text, err.text);
	prf_syms_free(syms);
}
END_TEST

START_TEST(a_nul_hides_nothing)
{
	char text[] = HEAD OBJECT MAIN END;
	struct prf_syms *syms = NULL;

	*strstr(text, "ain\n") = '\0';
	ck_assert_int_eq(prf_syms_parse(text, sizeof text - 1, &syms, NULL),
			 -EBADMSG);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("symsfile");
	TCase *tcase = tcase_create("symsfile");

	tcase_add_test(tcase, objects_and_symbols_are_read);
	tcase_add_loop_test(tcase, what_is_no_list_is_refused_with_its_line, 0,
			    sizeof bad / sizeof *bad);
	tcase_add_test(tcase, a_nul_hides_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
