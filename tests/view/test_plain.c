#include "view/table/plain.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

static char *
printed(const char *text)
{
	char *bytes = NULL;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	ck_assert_ptr_nonnull(out);
	prf_plain_print(text, out);
	ck_assert_int_eq(fclose(out), 0);
	return bytes;
}

static const struct {
	const char *text, *plain;
	size_t width;
} rows[] = {
	{"", "", 0},
	{"main", "main", 4},
	{" ~", " ~", 2},
	{"gr\u00f6\u00dfe", "gr\u00f6\u00dfe", 5},
	{"\u4e2d\U0001f600", "\u4e2d\U0001f600", 4},
	{"e\u0301", "e\u0301", 1},
	{"\ufffd\ud7ff\U0010ffff", "\ufffd\ud7ff\U0010ffff", 3},
	/* control characters: ASCII's, and Unicode's where it has some */
	{"\033[31mred\a\b\n\t\177", "?[31mred?????", 13},
	{"a\302\233"
	 "31m\302\200\302\237\302\240",
	 "a??31m????\302\240", 11},
	/* a line that reads from right to left, one that is two */
	{"\u202e\u2066\u2028x\u2027\u202f", "?????????x\u2027\u202f", 12},
	{"\u061c\u200e\u200fx\u061b\u061d\u2010", "????????x\u061b\u061d\u2010",
	 12},
	/* no UTF-8: alone, cut, spelled too long, half a pair, too large */
	{"\233"
	 "31m\200",
	 "?31m?", 5},
	{"\303", "?", 1},
	{"\342\200", "??", 2},
	{"\340\202\233"
	 "x",
	 "???x", 4},
	{"\300\233", "??", 2},
	{"\355\240\200", "???", 3},
	{"\364\220\200\200", "????", 4},
	{"\360\200\202\233", "????", 4},
	{"\377\376", "??", 2},
};

static void
setup(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

START_TEST(what_can_be_read_passes_and_what_can_steer_does_not)
{
	char *plain = printed(rows[_i].text);

	ck_assert_str_eq(plain, rows[_i].plain);
	ck_assert_uint_eq(prf_plain_width(rows[_i].text), rows[_i].width);
	free(plain);
}
END_TEST

START_TEST(a_locale_without_utf8_has_ascii_alone)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C"));
	char *plain = printed("gr\u00f6\u00dfe \U0001f600");

	ck_assert_str_eq(plain, "gr??e ?");
	ck_assert_uint_eq(prf_plain_width("gr\u00f6\u00dfe \U0001f600"), 7);
	free(plain);
}
END_TEST

START_TEST(no_bytes_whatever_make_a_control_character)
{
	struct random random = random_begin();
	char text[9];

	for (int round = 0; round < 50000; round++) {
		size_t n = random_below(&random, sizeof text);

		for (size_t i = 0; i < n; i++)
			text[i] = (char)(1 + random_below(&random, 255));
		text[n] = '\0';
		char *plain = printed(text);
		for (const char *c = plain; *c; c++) {
			unsigned char byte = (unsigned char)*c;
			bool controls =
				byte < 0x20 || byte == 0x7f ||
				(byte == 0xc2 && (unsigned char)c[1] < 0xa0);

			ck_assert_msg(!controls, RANDOM_WHERE "round %d",
				      RANDOM_IS(&random), round);
		}
		free(plain);
	}
}
END_TEST

START_TEST(what_is_quoted_stays_one_string)
{
	static const struct {
		const char *text, *special;
		char escape;
		const char *printed;
	} quoted[] = {
		{"", "\"", '"', "\"\""},
		{"a,b", "\"", '"', "\"a,b\""},
		{"\"a\"\"", "\"", '"', "\"\"\"a\"\"\"\"\""},
		{"a\\\"b", "\"\\", '\\', "\"a\\\\\\\"b\""},
		{"\n\303\266\303\"", "\"\\", '\\', "\"?\303\266?\\\"\""},
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_plain_print_quoted(quoted[_i].text, quoted[_i].special,
			       quoted[_i].escape, out);
	fclose(out);
	ck_assert_str_eq(text, quoted[_i].printed);
	free(text);
}
END_TEST

START_TEST(what_is_too_long_ends_in_dots_at_the_width)
{
	static const struct {
		const char *text, *printed;
	} cut[] = {
		{"", ""},
		{"12345", "12345"},
		{"123456", "12..."},
		{"\303\266\303\266\303\266\303\266\303\266",
		 "\303\266\303\266\303\266\303\266\303\266"},
		{"\303\266\303\266\303\266\303\266\303\266x",
		 "\303\266\303\266..."},
		{"\033\033\033\033\033\033", "??..."},
		{"\u4e2d\u4e2d\u4e2d", "\u4e2d..."},
		{"1\u4e2d\u4e2d\u4e2d", "1...."},
		{"e\u0301e\u0301e\u0301e\u0301e\u0301",
		 "e\u0301e\u0301e\u0301e\u0301e\u0301"},
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_plain_print_cut(cut[_i].text, 5, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, cut[_i].printed);
	free(text);
}
END_TEST

START_TEST(a_name_that_is_too_long_is_cut_in_the_middle)
{
	static const struct {
		const char *text, *printed;
	} cut[] = {
		{"", ""},
		{"123456789", "123456789"},
		{"1234567890", "12...7890"},
		{"\303\266\303\26634567\303\266\303\266\303\266",
		 "\303\266\303\266...7\303\266\303\266\303\266"},
		{"12345678\u4e2d\u4e2d", "12...\u4e2d\u4e2d"},
		{"1234567\u4e2d\u4e2d8", "123...\u4e2d8"},
		{"123456789e\u0301e\u0301e\u0301e\u0301",
		 "12...e\u0301e\u0301e\u0301e\u0301"},
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_plain_print_middle_cut(cut[_i].text, 9, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, cut[_i].printed);
	free(text);
}
END_TEST

START_TEST(a_number_of_characters_has_so_many_bytes)
{
	ck_assert_uint_eq(prf_plain_bytes("\303\266a\377b", 0), 0);
	ck_assert_uint_eq(prf_plain_bytes("\303\266a\377b", 2), 3);
	ck_assert_uint_eq(prf_plain_bytes("\303\266a\377b", 9), 5);
	ck_assert_uint_eq(prf_plain_bytes("\u4e2da", 1), 0);
	ck_assert_uint_eq(prf_plain_bytes("\u4e2da", 2), 3);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("plain");
	TCase *tcase = tcase_create("plain");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_locale_without_utf8_has_ascii_alone);
	tcase_add_loop_test(tcase, a_name_that_is_too_long_is_cut_in_the_middle,
			    0, 7);
	tcase_add_test(tcase, a_number_of_characters_has_so_many_bytes);
	tcase_add_loop_test(tcase, what_is_quoted_stays_one_string, 0, 5);
	tcase_add_loop_test(tcase,
			    what_can_be_read_passes_and_what_can_steer_does_not,
			    0, (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tcase, no_bytes_whatever_make_a_control_character);
	tcase_add_loop_test(tcase, what_is_too_long_ends_in_dots_at_the_width,
			    0, 9);
	suite_add_tcase(suite, tcase);
	return suite;
}
