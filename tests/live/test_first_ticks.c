/* What the first stop of a thread stands for, where the kernel's tick is longer
 * than the period. */
#include "live/trigger/start.h"
#include "live/trigger/trigger_list.h"

#include <signal.h>

#include "live/proc/clock.h"
#include "live/kept.h"
#include "live/processes.h"
#include "live/stopped/inject.h"
#include "live/tasks.h"
#include "support/suite.h"
#include "traced.h"

static const struct {
	uint64_t period_ns, tick_ns;
	uint32_t ticks;
	double u;
	uint32_t expected;
} cases[] = {
	/* The kernel's tick is no longer than the period. */
	{10000000, 4000000, 1, 0.9, 1},
	{4000000, 4000000, 3, 0.9, 3},
	/* All of the kernel's tick, however little of it the thread has run. */
	{1000000, 4000000, 1, 0.0, 4},
	{1000000, 4000000, 4, 0.9, 4},
	/* A part of a tick is one tick by chance. */
	{3000000, 4000000, 1, 0.6, 1},
	{3000000, 4000000, 1, 0.7, 2},
	/* It ran on for longer than that. */
	{1000000, 4000000, 5, 0.0, 5},
	{1000000, 4000000, 100, 0.9, 100},
};
enum { N_CASES = sizeof cases / sizeof *cases };

START_TEST(the_first_stop_stands_for_a_tick_of_the_kernels_at_least)
{
	ck_assert_uint_eq(prf_start_ticks(cases[_i].period_ns,
					  cases[_i].tick_ns, cases[_i].ticks,
					  cases[_i].u),
			  cases[_i].expected);
}
END_TEST

/* How many ticks the first stop of a new thread brings. */
static uint32_t
first_claim(struct prf_trigger *trigger)
{
	struct prf_regs regs;
	struct prf_error err;
	pid_t child = prf_traced_spinner(NULL, &regs);
	struct prf_process process = {
		.pid = child,
		.syscall_insn = prf_inject_find_insn(child),
		.addr_bytes = 8,
	};
	struct prf_task task = {.tid = child, .process = &process};
	const struct prf_stopped by = {.tid = child, .regs = regs};

	ck_assert_msg(trigger->ops->arm(trigger, &task, &by, &err) == 0, "%s",
		      err.text);
	struct prf_stop stop = prf_stop_of_wait(child, prf_traced_go(child, 0));
	struct prf_claim claim = trigger->ops->claim(trigger, &task, &stop);
	ck_assert(claim.ours);
	kill(child, SIGKILL);
	prf_traced_wait(child);
	prf_kept_clear(&task.kept);
	prf_kept_clear(&process.kept);
	return claim.ticks;
}

/* The kernel meets a thread anywhere between two ticks: without what the first
 * stop is given, half of these would have brought less than half of them. */
START_TEST(a_timer_gives_it_that)
{
	enum { PERIODS = 16, ROUNDS = 8 };
	const struct prf_trigger_config config = {
		.period_ns = prf_clock_tick_ns() / PERIODS,
		.seed = 1,
	};
	struct prf_trigger *trigger;
	struct prf_error err;

	ck_assert_int_eq(prf_trigger_timer.open(&config, &trigger, &err), 0);
	for (int i = 0; i < ROUNDS; i++)
		ck_assert_uint_ge(first_claim(trigger), PERIODS);
	trigger->ops->close(trigger);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("first_ticks");
	TCase *tcase = tcase_create("first_ticks");

	tcase_add_loop_test(
		tcase, the_first_stop_stands_for_a_tick_of_the_kernels_at_least,
		0, N_CASES);
	tcase_add_test(tcase, a_timer_gives_it_that);
	suite_add_tcase(suite, tcase);
	return suite;
}
