#include "live/trigger/triggers.h"

#include <string.h>

#define OPS(name) &prf_trigger_##name,

const struct prf_trigger_ops *const prf_triggers[] = {PRF_TRIGGERS(OPS) NULL};

bool
prf_triggers_interrupts_calls(const struct prf_trigger_ops *ops)
{
	return ops->from_outside ||
	       (ops->interrupts_calls && ops->interrupts_calls());
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
