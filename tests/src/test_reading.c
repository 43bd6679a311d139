#include "src/commands/reading.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/exit_status.h"
#include "support/suite.h"

#define S UINT64_C(1000000000)

/* A command as those of profrun are. */
struct command {
	struct prf_reading reading;
	const char *file;
};

static const struct argp_option option_table[] = {
	PRF_READING_OPTIONS_SELECTION,
	PRF_READING_OPTIONS_END,
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct command *command = state->input;

	if (key != ARGP_KEY_ARG)
		return prf_reading_take(&command->reading, key, arg);
	if (command->file)
		return prf_reading_refuse(&command->reading, "%s: too many",
					  arg);
	command->file = arg;
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "TRACE",
	.doc = "What it does.",
};

static int
parse(const char *word, struct command *command, struct prf_error *err)
{
	char *words[] = {(char *)"show", (char *)word, NULL};

	*command = (struct command){0};
	return prf_reading_parse(&parser, words, command, err);
}

static const struct {
	const char *word;
	struct prf_wanted wanted;
} good[] = {
	{"file", {0}},
	{"--time=1-2", {.from_ns = 1 * S, .to_ns = 2 * S}},
	{"--time=1.5-2.25", {.from_ns = 3 * S / 2, .to_ns = 9 * S / 4}},
	{"--time=.5-", {.from_ns = S / 2}},
	{"--time=0-", {0}},
	{"--time=-2", {.to_ns = 2 * S}},
	{"--time=-0.000000001", {.to_ns = 1}},
	{"--time=0-0.1", {.to_ns = S / 10}},
	{"--time=1.999999999-2", {.from_ns = 2 * S - 1, .to_ns = 2 * S}},
	{"--time=86399-86400", {.from_ns = 86399 * S, .to_ns = 86400 * S}},
	{"--time=90000-", {.from_ns = 90000 * S}},
	{"--time=0.5-9000000000",
	 {.from_ns = S / 2, .to_ns = UINT64_C(9000000000) * S}},
	{"--pid=1", {.pid = 1}},
	{"--pid=2147483647", {.pid = INT_MAX}},
	{"--tid=007", {.tid = 7}},
};

START_TEST(a_word_says_which_samples)
{
	const struct prf_wanted *wanted = &good[_i].wanted;
	struct command command;
	struct prf_error err = {0};

	ck_assert_msg(!parse(good[_i].word, &command, &err), "%s", err.text);
	ck_assert_uint_eq(command.reading.wanted.from_ns, wanted->from_ns);
	ck_assert_uint_eq(command.reading.wanted.to_ns, wanted->to_ns);
	ck_assert_int_eq(command.reading.wanted.pid, wanted->pid);
	ck_assert_int_eq(command.reading.wanted.tid, wanted->tid);
	ck_assert_ptr_null(command.reading.wanted.symfs);
	ck_assert(!command.reading.help);
	ck_assert_int_eq(command.reading.messages.verbosity, 0);
}
END_TEST

#define DIGITS_80                                                              \
	"1000000000000000000000000000000000000000"                             \
	"0000000000000000000000000000000000000000"

static const char *const bad[] = {
	"--time=",
	"--time=-",
	"--time=--",
	"--time=1",
	"--time=1--2",
	"--time=-1-2",
	"--time=1-2-3",
	"--time=2-1",
	"--time=1-1",
	"--time=0-0",
	"--time=-0",
	"--time=1s-2s",
	"--time=1ms-2",
	"--time= 1-2",
	"--time=1- 2",
	"--time=1,5-2",
	"--time=.-2",
	"--time=1-.",
	"--time=1.2.3-4",
	"--time=1e0-2",
	"--time=0x1-2",
	"--time=nan-inf",
	"--time=18446744074-18446744075",
	"--time=" DIGITS_80 "-",
	"--time=-" DIGITS_80,
	"--pid=",
	"--pid=0",
	"--pid=-1",
	"--pid=+1",
	"--pid= 1",
	"--pid=1 ",
	"--pid=1.5",
	"--pid=x",
	"--pid=2147483648",
	"--pid=4294967297",
	"--pid=18446744073709551617",
	"--pid=" DIGITS_80,
	"--tid=0",
	"--tid=2147483648",
	"--tid=0x10",
};

START_TEST(what_is_no_range_or_id_is_refused_with_its_words)
{
	struct command command;
	struct prf_error err = {0};

	ck_assert_int_eq(parse(bad[_i], &command, &err), -EINVAL);
	ck_assert_int_eq(strncmp(err.text, "show: --", 8), 0);
	ck_assert_msg(strstr(err.text, bad[_i]), "%s", err.text);
}
END_TEST

START_TEST(what_is_no_option_is_refused_without_more_words)
{
	struct command command;
	struct prf_error err = {.text = "none"};

	ck_assert_int_eq(parse("--nosuch", &command, &err), -EINVAL);
	ck_assert_str_eq(err.text, "");
}
END_TEST

START_TEST(words_may_come_in_any_order_and_the_last_counts)
{
	char *words[] = {
		(char *)"show",    (char *)"--pid=3", (char *)"file",
		(char *)"--pid=4", (char *)"-q",      (char *)"--symfs",
		(char *)"root",    (char *)"--help",  NULL};
	struct command command = {0};

	ck_assert_int_eq(prf_reading_parse(&parser, words, &command, NULL), 0);
	ck_assert_str_eq(command.file, "file");
	ck_assert_int_eq(command.reading.wanted.pid, 4);
	ck_assert_str_eq(command.reading.wanted.symfs, "root");
	ck_assert_int_eq(command.reading.messages.verbosity, -1);
	ck_assert(command.reading.help);
}
END_TEST

START_TEST(a_range_stands_for_all_of_the_one_before)
{
	char *words[] = {(char *)"show", (char *)"--time=1-2",
			 (char *)"--time=3-", NULL};
	struct command command = {0};

	ck_assert_int_eq(prf_reading_parse(&parser, words, &command, NULL), 0);
	ck_assert_uint_eq(command.reading.wanted.from_ns, 3 * S);
	ck_assert_uint_eq(command.reading.wanted.to_ns, 0);
}
END_TEST

START_TEST(what_a_parser_refuses_is_told_in_its_words)
{
	char *words[] = {(char *)"show", (char *)"a", (char *)"b\n%s", NULL};
	struct command command = {0};
	struct prf_error err = {0};

	ck_assert_int_eq(prf_reading_parse(&parser, words, &command, &err),
			 -EINVAL);
	ck_assert_str_eq(err.text, "show: b?%s: too many");
}
END_TEST

START_TEST(files_are_asked_for_below_the_root_that_was_named)
{
	const struct prf_wanted wanted = {.symfs = "root"};
	struct prf_objectfile_way way = prf_wanted_way(&wanted);

	ck_assert(way.open == prf_objectfile_open_recorded);
	ck_assert_ptr_eq(way.arg, wanted.symfs);
	ck_assert(way.ask);
}
END_TEST

/* The status of help whose standard output is PATH; what is said in *SAID. */
static int
help_to(const char *path, char **said)
{
	size_t n_bytes;
	struct prf_messages messages = {.stream =
						open_memstream(said, &n_bytes)};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int kept = dup(STDOUT_FILENO);

	ck_assert_int_ge(fd, 0);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	int status = prf_reading_help(&parser, "show", &messages);
	clearerr(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	close(fd);
	fclose(messages.stream);
	return status;
}

START_TEST(help_that_cannot_be_printed_is_a_failure)
{
	char *said = NULL;

	ck_assert_int_eq(help_to("/dev/null", &said), PRF_EXIT_OK);
	ck_assert_str_eq(said, "");
	free(said);
	if (access("/dev/full", W_OK) < 0)
		return;
	ck_assert_int_eq(help_to("/dev/full", &said), PRF_EXIT_FAILED);
	ck_assert_msg(strstr(said, "standard output: "), "%s", said);
	free(said);
}
END_TEST

START_TEST(a_failure_is_said_even_if_quiet_and_its_status_handed_back)
{
	const struct prf_error err = {-EIO, "some: reason"};
	struct prf_reading reading = {.messages.verbosity = -1};
	char *said = NULL;
	size_t n_bytes;

	reading.messages.stream = open_memstream(&said, &n_bytes);
	ck_assert_int_eq(prf_reading_fail(&reading, 7, &err), 7);
	fclose(reading.messages.stream);
	ck_assert_str_eq(said, "profrun: some: reason\n");
	free(said);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("reading");
	TCase *tcase = tcase_create("reading");

	tcase_add_loop_test(tcase, a_word_says_which_samples, 0,
			    sizeof good / sizeof *good);
	tcase_add_loop_test(tcase,
			    what_is_no_range_or_id_is_refused_with_its_words, 0,
			    sizeof bad / sizeof *bad);
	tcase_add_test(tcase, what_is_no_option_is_refused_without_more_words);
	tcase_add_test(tcase, words_may_come_in_any_order_and_the_last_counts);
	tcase_add_test(tcase, a_range_stands_for_all_of_the_one_before);
	tcase_add_test(tcase, what_a_parser_refuses_is_told_in_its_words);
	tcase_add_test(tcase,
		       files_are_asked_for_below_the_root_that_was_named);
	tcase_add_test(tcase, help_that_cannot_be_printed_is_a_failure);
	tcase_add_test(
		tcase,
		a_failure_is_said_even_if_quiet_and_its_status_handed_back);
	suite_add_tcase(suite, tcase);
	return suite;
}
