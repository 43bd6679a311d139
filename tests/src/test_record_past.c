#include "src/output/record_past.h"

#include "core/event_log.h"
#include "support/suite.h"

static struct event_log seen;
static struct prf_record_past *past;

static void
begin(void)
{
	event_log_begin(&seen);
	past = prf_record_past_new();
	ck_assert_ptr_nonnull(past);
}

static void
end(void)
{
	prf_record_past_free(past);
	event_log_end(&seen);
}

static void
exec(pid_t pid)
{
	const struct prf_exec event = {
		.pid = pid, .path = "/bin/app", .command = "app", .rank = -1};

	prf_record_past_add(past, PRF_EVENT_EXEC, &event);
}

static void
map(pid_t pid, uint64_t addr)
{
	const struct prf_mapping event = {
		.pid = pid, .addr = addr, .size = 0x1000, .path = "/bin/app"};

	prf_record_past_add(past, PRF_EVENT_MAPPING, &event);
}

static void
live(enum prf_life_kind kind, pid_t pid, pid_t parent)
{
	const struct prf_life event = {.kind = kind,
				       .pid = pid,
				       .tid = pid,
				       .parent = parent,
				       .name = ""};

	prf_record_past_add(past, PRF_EVENT_LIFE, &event);
}

static size_t
n_given(void)
{
	size_t before = seen.n_events;

	ck_assert_int_eq(prf_record_past_give(past, &seen.base), 0);
	return seen.n_events - before;
}

START_TEST(what_lives_is_told_again_and_again)
{
	exec(1);
	map(1, 0x1000);
	live(PRF_LIFE_FORK, 2, 1);
	exec(2);
	map(2, 0x2000);
	ck_assert_uint_eq(n_given(), 5);
	ck_assert_uint_eq(n_given(), 5);
}
END_TEST

START_TEST(what_has_come_and_gone_is_not)
{
	exec(1);
	map(1, 0x1000);
	for (pid_t pid = 2; pid < 5000; pid++) {
		live(PRF_LIFE_FORK, pid, 1);
		exec(pid);
		map(pid, 0x2000);
		live(PRF_LIFE_EXIT, pid, 0);
	}
	ck_assert_uint_eq(n_given(), 2);
	/* Another program has other mappings. */
	exec(1);
	map(1, 0x3000);
	ck_assert_uint_eq(n_given(), 2);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("record_past");
	TCase *tcase = tcase_create("record_past");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, what_lives_is_told_again_and_again);
	tcase_add_test(tcase, what_has_come_and_gone_is_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
