#include "src/output/quoted.h"

#include <locale.h>
#include <stdlib.h>

#include "support/suite.h"

static const struct {
	const char *word, *quoted;
} words[] = {
	{"gmon.out", "gmon.out"},
	{"/usr/bin/g++-12", "/usr/bin/g++-12"},
	{"", "''"},
	{"my file", "'my file'"},
	{"$HOME;`ls`", "'$HOME;`ls`'"},
	{"it's", "'it'\\''s'"},
	{"a\nrm b", "$'a\\012rm\\040b'"},
	{"\033[2Ja'\\", "$'\\033\\1332Ja\\047\\134'"},
	{"\xc2\x9b"
	 "2J",
	 "$'\\302\\2332J'"}, /* C1 */
	{"a\xe2\x80\xae"
	 "b",
	 "$'a\\342\\200\\256b'"},           /* turns a line */
	{"a\u200e", "$'a\\342\\200\\216'"}, /* so do marks */
	{"a\u200f", "$'a\\342\\200\\217'"},
	{"a\u061c", "$'a\\330\\234'"},
	{"\xff", "$'\\377'"},
};

START_TEST(a_shell_reads_the_word_and_no_terminal_obeys_it)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_quoted_print(words[_i].word, out);
	fclose(out);
	ck_assert_str_eq(text, words[_i].quoted);
	free(text);
}
END_TEST

START_TEST(letters_of_the_locale_are_letters)
{
	char *text;
	size_t size;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return;
	FILE *out = open_memstream(&text, &size);
	prf_quoted_print("jos\xc3\xa9", out);
	fclose(out);
	ck_assert_str_eq(text, "'jos\xc3\xa9'");
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("quoted");
	TCase *tcase = tcase_create("quoted");

	tcase_add_loop_test(tcase,
			    a_shell_reads_the_word_and_no_terminal_obeys_it, 0,
			    sizeof words / sizeof *words);
	tcase_add_test(tcase, letters_of_the_locale_are_letters);
	suite_add_tcase(suite, tcase);
	return suite;
}
