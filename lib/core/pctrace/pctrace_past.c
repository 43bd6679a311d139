#include "core/pctrace/pctrace_past.h"

#include <stdlib.h>

void
prf_pctrace_past_add(struct prf_pctrace_past *past, enum prf_event_kind kind,
		     const void *what)
{
	size_t n_bytes = prf_event_bytes(kind, what);
	struct prf_pctrace_past_event *added =
		malloc(sizeof *added - sizeof added->event + n_bytes);

	if (!added)
		return;
	prf_event_put(&added->event, n_bytes, kind, what);
	TAILQ_INSERT_TAIL(past, added, others);
}

void
prf_pctrace_past_clear(struct prf_pctrace_past *past)
{
	struct prf_pctrace_past_event *event;

	while ((event = TAILQ_FIRST(past))) {
		TAILQ_REMOVE(past, event, others);
		free(event);
	}
}

/* --- Which events are needed: they are examined from the last to the first, so
 * that it is known what will become of each process. */

/* A process or a thread, as it is after the event at hand. */
struct task {
	pid_t id;
	bool image_is_told; /* its program and mappings are not needed: it will
			      * run another, or end */
	bool has_heir;      /* a child will be forked that is needed */
	struct prf_pctrace_past_event *end; /* it will end; or NULL */
};

struct tasks {
	struct task *all;
	size_t n, room;
};

/* Those of one block are few.  NULL: out of memory. */
static struct task *
find_task(struct tasks *tasks, pid_t id)
{
	for (size_t i = 0; i < tasks->n; i++)
		if (tasks->all[i].id == id)
			return &tasks->all[i];
	if (tasks->n == tasks->room) {
		size_t room = tasks->room ? 2 * tasks->room : 32;
		struct task *all =
			reallocarray(tasks->all, room, sizeof *tasks->all);

		if (!all)
			return NULL;
		tasks->all = all;
		tasks->room = room;
	}
	tasks->all[tasks->n] = (struct task){.id = id};
	return &tasks->all[tasks->n++];
}

static const void *
what_of(const struct prf_pctrace_past_event *event)
{
	return &event->event + 1;
}

static pid_t
pid_of(const struct prf_pctrace_past_event *event)
{
	const struct prf_exec *exec = what_of(event);
	const struct prf_mapping *map = what_of(event);
	const struct prf_life *life = what_of(event);

	return event->event.kind == PRF_EVENT_EXEC      ? exec->pid
	       : event->event.kind == PRF_EVENT_MAPPING ? map->pid
							: life->pid;
}

/* A process has begun, by FORK, and ended: none of its events is needed. */
static void
drop_process(struct prf_pctrace_past_event *fork,
	     const struct prf_pctrace_past_event *end)
{
	pid_t pid = pid_of(fork);
	struct prf_pctrace_past_event *event = fork;

	for (;; event = TAILQ_NEXT(event, others)) {
		if (pid_of(event) == pid)
			event->is_needed = false;
		if (event == end)
			return;
	}
}

/* What a child has from its parent is needed as long as it has no program of
 * its own. */
static bool
judge_fork(struct tasks *tasks, struct prf_pctrace_past_event *event)
{
	const struct prf_life *life = what_of(event);
	struct task *parent = find_task(tasks, life->parent);
	struct task *child = find_task(tasks, life->pid);

	if (!child || !parent) /* which may have moved */
		return false;
	parent = find_task(tasks, life->parent);
	if (child->end && !child->has_heir) {
		drop_process(event, child->end);
	} else {
		parent->has_heir = true;
		parent->image_is_told &= child->image_is_told;
	}
	*child = (struct task){.id = life->pid}; /* another, before */
	return true;
}

static bool
judge_life(struct tasks *tasks, struct prf_pctrace_past_event *event)
{
	const struct prf_life *life = what_of(event);

	if (life->kind == PRF_LIFE_FORK)
		return judge_fork(tasks, event);
	bool is_thread =
		life->kind == PRF_LIFE_THREAD || life->kind == PRF_LIFE_END;
	if (is_thread && life->tid == life->pid)
		return true;
	struct task *task = find_task(tasks, life->tid);
	if (!task)
		return false;
	if (life->kind != PRF_LIFE_THREAD) {
		*task = (struct task){
			.id = life->tid, .image_is_told = true, .end = event};
		return true;
	}
	if (task->end)
		event->is_needed = task->end->is_needed = false;
	*task = (struct task){.id = life->tid};
	return true;
}

/* False: out of memory. */
static bool
judge(struct tasks *tasks, struct prf_pctrace_past_event *event)
{
	if (event->event.kind == PRF_EVENT_LIFE)
		return judge_life(tasks, event);
	struct task *task = find_task(tasks, pid_of(event));
	if (!task)
		return false;
	event->is_needed = !task->image_is_told;
	task->image_is_told |= event->event.kind == PRF_EVENT_EXEC;
	return true;
}

size_t
prf_pctrace_past_select(struct prf_pctrace_past *past)
{
	struct prf_pctrace_past_event *event;
	struct tasks tasks = {0};
	size_t n = 0;

	TAILQ_FOREACH(event, past, others)
	event->is_needed = true;
	/* An event that is not examined is needed. */
	TAILQ_FOREACH_REVERSE(event, past, prf_pctrace_past, others)
	if (!judge(&tasks, event))
		break;
	TAILQ_FOREACH(event, past, others)
	n += event->is_needed;
	free(tasks.all);
	return n;
}
