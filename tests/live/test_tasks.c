#include "live/tasks.h"

#include <signal.h>

#include "live/kept.h"
#include "support/suite.h"

/* More than there are buckets, so that some share one. */
enum { MANY = 10000 };

static struct prf_tasks *tasks;
static struct prf_process process = {.pid = 1};

static void
set_up(void)
{
	tasks = prf_tasks_new();
	ck_assert_ptr_nonnull(tasks);
}

static void
tear_down(void)
{
	prf_tasks_free(tasks);
}

START_TEST(each_task_is_found_by_its_id)
{
	for (pid_t tid = 1; tid <= MANY; tid++)
		ck_assert_ptr_nonnull(prf_tasks_add(tasks, tid, &process));
	ck_assert_uint_eq(prf_tasks_count(tasks), MANY);
	for (pid_t tid = 1; tid <= MANY; tid++)
		ck_assert_int_eq(prf_tasks_find(tasks, tid)->tid, tid);
	ck_assert_ptr_null(prf_tasks_find(tasks, MANY + 1));
}
END_TEST

START_TEST(a_new_task_is_fresh_and_nobodys)
{
	const struct prf_task *task = prf_tasks_add(tasks, 5, &process);

	ck_assert(task->fresh);
	ck_assert_ptr_null(task->trigger);
	ck_assert_ptr_eq(task->process, &process);
}
END_TEST

START_TEST(a_removed_task_is_gone_and_its_neighbours_stay)
{
	/* These three share a bucket. */
	prf_tasks_add(tasks, 1, &process);
	prf_tasks_add(tasks, 1 + 4096, &process);
	prf_tasks_add(tasks, 1 + 8192, &process);
	prf_tasks_remove(tasks, prf_tasks_find(tasks, 1 + 4096));
	ck_assert_ptr_null(prf_tasks_find(tasks, 1 + 4096));
	ck_assert_ptr_nonnull(prf_tasks_find(tasks, 1));
	ck_assert_ptr_nonnull(prf_tasks_find(tasks, 1 + 8192));
	ck_assert_uint_eq(prf_tasks_count(tasks), 2);
}
END_TEST

START_TEST(a_process_knows_how_many_of_its_tasks_are_stopped)
{
	struct prf_process stopped = {.pid = 7};
	struct prf_task *first = prf_tasks_add(tasks, 7, &stopped);
	struct prf_task *second = prf_tasks_add(tasks, 8, &stopped);

	prf_tasks_note_stop(first, SIGTSTP);
	prf_tasks_note_stop(second, SIGTSTP);
	prf_tasks_note_stop(second, SIGTSTP);
	ck_assert_uint_eq(stopped.n_stopped, 2);
	ck_assert_uint_eq(stopped.went_on, 0);
	prf_tasks_note_stop(second, 0);
	prf_tasks_note_stop(second, 0);
	ck_assert_uint_eq(stopped.n_stopped, 1);
	ck_assert_uint_eq(stopped.went_on, 1);
	prf_tasks_forget_past(first);
	ck_assert_uint_eq(stopped.n_stopped, 0);
	prf_tasks_note_stop(first, SIGSTOP);
	prf_tasks_remove(tasks, first);
	ck_assert_uint_eq(stopped.n_stopped, 0);
	prf_tasks_remove(tasks, second);
}
END_TEST

static int n_freed;

static void
count_freed(struct prf_kept *kept)
{
	(void)kept;
	n_freed++;
}

START_TEST(a_task_without_a_past_keeps_its_place)
{
	struct prf_kept kept = {.owner = &process, .free = count_freed};

	n_freed = 0;
	prf_tasks_add(tasks, 1, &process);
	struct prf_task *task = prf_tasks_add(tasks, 1 + 4096, &process);
	prf_tasks_add(tasks, 1 + 8192, &process);
	task->owed_from_ns = task->ticks = task->checked_cpu_ns = 5;
	task->rewound_pc = 6;
	task->interrupt_pending = true;
	prf_kept_add(&task->kept, &kept);
	prf_tasks_forget_past(task);
	ck_assert_uint_eq(task->owed_from_ns + task->ticks +
				  task->checked_cpu_ns + task->rewound_pc,
			  0);
	ck_assert(!task->interrupt_pending);
	ck_assert_ptr_null(task->kept);
	ck_assert_int_eq(n_freed, 1);
	ck_assert_ptr_eq(prf_tasks_find(tasks, 1 + 4096), task);
	ck_assert_ptr_nonnull(prf_tasks_find(tasks, 1));
	ck_assert_ptr_nonnull(prf_tasks_find(tasks, 1 + 8192));
}
END_TEST

static void
remove_even(void *arg, struct prf_task *task)
{
	++*(int *)arg;
	if (task->tid % 2 == 0)
		prf_tasks_remove(tasks, task);
}

START_TEST(a_visitor_may_remove_what_it_is_given)
{
	int visited = 0;

	for (pid_t tid = 1; tid <= MANY; tid++)
		prf_tasks_add(tasks, tid, &process);
	prf_tasks_each(tasks, remove_even, &visited);
	ck_assert_int_eq(visited, MANY);
	ck_assert_uint_eq(prf_tasks_count(tasks), MANY / 2);
	ck_assert_ptr_null(prf_tasks_find(tasks, 2));
	ck_assert_ptr_nonnull(prf_tasks_find(tasks, 3));
}
END_TEST

static void
remove_odd_of(void *arg, struct prf_task *task)
{
	++*(int *)arg;
	if (task->tid % 2)
		prf_tasks_remove(tasks, task);
}

START_TEST(each_process_has_its_own_tasks)
{
	struct prf_process other = {.pid = 2};
	int visited = 0;

	for (pid_t tid = 1; tid <= 100; tid++)
		prf_tasks_add(tasks, tid, tid <= 40 ? &process : &other);
	prf_tasks_each_of(&process, remove_odd_of, &visited);
	ck_assert_int_eq(visited, 40);
	ck_assert_uint_eq(prf_tasks_count(tasks), 80);
	prf_tasks_forget_past(prf_tasks_find(tasks, 20));
	visited = 0;
	prf_tasks_each_of(&process, remove_even, &visited);
	ck_assert_int_eq(visited, 20);
	ck_assert_ptr_null(process.tasks);
	visited = 0;
	prf_tasks_each_of(&other, remove_even, &visited);
	ck_assert_int_eq(visited, 60);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("tasks");
	TCase *tcase = tcase_create("tasks");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, each_task_is_found_by_its_id);
	tcase_add_test(tcase, a_new_task_is_fresh_and_nobodys);
	tcase_add_test(tcase, a_removed_task_is_gone_and_its_neighbours_stay);
	tcase_add_test(tcase,
		       a_process_knows_how_many_of_its_tasks_are_stopped);
	tcase_add_test(tcase, a_task_without_a_past_keeps_its_place);
	tcase_add_test(tcase, a_visitor_may_remove_what_it_is_given);
	tcase_add_test(tcase, each_process_has_its_own_tasks);
	suite_add_tcase(suite, tcase);
	return suite;
}
