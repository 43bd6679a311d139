#include "live/stopped/pending.h"

#include <stdlib.h>

#include "live/trigger/trigger.h"

static bool
is_pending(const struct prf_task *task)
{
	const struct prf_trigger *trigger = task->trigger;

	return trigger && trigger->ops->is_pending &&
	       trigger->ops->is_pending(trigger, task);
}

static void
forget(struct prf_task *task)
{
	free(task->due_at);
	task->due_at = NULL;
}

/* What was kept before is where the thread was when the sample became due.
 * Without memory the sample is where it comes. */
void
prf_pending_note(struct prf_task *task)
{
	if (!is_pending(task)) {
		forget(task);
		return;
	}
	if (task->due_at)
		return;
	task->due_at = malloc(sizeof *task->due_at);
	if (task->due_at && prf_arch.read(task->tid, task->due_at))
		forget(task);
}

void
prf_pending_take(struct prf_task *task, struct prf_regs *regs)
{
	if (!task->due_at)
		return;
	*regs = *task->due_at;
	forget(task);
}
