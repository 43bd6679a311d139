/* triggers.h - the table of all triggers. */
#ifndef PRF_LIVE_TRIGGER_TRIGGERS_H
#define PRF_LIVE_TRIGGER_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/trigger/trigger_list.h"

/* All there are, in the order in which they are tried; ends with NULL. */
extern const struct prf_trigger_ops *const prf_triggers[];

/* Do the stops of such a trigger interrupt system calls here? */
bool prf_triggers_interrupts_calls(const struct prf_trigger_ops *ops);

/* By name; NULL if there is none. */
const struct prf_trigger_ops *prf_triggers_find(const char *name);

#endif
