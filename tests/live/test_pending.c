#include "live/stopped/pending.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>

#include "live/trigger/trigger.h"
#include "support/suite.h"
#include "traced.h"

/* A trigger of which it is said here whether its signal waits. */
static bool waits;

static bool
is_pending(const struct prf_trigger *trigger, const struct prf_task *task)
{
	(void)trigger;
	(void)task;
	return waits;
}

static const struct prf_trigger_ops ops = {.is_pending = is_pending};
static struct prf_trigger trigger = {.ops = &ops};
static struct prf_regs at;
static struct prf_task task;

static void
nothing(void)
{
}

static void
begin(void)
{
	task = (struct prf_task){
		.tid = prf_traced_spinner(nothing, &at),
		.trigger = &trigger,
	};
	waits = true;
}

static void
end(void)
{
	free(task.due_at);
	kill(task.tid, SIGKILL);
}

START_TEST(a_sample_that_waits_is_where_it_became_due)
{
	struct prf_regs regs = {.pc = 1};

	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, at.pc);
	ck_assert_uint_eq(regs.sp, at.sp);
}
END_TEST

START_TEST(the_next_sample_is_where_it_comes)
{
	struct prf_regs regs = {.pc = 1};

	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	regs.pc = 1;
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, 1);
}
END_TEST

START_TEST(nothing_is_kept_of_other_stops)
{
	struct prf_regs regs = {.pc = 1};

	waits = false;
	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, 1);
	/* Nor what was kept for a sample that never came. */
	waits = true;
	prf_pending_note(&task);
	waits = false;
	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, 1);
	/* Nor by a trigger none of whose stops waits, or none at all. */
	const struct prf_trigger_ops none = {0};
	struct prf_trigger prompt = {.ops = &none};
	task.trigger = &prompt;
	prf_pending_note(&task);
	task.trigger = NULL;
	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, 1);
}
END_TEST

START_TEST(the_first_of_several_signals_tells)
{
	struct prf_regs regs = {.pc = 1}, moved = at;

	prf_pending_note(&task);
	prf_arch.set_pc(&moved, at.pc + 1);
	ck_assert_int_eq(prf_arch_write(task.tid, &moved), 0);
	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, at.pc);
}
END_TEST

START_TEST(of_a_thread_that_has_ended_nothing_is_kept)
{
	struct prf_regs regs = {.pc = 1};

	kill(task.tid, SIGKILL);
	prf_traced_wait(task.tid);
	prf_pending_note(&task);
	prf_pending_take(&task, &regs);
	ck_assert_uint_eq(regs.pc, 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pending");
	TCase *tcase = tcase_create("pending");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, a_sample_that_waits_is_where_it_became_due);
	tcase_add_test(tcase, the_next_sample_is_where_it_comes);
	tcase_add_test(tcase, nothing_is_kept_of_other_stops);
	tcase_add_test(tcase, the_first_of_several_signals_tells);
	tcase_add_test(tcase, of_a_thread_that_has_ended_nothing_is_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
