#include "view/gmon/run_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

#define FIRST "# gmon.syms 2\n"
#define LAST "# object 1000 2000 0 - /a\n0000000000002000 T [end]\n"

/* To be free()d. */
static char *
written(const char *command, const char *clock, uint64_t begun_s)
{
	struct prf_profile profile = {.unit.rate_hz = 250};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(
		prf_origin_tell(&profile.origin, command, clock, begun_s), 0);
	prf_run_lines_write(&profile, out);
	prf_origin_clear(&profile.origin);
	fclose(out);
	return text;
}

static struct prf_origin
origin_in(const char *text)
{
	struct prf_origin origin = {0};

	ck_assert_int_eq(prf_run_lines_read(text, strlen(text), &origin), 0);
	ck_assert(origin.is_told);
	return origin;
}

START_TEST(what_is_known_has_a_line_each)
{
	char *text = written("/bin/prog -x 7", "wall", 1700000000);

	ck_assert_str_eq(text, "# command /bin/prog%20-x%207\n"
			       "# begun 2023-11-14T22:13:20Z\n"
			       "# rate 250\n"
			       "# clock wall\n");
	free(text);
	text = written(NULL, NULL, 0);
	ck_assert_str_eq(text, "# rate 250\n");
	free(text);
}
END_TEST

static const char *const commands[] = {
	"prog",
	"a\nb T [end]\n0000000000001000 T evil",
	"\033[31m%0a \xc3\xa9\x7f\t",
	"# object 0 1 0 - /x",
};

START_TEST(a_command_is_one_word_and_comes_back)
{
	char *lines = written(commands[_i], "cpu", 1700000000), *text;

	ck_assert_ptr_nonnull(strchr(lines, '\n'));
	for (const char *c = lines + strlen("# command "); *c != '\n'; c++)
		ck_assert(*c > ' ' && *c < 0x7f);
	ck_assert_int_gt(asprintf(&text, FIRST "%s" LAST, lines), 0);
	struct prf_origin origin = origin_in(text);
	ck_assert_str_eq(origin.command, commands[_i]);
	ck_assert_str_eq(origin.clock, "cpu");
	ck_assert_uint_eq(origin.begun_s, 1700000000);
	ck_assert_str_eq(text + prf_run_lines_end(text, strlen(text)), LAST);
	prf_origin_clear(&origin);
	free(text);
	free(lines);
}
END_TEST

START_TEST(a_long_command_is_cut)
{
	static char command[100000];

	memset(command, ' ', sizeof command - 1);
	char *text = written(command, NULL, 0);
	struct prf_origin origin = origin_in(text);
	/* What a line of a list may have, symsfile.c tells. */
	ck_assert_uint_lt(strcspn(text, "\n"), 16382);
	ck_assert_uint_eq(strlen(origin.command), 4096);
	prf_origin_clear(&origin);
	free(text);
}
END_TEST

/* gprof takes a line of three words for a symbol if the second begins with a
 * T, and what is behind 1022 bytes for another line. */
START_TEST(no_line_looks_like_a_symbol_to_gprof)
{
	static char command[2000];
	char address[4096], type, name[4096];

	for (size_t i = 0; i + 4 < sizeof command; i += 4)
		memcpy(command + i, "1 T ", 4);
	char *text = written(command, "cpu", 1700000000);
	FILE *in = fmemopen(text, strlen(text), "r");
	char line[1023];
	ck_assert_ptr_nonnull(in);
	while (fgets(line, sizeof line, in))
		ck_assert(sscanf(line, "%4095s %c %4095s", address, &type,
				 name) != 3 ||
			  (type != 't' && type != 'T'));
	fclose(in);
	free(text);
}
END_TEST

static const char *const senseless[] = {
	"",
	FIRST,
	FIRST LAST "# command late\n",
	FIRST "# command prog", /* it has no end */
	FIRST "# begun 2023-11-14\n# clock sun\n# command \n",
	FIRST "# begun 1903-11-14T22:13:20Z\n#command prog\n",
	FIRST "# begun 2263-11-14T22:13:20Z\n#command prog\n",
	FIRST "# begun 2023-11-14T22:13:20Zulu\n# commander prog\n",
};

START_TEST(what_makes_no_sense_is_not_known)
{
	struct prf_origin origin = origin_in(senseless[_i]);

	ck_assert_ptr_null(origin.command);
	ck_assert_ptr_null(origin.clock);
	ck_assert_uint_eq(origin.begun_s, 0);
}
END_TEST

START_TEST(the_first_line_of_a_kind_counts)
{
	struct prf_origin origin =
		origin_in(FIRST "# command one\n# new\n# command two\n" LAST);

	ck_assert_str_eq(origin.command, "one");
	prf_origin_clear(&origin);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("run_lines");
	TCase *tcase = tcase_create("run_lines");

	tcase_add_test(tcase, what_is_known_has_a_line_each);
	tcase_add_loop_test(tcase, a_command_is_one_word_and_comes_back, 0,
			    sizeof commands / sizeof *commands);
	tcase_add_test(tcase, a_long_command_is_cut);
	tcase_add_test(tcase, no_line_looks_like_a_symbol_to_gprof);
	tcase_add_loop_test(tcase, what_makes_no_sense_is_not_known, 0,
			    sizeof senseless / sizeof *senseless);
	tcase_add_test(tcase, the_first_line_of_a_kind_counts);
	suite_add_tcase(suite, tcase);
	return suite;
}
