/* triggers.h - the table of all triggers. */
#ifndef PRF_LIVE_TRIGGER_TRIGGERS_H
#define PRF_LIVE_TRIGGER_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/trigger/trigger_list.h"

/* All there are; ends with NULL. */
extern const struct prf_trigger_ops *const prf_triggers[];

/* Puts those that are tried by themselves into ORDER, which has room for
 * PRF_MAX_TRIGGERS and a NULL at the end: where ticks are PERIOD_NS long and
 * that is shorter than the kernel's tick, those that are best_below_tick come
 * first, but for those that interrupt calls; those that cut_stacks are not there
 * if stacks are wanted. */
void prf_triggers_order(uint64_t period_ns, bool with_stacks,
			const struct prf_trigger_ops **order);

/* Do the stops of such a trigger interrupt system calls here? */
bool prf_triggers_interrupts_calls(const struct prf_trigger_ops *ops);

/* By name; NULL if there is none. */
const struct prf_trigger_ops *prf_triggers_find(const char *name);

#endif
