#include "src/options/option_parse.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct argp_option option_table[] = {
	{.name = "all", .key = 'a', .doc = "All"},
	{.name = "alike", .key = 'l', .doc = "Begins as another does"},
	{.name = "number", .key = 'n', .arg = "N", .doc = "How many"},
	{0},
};

/* What was given. */
struct given {
	char keys[16];
	const char *number, *word;
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct given *given = state->input;

	switch (key) {
	case 'a':
	case 'l':
		given->keys[strlen(given->keys)] = (char)key;
		return 0;
	case 'n':
		given->number = arg;
		return strcmp(arg, "0") ? 0 : EINVAL;
	case ARGP_KEY_ARG:
		given->word = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
};

/* Parses LINE, words with a blank between; what comes on stderr is in SAID. */
static error_t
parse(const char *line, struct given *given, char *said, size_t room)
{
	static char copy[256];
	char *words[16] = {(char *)"/usr/bin/x"};
	int argc = 1;
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);

	*given = (struct given){0};
	snprintf(copy, sizeof copy, "%s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words[argc++] = word;
	dup2(fileno(file), STDERR_FILENO);
	error_t rc = prf_option_parse(&parser, "tool", argc, words, 0, given);
	dup2(kept, STDERR_FILENO);
	close(kept);
	ck_assert_str_eq(words[0], "/usr/bin/x");
	rewind(file);
	said[fread(said, 1, room - 1, file)] = '\0';
	fclose(file);
	return rc;
}

START_TEST(options_and_words_reach_the_parser_with_its_input)
{
	struct given given;
	char said[256];

	ck_assert_int_eq(parse("-a word --number=3 -l", &given, said, 256), 0);
	ck_assert_str_eq(given.keys, "al");
	ck_assert_str_eq(given.number, "3");
	ck_assert_str_eq(given.word, "word");
	ck_assert_str_eq(said, "");
}
END_TEST

/* What is wrong, and what the one line must have. */
static const struct {
	const char *line, *names;
} wrong[] = {
	{"--nosuch", "--nosuch"},
	{"--nosuch=x", "--nosuch"},
	{"-x", "x"},
	{"-axl", "x"},
	{"-?", "?"},
	{"--al", "--al"},
	{"--all=1", "--all"},
	{"--number", "--number"},
	{"-n", "n"},
	{"-an", "n"},
	{"-n 3 --nosuch", "nosuch"},
	{"word --nosuch", "nosuch"},
	{"--help", "help"},
	{"--usage", "usage"},
};

START_TEST(what_is_no_option_is_told_in_one_line)
{
	struct given given;
	char said[256];

	ck_assert_int_ne(parse(wrong[_i].line, &given, said, 256), 0);
	ck_assert_int_eq(strncmp(said, "tool: ", 6), 0);
	ck_assert_msg(strstr(said, wrong[_i].names), "%s", said);
	ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
}
END_TEST

START_TEST(what_the_parser_refuses_it_tells_itself)
{
	struct given given;
	char said[256];

	ck_assert_int_eq(parse("-n 0", &given, said, 256), EINVAL);
	ck_assert_str_eq(said, "");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("option_parse");
	TCase *tcase = tcase_create("option_parse");

	tcase_add_test(tcase,
		       options_and_words_reach_the_parser_with_its_input);
	tcase_add_loop_test(tcase, what_is_no_option_is_told_in_one_line, 0,
			    (int)(sizeof wrong / sizeof *wrong));
	tcase_add_test(tcase, what_the_parser_refuses_it_tells_itself);
	suite_add_tcase(suite, tcase);
	return suite;
}
