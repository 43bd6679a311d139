#include "live/trigger/idle_timers.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "live/proc/procfs.h"
#include "live/trigger/cpu_timer.h"
#include "support/suite.h"
#include "traced.h"

enum { N_TIMERS = 5 };

static pid_t child;
static struct prf_injection injection;
static struct prf_idle_timers idle;

/* A child, stopped, that has timers. */
static void
set_up(void)
{
	struct prf_regs regs;

	child = prf_traced_spinner(NULL, &regs);
	const struct prf_cpu_timer timer = {
		.tid = child,
		.signal = SIGUSR1,
		.first_ns = 1000000000000,
		.period_ns = 1000000000000,
	};
	struct prf_cpu_timer_data data = prf_cpu_timer_data(&timer);
	int64_t result;
	int id;

	ck_assert_int_eq(prf_inject_begin(&injection, child, &regs,
					  prf_inject_find_insn(child), &data,
					  sizeof data),
			 0);
	for (int i = 0; i < N_TIMERS; i++) {
		ck_assert_int_eq(
			prf_cpu_timer_make(&injection, &timer, &id, &result),
			0);
		ck_assert_int_eq(result, 0);
		prf_idle_timers_add(&idle, id);
	}
}

static void
tear_down(void)
{
	ck_assert_int_eq(prf_inject_end(&injection), 0);
	prf_idle_timers_clear(&idle);
	ck_assert_uint_eq(idle.n, 0);
}

/* Does the kernel list timer ID of the child, and how many in all? */
static unsigned
listed(int id, bool *is_listed)
{
	char path[64], line[32];
	size_t size;
	unsigned n = 0;

	snprintf(path, sizeof path, "/proc/%d/timers", child);
	snprintf(line, sizeof line, "ID: %d\n", id);
	char *text = prf_procfs_slurp(path, &size);
	ck_assert_ptr_nonnull(text);
	for (const char *at = text; (at = strstr(at, "ID: ")); at += 4)
		if (at == text || at[-1] == '\n')
			n++;
	const char *found = strstr(text, line);
	*is_listed = found && (found == text || found[-1] == '\n');
	free(text);
	return n;
}

START_TEST(the_latest_go_first_and_so_many_at_once)
{
	int first = idle.ids[0], last = idle.ids[N_TIMERS - 1];
	bool is_listed;

	ck_assert_uint_eq(listed(last, &is_listed), N_TIMERS);
	ck_assert(is_listed);
	ck_assert_int_eq(prf_idle_timers_delete(&idle, &injection, 0, 2), 0);
	ck_assert_uint_eq(idle.n, N_TIMERS - 2);
	ck_assert_uint_eq(listed(last, &is_listed), N_TIMERS - 2);
	ck_assert(!is_listed);
	ck_assert_uint_eq(listed(first, &is_listed), N_TIMERS - 2);
	ck_assert(is_listed);
}
END_TEST

START_TEST(as_many_are_kept_as_may_be)
{
	bool is_listed;

	ck_assert_int_eq(prf_idle_timers_delete(&idle, &injection, 2, SIZE_MAX),
			 0);
	ck_assert_uint_eq(listed(idle.ids[0], &is_listed), 2);
	ck_assert_int_eq(prf_idle_timers_delete(&idle, &injection, 2, SIZE_MAX),
			 0);
	ck_assert_uint_eq(listed(idle.ids[1], &is_listed), 2);
	ck_assert(is_listed);
	ck_assert_int_eq(prf_idle_timers_delete(&idle, &injection, 0, SIZE_MAX),
			 0);
	ck_assert_uint_eq(listed(0, &is_listed), 0);
}
END_TEST

START_TEST(any_number_is_remembered)
{
	struct prf_idle_timers many = {0};

	for (int id = 0; id < 1000; id++)
		prf_idle_timers_add(&many, id);
	ck_assert_uint_eq(many.n, 1000);
	for (int id = 0; id < 1000; id++)
		ck_assert_int_eq(many.ids[id], id);
	prf_idle_timers_clear(&many);
}
END_TEST

START_TEST(they_are_a_part_of_the_signals_that_may_be_pending)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_SIGPENDING, &limit), 0);
	limit.rlim_cur = 160;
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
	ck_assert_uint_eq(prf_idle_timers_most(false), 10);
	ck_assert_uint_eq(prf_idle_timers_most(true), 10);
	limit.rlim_cur = limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
	ck_assert_uint_le(prf_idle_timers_most(false), 4096);
	ck_assert_uint_le(prf_idle_timers_most(true), 64);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("idle_timers");
	TCase *deleted = tcase_create("deleted"), *kept = tcase_create("kept");

	tcase_add_checked_fixture(deleted, set_up, tear_down);
	tcase_add_test(deleted, the_latest_go_first_and_so_many_at_once);
	tcase_add_test(deleted, as_many_are_kept_as_may_be);
	suite_add_tcase(suite, deleted);
	tcase_add_test(kept, any_number_is_remembered);
	tcase_add_test(kept,
		       they_are_a_part_of_the_signals_that_may_be_pending);
	suite_add_tcase(suite, kept);
	return suite;
}
