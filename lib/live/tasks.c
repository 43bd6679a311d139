#include "live/tasks.h"

#include <stdlib.h>

#include "live/kept.h"
#include "live/stopped/inject.h"

/* Thread ids come one after the other: their low bits are a good hash, and
 * with this many buckets the lists stay short for tens of thousands of
 * threads. */
enum { N_BUCKETS = 4096 };

struct prf_tasks {
	struct prf_task *buckets[N_BUCKETS];
	size_t count;
};

static struct prf_task **
bucket_of(const struct prf_tasks *tasks, pid_t tid)
{
	return (struct prf_task **)&tasks->buckets[(unsigned)tid % N_BUCKETS];
}

struct prf_tasks *
prf_tasks_new(void)
{
	return calloc(1, sizeof(struct prf_tasks));
}

void
prf_tasks_free(struct prf_tasks *tasks)
{
	if (!tasks)
		return;
	for (size_t i = 0; i < N_BUCKETS; i++)
		while (tasks->buckets[i])
			prf_tasks_remove(tasks, tasks->buckets[i]);
	free(tasks);
}

size_t
prf_tasks_count(const struct prf_tasks *tasks)
{
	return tasks->count;
}

struct prf_task *
prf_tasks_find(const struct prf_tasks *tasks, pid_t tid)
{
	struct prf_task *task = *bucket_of(tasks, tid);

	while (task && task->tid != tid)
		task = task->next;
	return task;
}

static void
join_process(struct prf_task *task)
{
	struct prf_task **first = &task->process->tasks;

	task->sibling = *first;
	task->sibling_link = first;
	if (*first)
		(*first)->sibling_link = &task->sibling;
	*first = task;
}

static void
leave_process(struct prf_task *task)
{
	*task->sibling_link = task->sibling;
	if (task->sibling)
		task->sibling->sibling_link = task->sibling_link;
}

struct prf_task *
prf_tasks_add(struct prf_tasks *tasks, pid_t tid, struct prf_process *process)
{
	struct prf_task *task = calloc(1, sizeof *task);
	struct prf_task **bucket = bucket_of(tasks, tid);

	if (!task)
		return NULL;
	*task = (struct prf_task){
		.tid = tid,
		.process = process,
		.fresh = true,
		.next = *bucket,
	};
	*bucket = task;
	join_process(task);
	tasks->count++;
	return task;
}

void
prf_tasks_note_stop(struct prf_task *task, int signal)
{
	struct prf_process *process = task->process;

	task->was_stopped = task->stopped_by;
	process->went_on += task->was_stopped && !signal;
	process->n_stopped -= task->was_stopped;
	process->n_stopped += signal != 0;
	task->stopped_by = signal;
}

void
prf_tasks_remove(struct prf_tasks *tasks, struct prf_task *task)
{
	struct prf_task **link = bucket_of(tasks, task->tid);

	while (*link != task)
		link = &(*link)->next;
	*link = task->next;
	prf_tasks_note_stop(task, 0);
	leave_process(task);
	prf_kept_clear(&task->kept);
	free(task->due_at);
	prf_inject_forget(task->overdue);
	free(task);
	tasks->count--;
}

void
prf_tasks_forget_past(struct prf_task *task)
{
	prf_kept_clear(&task->kept);
	free(task->due_at);
	prf_inject_forget(task->overdue);
	prf_tasks_note_stop(task, 0);
	*task = (struct prf_task){
		.tid = task->tid,
		.process = task->process,
		.next = task->next,
		.sibling = task->sibling,
		.sibling_link = task->sibling_link,
	};
}

void
prf_tasks_each(struct prf_tasks *tasks,
	       void (*visit)(void *arg, struct prf_task *task), void *arg)
{
	struct prf_task *next;

	for (size_t i = 0; i < N_BUCKETS; i++)
		for (struct prf_task *task = tasks->buckets[i]; task;
		     task = next) {
			next = task->next;
			visit(arg, task);
		}
}

void
prf_tasks_each_of(struct prf_process *process,
		  void (*visit)(void *arg, struct prf_task *task), void *arg)
{
	struct prf_task *next;

	for (struct prf_task *task = process->tasks; task; task = next) {
		next = task->sibling;
		visit(arg, task);
	}
}
