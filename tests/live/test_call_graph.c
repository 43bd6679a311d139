/* Runs that take stacks: what samples bring, and what becomes of it. */
#include "live/sampler.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sampling.h"
#include "support/sample_sink.h"
#include "support/suite.h"
#include "traced.h"
#include "waiting_calls.h"
#include "unwind/stacks.h"

/* A sink that counts ticks by how their stacks end. */
struct by_end {
	struct prf_sink base;
	uint64_t ticks[PRF_N_STACK_ENDS];
	uint64_t with_caller; /* of the complete ones */
	uint64_t blocked, blocked_complete;
};

static int
take_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct by_end *ends = (struct by_end *)sink;
	bool is_complete = sample->end == PRF_STACK_COMPLETE;
	bool is_blocked = sample->syscall == PAUSE_CALL;

	is_blocked |= sample->syscall == POLL_CALL;
	ck_assert_uint_eq(sample->stack_copy_bytes, 0);
	ends->ticks[sample->end] += sample->ticks;
	if (is_complete && sample->n_frames > 3)
		ends->with_caller += sample->ticks;
	if (is_blocked) {
		ends->blocked += sample->ticks;
		ends->blocked_complete += is_complete ? sample->ticks : 0;
	}
	return 0;
}

static const struct prf_sink_ops by_end_ops = PRF_SAMPLE_SINK_OPS(take_sample);

static struct by_end ends;
static struct prf_sink *stacks;

static void
set_up_by(enum prf_stacks_by by)
{
	struct prf_error err;

	prf_sampling_set_up();
	prf_sampling.config.call_graph = true;
	ends = (struct by_end){.base.ops = &by_end_ops};
	ck_assert_int_eq(
		prf_stacks_sink_new(&ends.base, by, NULL, &stacks, &err), 0);
}

static void
set_up(void)
{
	set_up_by(PRF_STACKS_BY_CFI);
}

/* Of a thread that is not stopped its frame pointer is not known: CFI leads nowhere
 * where the C library keeps one, as Ubuntu's does. */
static void
set_up_for_waits(void)
{
	set_up_by(PRF_STACKS_BY_AUTO);
}

static void
tear_down(void)
{
	stacks->ops->free(stacks);
	prf_sampling_tear_down();
}

static void
run(const char *workload, const char *arguments)
{
	int rc = prf_sampling_run(stacks, prf_workload(workload), arguments);

	ck_assert_msg(rc == 0, "%s: %s", workload, prf_sampling.err.text);
	prf_sampling_check_exit(0);
	/* Each comes with its own tick, or was torn. */
	if (!prf_sampling.run.stats.wall.torn)
		ck_assert_uint_eq(prf_sampling.run.stats.stackless, 0);
}

/* Some ticks fall where a program or a thread has hardly begun. */
static void
check_most(uint64_t complete)
{
	const struct prf_sampler_stats *stats = &prf_sampling.run.stats;
	uint64_t ticks = stats->ticks - stats->wall.waiting;

	ck_assert_uint_gt(ticks, 10);
	ck_assert_msg(complete + 3 + stats->threads >= ticks,
		      "%llu of %llu ticks are complete",
		      (unsigned long long)complete, (unsigned long long)ticks);
}

START_TEST(stacks_are_complete_with_every_trigger)
{
	prf_sampling.config.trigger = prf_sampling_triggers[_i];
	run("threads", "2 0.3");
	check_most(ends.with_caller);
}
END_TEST

START_TEST(the_user_clock_takes_them_too)
{
	prf_sampling.config.clock = PRF_CLOCK_USER;
	run("threads", "1 0.3");
	check_most(ends.with_caller);
}
END_TEST

START_TEST(a_blocked_thread_has_its_stack_without_a_stop)
{
	prf_sampling.config.clock = PRF_CLOCK_WALL;
	run("waits", "0.5 20");
	ck_assert_uint_ge(ends.blocked, 20 * 20);
	ck_assert_uint_ge(ends.blocked_complete + 20, ends.blocked);
}
END_TEST

START_TEST(without_being_asked_for_there_are_none)
{
	prf_sampling.config.call_graph = false;
	run("threads", "1 0.2");
	ck_assert_uint_eq(ends.ticks[PRF_STACK_NONE],
			  prf_sampling.run.stats.ticks);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_graph");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, stacks_are_complete_with_every_trigger, 0,
			    PRF_SAMPLING_N_TRIGGERS);
	tcase_add_test(tcase, the_user_clock_takes_them_too);
	tcase_add_test(tcase, without_being_asked_for_there_are_none);
	suite_add_tcase(suite, tcase);

	tcase = tcase_create("waits");
	tcase_add_checked_fixture(tcase, set_up_for_waits, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_blocked_thread_has_its_stack_without_a_stop);
	suite_add_tcase(suite, tcase);
	return suite;
}
