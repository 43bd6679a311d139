#include "live/proc/timers.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"

static bool
has(const char *text, int id, int signal, uint64_t value)
{
	const struct prf_timers_entry wanted = {id, signal, value};
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	bool found = prf_timers_parse(in, &wanted);

	fclose(in);
	return found;
}

static const char text[] = "ID: 0\n"
			   "signal: 14/00007ffff86a8260\n"
			   "notify: signal/pid.2634\n"
			   "ClockID: 0\n"
			   "ID: 12\n"
			   "signal: 33/000000008badf00d\n"
			   "notify: signal/tid.2635\n"
			   "ClockID: -21082\n";

START_TEST(a_timer_is_known_by_its_id_signal_and_value)
{
	ck_assert(has(text, 12, 33, 0x8badf00d));
	ck_assert(has(text, 0, 14, 0x7ffff86a8260));
	ck_assert(!has(text, 1, 33, 0x8badf00d));
	ck_assert(!has(text, 12, 33, 0x8badf00e));
	ck_assert(!has(text, 12, 23, 0x8badf00d));
	ck_assert(!has(text, 0, 33, 0x8badf00d));
}
END_TEST

START_TEST(text_of_another_kind_has_none)
{
	ck_assert(!has("\n", 0, 14, 1));
	ck_assert(!has("ID: 0\nClockID: 0\n", 0, 14, 1));
	ck_assert(!has("signal: 14/1\n", 0, 14, 1));
}
END_TEST

START_TEST(a_timer_of_our_own_is_there_until_it_is_deleted)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGUSR1,
		.sigev_value.sival_ptr = (void *)0x1234,
	};
	timer_t timer;

	if (access("/proc/self/timers", R_OK))
		return;
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	const struct prf_timers_entry wanted = {(int)(intptr_t)timer, SIGUSR1,
						0x1234};

	ck_assert(!prf_timers_lacks(getpid(), &wanted));
	ck_assert_int_eq(timer_delete(timer), 0);
	ck_assert(prf_timers_lacks(getpid(), &wanted));
}
END_TEST

START_TEST(of_a_process_that_is_not_there_nothing_is_known)
{
	const struct prf_timers_entry wanted = {0};

	ck_assert(!prf_timers_lacks(-1, &wanted));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("timers");
	TCase *tcase = tcase_create("timers");

	tcase_add_test(tcase, a_timer_is_known_by_its_id_signal_and_value);
	tcase_add_test(tcase, text_of_another_kind_has_none);
	tcase_add_test(tcase, a_timer_of_our_own_is_there_until_it_is_deleted);
	tcase_add_test(tcase, of_a_process_that_is_not_there_nothing_is_known);
	suite_add_tcase(suite, tcase);
	return suite;
}
