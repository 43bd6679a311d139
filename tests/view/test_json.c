#include "view/export/json.h"

#include <locale.h>
#include <math.h>
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

START_TEST(what_steers_a_terminal_is_spelled_by_its_number)
{
	check("a\xc2\x9bm", "\"a\\u009bm\"");
	check("\u202e\u2066\u2028\u00a0", "\"\\u202e\\u2066\\u2028\u00a0\"");
	check("\u061c\u200e\u200f\u061b", "\"\\u061c\\u200e\\u200f\u061b\"");
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

START_TEST(members_have_commas_between_them)
{
	char *made = NULL;
	size_t n_bytes;
	struct prf_json json = {.out = open_memstream(&made, &n_bytes)};

	ck_assert_ptr_nonnull(json.out);
	prf_json_object(&json, NULL);
	prf_json_text(&json, "a", "x");
	prf_json_text(&json, "b", NULL);
	prf_json_list(&json, "c");
	prf_json_end(&json);
	prf_json_list(&json, "d");
	prf_json_number(&json, NULL, 0);
	prf_json_number(&json, NULL, UINT64_MAX);
	prf_json_signed(&json, NULL, INT64_MIN);
	prf_json_bool(&json, NULL, true);
	prf_json_list(&json, NULL);
	prf_json_end(&json);
	prf_json_object(&json, NULL);
	prf_json_null(&json, "e");
	prf_json_end(&json);
	prf_json_end(&json);
	prf_json_end(&json);
	fclose(json.out);
	ck_assert_str_eq(made, "{\"a\":\"x\",\n\"b\":null,\n\"c\":[],\n"
			       "\"d\":[0,18446744073709551615,"
			       "-9223372036854775808,true,\n[],\n"
			       "{\"e\":null}]}\n");
	free(made);
}
END_TEST

static const struct {
	uint64_t number;
	unsigned digits;
	const char *expected;
} decimals[] = {
	{0, 5, "[0]\n"},
	{1, 6, "[0.000001]\n"},
	{12345678, 6, "[12.345678]\n"},
	{10000000, 6, "[10]\n"},
	{100500, 3, "[100.500]\n"},
};

START_TEST(decimals_have_a_point_in_every_locale)
{
	char *made = NULL;
	size_t n_bytes;
	struct prf_json json = {.out = open_memstream(&made, &n_bytes)};

	ck_assert_ptr_nonnull(json.out);
	prf_json_list(&json, NULL);
	prf_json_decimal(&json, NULL, decimals[_i].number, decimals[_i].digits);
	prf_json_end(&json);
	fclose(json.out);
	ck_assert_str_eq(made, decimals[_i].expected);
	free(made);
}
END_TEST

static const struct {
	double number;
	unsigned digits;
	const char *expected;
} reals[] = {
	{0, 4, "[0]\n"},          {22.26415, 4, "[22.2642]\n"},
	{99.99996, 4, "[100]\n"}, {0.00004, 4, "[0]\n"},
	{1.5, 0, "[2]\n"},        {-1, 2, "[0]\n"},
	{0.0 / 0.0, 2, "[0]\n"},  {1e300, 0, "[18446744073709551615]\n"},
};

START_TEST(a_real_number_is_rounded_to_its_digits)
{
	char *made = NULL;
	size_t n_bytes;
	struct prf_json json = {.out = open_memstream(&made, &n_bytes)};

	ck_assert_ptr_nonnull(json.out);
	prf_json_list(&json, NULL);
	prf_json_real(&json, NULL, reals[_i].number, reals[_i].digits);
	prf_json_end(&json);
	fclose(json.out);
	ck_assert_str_eq(made, reals[_i].expected);
	free(made);
}
END_TEST

static const struct {
	double number;
	const char *expected;
} floats[] = {
	{0, "[0]\n"},
	{-25, "[-25]\n"},
	{1234567.8, "[1.23457e+06]\n"},
	{-0.125, "[-0.125]\n"},
	{1.51e-45, "[1.51e-45]\n"},
	{1e300, "[1e+300]\n"},
	{NAN, "[null]\n"},
	{INFINITY, "[null]\n"},
};

START_TEST(a_float_has_six_digits_and_a_point_in_every_locale)
{
	char *made;
	size_t size;
	struct prf_json json = {.out = open_memstream(&made, &size)};

	ck_assert_ptr_nonnull(json.out);
	setlocale(LC_ALL, "de_DE.UTF-8");
	prf_json_list(&json, NULL);
	prf_json_float(&json, NULL, floats[_i].number);
	prf_json_end(&json);
	setlocale(LC_ALL, "C");
	fclose(json.out);
	ck_assert_str_eq(made, floats[_i].expected);
	free(made);
}
END_TEST

START_TEST(many_numbers_are_in_lines)
{
	enum { N = 1000 };
	uint32_t numbers[N];
	char *made = NULL;
	size_t n_bytes, n_lines = 0;
	struct prf_json json = {.out = open_memstream(&made, &n_bytes)};

	ck_assert_ptr_nonnull(json.out);
	for (uint32_t i = 0; i < N; i++)
		numbers[i] = i * 4294967;
	prf_json_numbers(&json, NULL, numbers, N);
	fclose(json.out);
	char *at = made + 1;
	for (uint32_t i = 0; i < N; i++) {
		ck_assert_uint_eq(strtoul(at, &at, 10), numbers[i]);
		ck_assert_int_eq(*at++, i < N - 1 ? ',' : ']');
		n_lines += *at == '\n';
	}
	ck_assert_uint_eq(n_lines, N / 32);
	ck_assert_int_eq(*at, '\0');
	free(made);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("json");
	TCase *tcase = tcase_create("json");

	tcase_add_test(tcase, text_is_in_quotes);
	tcase_add_test(tcase, what_json_does_not_allow_is_escaped);
	tcase_add_test(tcase, what_steers_a_terminal_is_spelled_by_its_number);
	tcase_add_test(tcase, it_cannot_end_a_script);
	tcase_add_test(tcase, utf8_passes);
	tcase_add_loop_test(tcase, what_is_no_utf8_is_replaced, 0,
			    sizeof broken / sizeof *broken);
	tcase_add_test(tcase, members_have_commas_between_them);
	tcase_add_loop_test(tcase, decimals_have_a_point_in_every_locale, 0,
			    sizeof decimals / sizeof *decimals);
	tcase_add_loop_test(tcase, a_real_number_is_rounded_to_its_digits, 0,
			    sizeof reals / sizeof *reals);
	tcase_add_loop_test(tcase,
			    a_float_has_six_digits_and_a_point_in_every_locale,
			    0, sizeof floats / sizeof *floats);
	tcase_add_test(tcase, many_numbers_are_in_lines);
	suite_add_tcase(suite, tcase);
	return suite;
}
