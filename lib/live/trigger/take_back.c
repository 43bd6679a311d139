#include "live/trigger/take_back.h"

#include "live/proc/status.h"

void
prf_take_back(const struct prf_watch *watch, struct prf_task *task)
{
	struct prf_stopped by = prf_stopped_of(task);

	bool is_done = true;

	for (size_t i = 0; i < watch->n_triggers; i++) {
		const struct prf_trigger *trigger = watch->triggers[i];

		if (trigger->ops->take_back &&
		    trigger->ops->take_back(trigger, task->process, &by))
			is_done = false;
	}
	if (is_done)
		task->holds_ours = 0;
	else if (task->holds_ours)
		task->holds_ours--;
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
