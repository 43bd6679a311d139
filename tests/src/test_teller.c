#include "src/output/teller.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/suite.h"

static int ends[2];
static struct prf_teller teller;

/* What is said goes into a pipe that is full, and that nobody reads yet. */
static FILE *
begin(void)
{
	struct prf_error err;
	char byte = '.';

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	while (write(ends[1], &byte, 1) == 1)
		;
	ck_assert_int_eq(fcntl(ends[1], F_SETFL, 0), 0);
	FILE *stream = fdopen(ends[1], "w");
	ck_assert_ptr_nonnull(stream);
	const struct prf_messages messages = {.stream = stream};
	ck_assert_int_eq(prf_teller_begin(&teller, &messages, &err), 0);
	return stream;
}

/* Reads all that comes, but for the dots that it was full of. */
static void *
read_all(void *arg)
{
	char **text = arg;
	size_t size;
	FILE *in = fdopen(ends[0], "r"), *out = open_memstream(text, &size);
	int c;

	while ((c = getc(in)) != EOF)
		if (c != '.')
			putc(c, out);
	fclose(in);
	fclose(out);
	return NULL;
}

/* What has been said in the end; to be free()d. */
static char *
end(FILE *stream)
{
	pthread_t reader;
	char *text = NULL;

	ck_assert_int_eq(pthread_create(&reader, NULL, read_all, &text), 0);
	prf_teller_end(&teller);
	fclose(stream);
	pthread_join(reader, NULL);
	ck_assert_ptr_nonnull(text);
	return text;
}

START_TEST(who_says_a_line_does_not_wait_for_its_reader)
{
	FILE *stream = begin();

	prf_teller_say(&teller, "first");
	prf_teller_say(&teller, NULL);
	prf_teller_say(&teller, "second");
	char *text = end(stream);
	ck_assert_str_eq(text, "profrun: first\nprofrun: second\n");
	free(text);
}
END_TEST

START_TEST(lines_for_which_there_is_no_room_are_counted)
{
	FILE *stream = begin();
	char line[1000], *at;
	unsigned n_said = 0, n_lost = 0;

	memset(line, '-', sizeof line - 1);
	line[sizeof line - 1] = '\0';
	for (unsigned i = 0; i < 100; i++)
		prf_teller_say(&teller, line);
	char *text = end(stream);
	for (at = text; (at = strstr(at, line)); at += sizeof line)
		n_said++;
	at = strstr(text, "warning: ");
	ck_assert_ptr_nonnull(at);
	ck_assert_int_eq(sscanf(at, "warning: %u lines", &n_lost), 1);
	ck_assert_uint_ge(n_said, PRF_TELLER_BYTES / sizeof line);
	ck_assert_uint_eq(n_said + n_lost, 100);
	free(text);
}
END_TEST

START_TEST(one_that_never_began_can_be_told_and_ended)
{
	struct prf_teller none = {0};

	prf_teller_say(&none, "nothing");
	prf_teller_end(&none);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("teller");
	TCase *tcase = tcase_create("teller");

	tcase_add_test(tcase, who_says_a_line_does_not_wait_for_its_reader);
	tcase_add_test(tcase, lines_for_which_there_is_no_room_are_counted);
	tcase_add_test(tcase, one_that_never_began_can_be_told_and_ended);
	suite_add_tcase(suite, tcase);
	return suite;
}
