#include "live/stopped/take_sample.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>

#include "support/suite.h"
#include "traced.h"
#include "watching.h"

static struct prf_watch *const watch = &prf_watching.watch;
static struct prf_task *task;

/* A trigger that has left something in a process, and what it was asked for: t to
 * tidy, b to take back. */
static int tidy_answer, take_back_answer;
static char asked[16];

static struct prf_claim
claim(struct prf_trigger *trigger, struct prf_task *stopped,
      const struct prf_stop *stop)
{
	(void)trigger;
	(void)stopped;
	(void)stop;
	return (struct prf_claim){.ours = true, .ticks = 1};
}

static void
note(char what)
{
	asked[strlen(asked)] = what;
	ck_assert_uint_lt(strlen(asked), sizeof asked - 1);
}

static int
tidy(struct prf_trigger *trigger, struct prf_process *process,
     const struct prf_stopped *by)
{
	(void)trigger;
	ck_assert_ptr_eq(process, task->process);
	ck_assert_int_eq(by->tid, task->tid);
	note('t');
	return tidy_answer;
}

static int
take_back(const struct prf_trigger *trigger, const struct prf_process *process,
	  const struct prf_stopped *by)
{
	(void)trigger;
	ck_assert_ptr_eq(process, task->process);
	ck_assert_int_eq(by->tid, task->tid);
	note('b');
	return take_back_answer;
}

static void
forget(struct prf_trigger *trigger, struct prf_task *forgotten)
{
	(void)trigger;
	(void)forgotten;
}

static const struct prf_trigger_ops ops = {
	.name = "leaving",
	.claim = claim,
	.tidy = tidy,
	.take_back = take_back,
	.forget = forget,
};
static struct prf_trigger leaving = {&ops};

static void
set_up(void)
{
	struct prf_regs regs;

	prf_watching_set_up();
	watch->triggers[0] = &leaving;
	task = prf_watching_add(prf_traced_spinner(NULL, &regs));
	task->trigger = &leaving;
	task->process->untidy = true;
	task->holds_ours = 2;
	tidy_answer = take_back_answer = 0;
	memset(asked, 0, sizeof asked);
}

/* A sample of the stopped task, which then stops again. */
static void
sample(void)
{
	struct prf_stop stop = {
		.kind = PRF_STOP_TRAP,
		.tid = task->tid,
	};

	ck_assert(prf_take_sample(watch, task, &stop));
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL), 0);
	prf_traced_wait(task->tid);
}

/* By a filter, which only this thread has. */
START_TEST(what_one_thread_cannot_tidy_another_may)
{
	tidy_answer = -EPERM;
	sample();
	ck_assert(task->process->untidy);
	tidy_answer = 0;
	sample();
	ck_assert(!task->process->untidy);
	sample();
	ck_assert_str_eq(asked, "ttb");
}
END_TEST

/* What is left of a trigger may send the next signal as soon as one is taken. */
START_TEST(a_signal_is_taken_back_when_all_is_tidied)
{
	tidy_answer = -EAGAIN;
	sample();
	ck_assert_str_eq(asked, "t");
	ck_assert_uint_ne(task->holds_ours, 0);
	tidy_answer = 0;
	sample();
	ck_assert_str_eq(asked, "ttb");
	ck_assert_uint_eq(task->holds_ours, 0);
}
END_TEST

START_TEST(what_could_not_be_taken_back_is_tried_again_but_not_for_ever)
{
	take_back_answer = -ETIMEDOUT;
	sample();
	ck_assert_uint_ne(task->holds_ours, 0);
	sample();
	ck_assert_uint_eq(task->holds_ours, 0);
	sample();
	ck_assert_str_eq(asked, "tbb");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("take_sample");
	TCase *tcase = tcase_create("take_sample");

	tcase_add_checked_fixture(tcase, set_up, prf_watching_tear_down);
	tcase_add_test(tcase, what_one_thread_cannot_tidy_another_may);
	tcase_add_test(tcase, a_signal_is_taken_back_when_all_is_tidied);
	tcase_add_test(
		tcase,
		what_could_not_be_taken_back_is_tried_again_but_not_for_ever);
	suite_add_tcase(suite, tcase);
	return suite;
}
