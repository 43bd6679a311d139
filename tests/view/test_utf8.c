#include "view/export/utf8.h"

#include <stdlib.h>

#include "core/scope.h"
#include "support/suite.h"

#define BAD "\xef\xbf\xbd"

static const struct {
	const char *text, *mended;
} texts[] = {
	{"", ""},
	{"main", "main"},
	{"\t\x7f", "\t\x7f"},
	{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	 "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
	{"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
	 "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"},
	{"a\xff"
	 "b",
	 "a" BAD "b"},
	{"\x80", BAD},
	{"\xc3", BAD},
	{"\xe2\x82", BAD BAD},
	{"\xc0\xaf", BAD BAD},         /* longer than it must be */
	{"\xe0\x80\xaf", BAD BAD BAD}, /* so, too */
	{"\xf0\x8f\xbf\xbf", BAD BAD BAD BAD},
	{"\xed\xa0\x80", BAD BAD BAD},         /* half of a pair */
	{"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* above the last */
	{"\xe2\x82x", BAD BAD "x"},
};

START_TEST(bytes_that_are_no_characters_are_replaced)
{
	PRF_AUTO(prf_auto_free)
	char *mended = prf_utf8_mended(texts[_i].text);

	ck_assert_str_eq(mended, texts[_i].mended);
}
END_TEST

START_TEST(a_character_has_its_length)
{
	ck_assert_uint_eq(prf_utf8_bytes(""), 0);
	ck_assert_uint_eq(prf_utf8_bytes("ab"), 1);
	ck_assert_uint_eq(prf_utf8_bytes("\xc3\xa4z"), 2);
	ck_assert_uint_eq(prf_utf8_bytes("\xe2\x82\xac"), 3);
	ck_assert_uint_eq(prf_utf8_bytes("\xf0\x9f\x98\x80"), 4);
	ck_assert_uint_eq(prf_utf8_bytes("\xf0\x9f\x98"), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("utf8");
	TCase *tcase = tcase_create("utf8");

	tcase_add_loop_test(tcase, bytes_that_are_no_characters_are_replaced, 0,
			    sizeof texts / sizeof *texts);
	tcase_add_test(tcase, a_character_has_its_length);
	suite_add_tcase(suite, tcase);
	return suite;
}
