#include "view/table/wrapped.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

static char *
wrapped(const char *text, size_t indent, size_t width)
{
	char *lines = NULL;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	prf_wrapped_print(text, indent, width, out);
	ck_assert_int_eq(fclose(out), 0);
	return lines;
}

static const struct {
	const char *text;
	size_t width;
	const char *expected;
} rows[] = {
	{"", 10, ""},
	{"\n", 10, "\n"},
	{"a  b\n\nc", 10, "a  b\n\nc"},
	{"a   1234567\n", 11, "a   1234567\n"},
	{"a   12345 67\n", 11, "a   12345\n    67\n"},
	{"a   1234 56 78 9\nb   1\n", 11, "a   1234 56\n    78 9\nb   1\n"},
	/* a number and its unit, if they fit at all */
	{"a   12 34 s\n", 9, "a   12\n    34 s\n"},
	{"a   1234 sec\n", 11, "a   1234\n    sec\n"},
	/* a word that is too long */
	{"a   123456789\n", 11, "a   1234567\n    89\n"},
	{"a   12 3456789012\n", 11, "a   12\n    3456789\n    012\n"},
	/* characters, not bytes */
	{"a   \303\266\303\266\303\266 123\n", 11,
	 "a   \303\266\303\266\303\266 123\n"},
	{"a   \303\266\303\266\303\266\303\266\303\266\303\266\303\266\303\266",
	 11,
	 "a   \303\266\303\266\303\266\303\266\303\266\303\266\303\266\n"
	 "    \303\266"},
	/* no limit */
	{"a   1234567 89 10 11 12\n", 0, "a   1234567 89 10 11 12\n"},
};

START_TEST(a_long_line_goes_on_below_its_text)
{
	char *found = wrapped(rows[_i].text, 4, rows[_i].width);

	ck_assert_str_eq(found, rows[_i].expected);
	free(found);
}
END_TEST

START_TEST(no_line_is_too_long_and_no_word_is_lost)
{
	struct random random = random_begin();

	for (int round = 0; round < 20000; round++) {
		char text[64] = "";
		uint64_t n = random_below(&random, sizeof text);
		size_t letters = 0, found = 0;

		for (uint64_t i = 0; i < n; i++) {
			text[i] = "a \nb"[random_below(&random, 4)];
			letters += strchr("ab", text[i]) != NULL;
		}
		char *lines = wrapped(text, 3, 8);
		for (const char *c = lines; *c; c++)
			found += *c == 'a' || *c == 'b';
		ck_assert_msg(found == letters, RANDOM_WHERE "%s",
			      RANDOM_IS(&random), text);
		for (char *line = strtok(lines, "\n"); line;
		     line = strtok(NULL, "\n"))
			ck_assert_msg(strlen(line) <= 8, RANDOM_WHERE "%s",
				      RANDOM_IS(&random), text);
		free(lines);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("wrapped");
	TCase *tcase = tcase_create("wrapped");

	tcase_add_loop_test(tcase, a_long_line_goes_on_below_its_text, 0,
			    sizeof rows / sizeof *rows);
	tcase_add_test(tcase, no_line_is_too_long_and_no_word_is_lost);
	suite_add_tcase(suite, tcase);
	return suite;
}
