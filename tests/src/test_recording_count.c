/* A trace that is counted, in a thread beside the reading. */
#include "src/commands/recording.h"

#include <stdlib.h>
#include <string.h>

#include "src/recorded.h"
#include "support/suite.h"

static struct prf_recording
opened(const char *path)
{
	struct prf_recording recording;
	struct prf_error err = {0};

	ck_assert_msg(!prf_recording_open(path, &recording, &err), "%s",
		      err.text);
	return recording;
}

START_TEST(all_ticks_are_counted_and_a_lost_program_is_a_warning)
{
	static const char *const children[] = {"", "/no/such/other", NULL};
	const struct prf_collector_config config = {0};
	struct prf_counted counted = {0};
	char *said = NULL;
	struct prf_reading reading = {.messages = recorded_messages(&said)};

	recorded_run("run", "/no/such/program", 5, children);
	struct prf_recording recording = opened("run");
	ck_assert_int_eq(prf_recording_count(&recording, &reading, &config,
					     &counted, NULL),
			 0);
	ck_assert_uint_eq(counted.profile->n_processes, 3);
	ck_assert_uint_eq(counted.profile->total.ticks, 15);
	prf_counted_clear(&counted);
	ck_assert_ptr_null(counted.profile);
	prf_counted_clear(&counted);
	prf_recording_close(&recording);
	fclose(reading.messages.stream);
	ck_assert_msg(strstr(said, "warning: ") &&
			      strstr(said, "/no/such/program"),
		      "%s", said);
	free(said);
}
END_TEST

/* More than wait at a time. */
enum { N_MANY = 100000 };

START_TEST(of_many_samples_none_is_lost_on_the_way)
{
	const struct prf_collector_config config = {.threads = true};
	const struct prf_reading reading = {.messages.verbosity = -1};
	struct prf_counted counted = {0};

	struct recorded recorded = recorded_begin("many", &recorded_info);
	recorded_exec(&recorded, 10, "/no/such/program");
	for (uint32_t i = 0; i < N_MANY; i++)
		recorded_ticks(&recorded, 10, i * 1e-3, 1 + i % 3);
	recorded_end(&recorded);
	struct prf_recording recording = opened("many");
	ck_assert_int_eq(prf_recording_count(&recording, &reading, &config,
					     &counted, NULL),
			 0);
	ck_assert_uint_eq(counted.profile->total.ticks,
			  2 * N_MANY - 1); /* the last sample has one */
	prf_counted_clear(&counted);
	prf_recording_close(&recording);
}
END_TEST

/* Nothing has said that there is a process 11: its ticks have no place. */
START_TEST(what_cannot_be_counted_is_a_warning)
{
	const struct prf_collector_config config = {0};
	struct prf_counted counted = {0};
	char *said = NULL;
	struct prf_reading reading = {.messages = recorded_messages(&said)};

	struct recorded recorded = recorded_begin("stray", &recorded_info);
	recorded_exec(&recorded, 10, "/no/such/program");
	recorded_ticks(&recorded, 10, 1, 2);
	recorded_ticks(&recorded, 11, 1, 3);
	recorded_ticks(&recorded, 11, 2, 4);
	recorded_exit(&recorded, 11);
	recorded_end(&recorded);
	struct prf_recording recording = opened("stray");
	ck_assert_int_eq(prf_recording_count(&recording, &reading, &config,
					     &counted, NULL),
			 0);
	ck_assert_uint_eq(counted.profile->total.ticks, 2);
	prf_counted_clear(&counted);
	prf_recording_close(&recording);
	fclose(reading.messages.stream);
	ck_assert_msg(strstr(said,
			     "profrun: warning: stray: 7 ticks and 1 other "
			     "event could not be used: No such process\n") ==
			      said,
		      "%s", said);
	free(said);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("recording_count");
	TCase *tcase = tcase_create("recording_count");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, recorded_enter, recorded_leave);
	tcase_add_test(tcase,
		       all_ticks_are_counted_and_a_lost_program_is_a_warning);
	tcase_add_test(tcase, of_many_samples_none_is_lost_on_the_way);
	tcase_add_test(tcase, what_cannot_be_counted_is_a_warning);
	suite_add_tcase(suite, tcase);
	return suite;
}
