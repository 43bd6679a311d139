#include "live/trigger/take_back.h"

#include "live/proc/status.h"

void
prf_take_back(const struct prf_watch *watch, struct prf_task *task)
{
	struct prf_stopped by = {.tid = task->tid};

	task->holds_ours = false;
	for (size_t i = 0; i < watch->n_triggers; i++) {
		const struct prf_trigger *trigger = watch->triggers[i];

		if (trigger->ops->take_back)
			trigger->ops->take_back(trigger, task->process, &by);
	}
}

bool
prf_take_back_is_due(const struct prf_watch *watch, const struct prf_task *task)
{
	struct prf_thread_status status;

	if (prf_status_read_thread(task->process->pid, task->tid, &status))
		return false;
	/* Is there one whom this would keep from stopping a thread? */
	status.signals_blocked &= status.signals_pending;
	for (size_t i = 0; i < watch->n_triggers; i++) {
		const struct prf_trigger *trigger = watch->triggers[i];

		if (trigger->ops->take_back &&
		    trigger->ops->cannot_stop(trigger, &status))
			return true;
	}
	return false;
}
