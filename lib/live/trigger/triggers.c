#include "live/trigger/triggers.h"

#include <string.h>

#include "live/proc/clock.h"

#define OPS(name) &prf_trigger_##name,

const struct prf_trigger_ops *const prf_triggers[] = {PRF_TRIGGERS(OPS) NULL};

bool
prf_triggers_interrupts_calls(const struct prf_trigger_ops *ops)
{
	return ops->from_outside ||
	       (ops->interrupts_calls && ops->interrupts_calls());
}

void
prf_triggers_order(uint64_t period_ns, bool with_stacks,
		   const struct prf_trigger_ops **order)
{
	bool below_tick = period_ns < prf_clock_tick_ns();

	for (int round = 0; round < 2; round++)
		for (const struct prf_trigger_ops *const *ops = prf_triggers;
		     *ops; ops++) {
			bool early = below_tick && (*ops)->best_below_tick &&
				     !prf_triggers_interrupts_calls(*ops);

			if (early == (round == 0) &&
			    !(with_stacks && (*ops)->cuts_stacks))
				*order++ = *ops;
		}
	*order = NULL;
}

const struct prf_trigger_ops *
prf_triggers_find(const char *name)
{
	for (const struct prf_trigger_ops *const *ops = prf_triggers; *ops;
	     ops++)
		if (!strcmp((*ops)->name, name))
			return *ops;
	return NULL;
}
