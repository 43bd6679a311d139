#include "view/table/command_line.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static char *
printed(const char *command, size_t width)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_command_line_print(command, width, out);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static const struct {
	const char *command;
	size_t width;
	const char *expected;
} rows[] = {
	{"", 10, ""},
	{"make -j2", 10, "make -j2"},
	{"make -j2 all", 12, "make -j2 all"},
	{"make -j2 everything", 18, "make -j2 ..."},
	/* as gcc starts it */
	{"cc1 -quiet -imultiarch x86_64-linux-gnu x.c -quiet -dumpbase x.c "
	 "-dumpbase-ext .c -mtune=generic -march=x86-64 -O2 -o /tmp/ccw3AvA6.s",
	 35, "cc1 -quiet -imultiarch x.c ..."},
	{"cc1 -quiet -imultiarch x86_64-linux-gnu x.c -quiet -dumpbase x.c "
	 "-dumpbase-ext .c -mtune=generic -march=x86-64 -O2 -o /tmp/ccw3AvA6.s",
	 60, "cc1 -quiet -imultiarch x86_64-linux-gnu x.c -quiet ..."},
	{"python3 -u -X importtime script.py --verbose --rate=100 input.csv",
	 40, "python3 -u -X script.py input.csv ..."},
	/* what is written again tells nothing */
	{"run a.c a.c a.c a.c b.c", 15, "run a.c b.c ..."},
	{"sh -c i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done", 35,
	 "sh -c i=0; while [ $i -lt ..."},
	{"python3 -m http.server --bind 127.0.0.1 8000", 30,
	 "python3 -m http.server ..."},
	/* too long for itself */
	{"averylongnameofaprogram -x", 10, "averylo..."},
	{"              ", 10, "       ..."},
	{"\033[2Jx 12345678", 10, "?[2Jx ..."},
};

START_TEST(names_of_files_are_kept_first)
{
	char *text = printed(rows[_i].command, rows[_i].width);

	ck_assert_str_eq(text, rows[_i].expected);
	free(text);
}
END_TEST

START_TEST(no_line_is_too_long)
{
	char command[1000];

	for (size_t i = 0; i < sizeof command - 1; i++)
		command[i] = i % 7 ? 'x' : ' ';
	command[0] = 'p';
	command[sizeof command - 1] = '\0';
	for (size_t width = 8; width < 300; width++) {
		char *text = printed(command, width);

		ck_assert_uint_le(strlen(text), width);
		free(text);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("command_line");
	TCase *tcase = tcase_create("command_line");

	tcase_add_loop_test(tcase, names_of_files_are_kept_first, 0,
			    sizeof rows / sizeof *rows);
	tcase_add_test(tcase, no_line_is_too_long);
	suite_add_tcase(suite, tcase);
	return suite;
}
