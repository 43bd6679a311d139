#include "view/export/json.h"

#include <stdlib.h>

#include "support/suite.h"

static void
check(const char *text, const char *expected)
{
	char *made = NULL;
	size_t n_bytes;
	FILE *out = open_memstream(&made, &n_bytes);

	ck_assert_ptr_nonnull(out);
	prf_json_string(text, out);
	fclose(out);
	ck_assert_str_eq(made, expected);
	free(made);
}

START_TEST(text_is_in_quotes)
{
	check("", "\"\"");
	check("main", "\"main\"");
	check("a/b 'c' & d", "\"a/b 'c' & d\"");
}
END_TEST

START_TEST(what_json_does_not_allow_is_escaped)
{
	check("\"quoted\" \\ back", "\"\\\"quoted\\\" \\\\ back\"");
	check("a\nb\tc\001", "\"a\\u000ab\\u0009c\\u0001\"");
	check("\177", "\"\\u007f\"");
}
END_TEST

START_TEST(it_cannot_end_a_script)
{
	check("</script><!--", "\"\\u003c/script>\\u003c!--\"");
}
END_TEST

START_TEST(utf8_passes)
{
	check("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa5",
	      "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa5\"");
}
END_TEST

/* Alone, cut short, too long for what it says, half of a pair, too large. */
static const struct {
	const char *text, *expected;
} broken[] = {
	{"\x80", "\"\\ufffd\""},
	{"\xff"
	 "a",
	 "\"\\ufffda\""},
	{"\xc3", "\"\\ufffd\""},
	{"\xc3"
	 "a",
	 "\"\\ufffda\""},
	{"\xe2\x82", "\"\\ufffd\\ufffd\""},
	{"\xc0\xaf", "\"\\ufffd\\ufffd\""},
	{"\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\""},
	{"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
	{"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
	{"\xf8\x88\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""},
};

START_TEST(what_is_no_utf8_is_replaced)
{
	check(broken[_i].text, broken[_i].expected);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("json");
	TCase *tcase = tcase_create("json");

	tcase_add_test(tcase, text_is_in_quotes);
	tcase_add_test(tcase, what_json_does_not_allow_is_escaped);
	tcase_add_test(tcase, it_cannot_end_a_script);
	tcase_add_test(tcase, utf8_passes);
	tcase_add_loop_test(tcase, what_is_no_utf8_is_replaced, 0,
			    sizeof broken / sizeof *broken);
	suite_add_tcase(suite, tcase);
	return suite;
}
