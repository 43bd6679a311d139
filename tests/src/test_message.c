#include "src/message.h"
#include "support/suite.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char said[4096];

/* Messages at VERBOSITY that end in SAID. */
static struct prf_messages
listen(int verbosity)
{
	memset(said, 0, sizeof said);
	FILE *stream = fmemopen(said, sizeof said - 1, "w");
	ck_assert_ptr_nonnull(stream);
	return (struct prf_messages){.stream = stream, .verbosity = verbosity};
}

START_TEST(a_message_is_one_line_with_our_name)
{
	struct prf_messages messages = listen(0);

	prf_message_error(&messages, "%s: gone", "x");
	prf_message_warn(&messages, "%d short", 3);
	prf_message_note(&messages, "by the way");
	fclose(messages.stream);
	ck_assert_str_eq(said, "profrun: x: gone\n"
			       "profrun: warning: 3 short\n"
			       "profrun: by the way\n");
}
END_TEST

START_TEST(errors_alone_stay_where_the_summary_does_not_go)
{
	struct prf_messages messages = listen(0);
	char *text;
	size_t size;

	messages.summary = open_memstream(&text, &size);
	ck_assert_ptr_nonnull(messages.summary);
	prf_message_error(&messages, "wrong");
	prf_message_warn(&messages, "short");
	prf_message_note(&messages, "by the way");
	ck_assert_ptr_eq(prf_message_summary(&messages), messages.summary);
	fclose(messages.stream);
	fclose(messages.summary);
	ck_assert_str_eq(said, "profrun: wrong\n");
	ck_assert_str_eq(text, "profrun: warning: short\n"
			       "profrun: by the way\n");
	free(text);
}
END_TEST

/* The second byte of U+011B alone begins a command to a terminal of eight bits. */
START_TEST(a_hostile_name_cannot_break_the_line)
{
	static const struct {
		const char *locale, *said;
	} cases[] = {
		{"C.UTF-8", "profrun: a?b?[2J????m\xc4\x9b???\n"},
		{"C", "profrun: a?b?[2J????m????\n"},
	};
	struct prf_messages messages = listen(0);

	if (!setlocale(LC_CTYPE, cases[_i].locale))
		return;
	prf_message_error(&messages, "%s",
			  "a\nb\033[2J\r\177\xc2\x9bm\xc4\x9b\u202e");
	fclose(messages.stream);
	ck_assert_str_eq(said, cases[_i].said);
}
END_TEST

START_TEST(a_long_message_is_cut_and_still_a_line)
{
	struct prf_messages messages = listen(0);
	char big[3000];

	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	prf_message_error(&messages, "%s", big);
	fclose(messages.stream);
	ck_assert_uint_eq(strlen(said), 1023);
	ck_assert_ptr_eq(strchr(said, '\n'), said + 1022);
}
END_TEST

START_TEST(quiet_keeps_what_is_wrong_and_nothing_else)
{
	struct prf_messages messages = listen(-1);

	prf_message_note(&messages, "note");
	ck_assert_ptr_null(prf_message_summary(&messages));
	prf_message_warn(&messages, "w");
	prf_message_error(&messages, "e");
	fclose(messages.stream);
	ck_assert_str_eq(said, "profrun: e\n");
}
END_TEST

START_TEST(the_summary_goes_where_messages_go)
{
	struct prf_messages messages = prf_messages_to_stderr();

	ck_assert_ptr_eq(prf_message_summary(&messages), stderr);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("message");
	TCase *tcase = tcase_create("message");

	tcase_add_test(tcase, a_message_is_one_line_with_our_name);
	tcase_add_test(tcase, errors_alone_stay_where_the_summary_does_not_go);
	tcase_add_loop_test(tcase, a_hostile_name_cannot_break_the_line, 0, 2);
	tcase_add_test(tcase, a_long_message_is_cut_and_still_a_line);
	tcase_add_test(tcase, quiet_keeps_what_is_wrong_and_nothing_else);
	tcase_add_test(tcase, the_summary_goes_where_messages_go);
	suite_add_tcase(suite, tcase);
	return suite;
}
