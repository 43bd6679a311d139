/* pctrace_past.h - the events of a block without which those after it mean
 * nothing: what the next block tells again, so that a block that is damaged
 * costs itself alone. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_PAST_H
#define PRF_CORE_PCTRACE_PCTRACE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "core/sample.h"
#include "core/sink/event.h"

struct prf_pctrace_past_event {
	TAILQ_ENTRY(prf_pctrace_past_event) others;
	bool is_needed;
	struct prf_event event; /* and what follows it */
};

/* In the order in which they were given. */
TAILQ_HEAD(prf_pctrace_past, prf_pctrace_past_event);

/* Keeps a copy of an event, which is no sample and no figure.  Without memory it
 * is not kept, and not told again. */
void prf_pctrace_past_add(struct prf_pctrace_past *past,
			  enum prf_event_kind kind, const void *what);
void prf_pctrace_past_clear(struct prf_pctrace_past *past);

/* Finds out which of the events are needed, and returns how many.  Those are
 * not that tell of a process or thread that has come and gone, or of a program
 * and its mappings after which another was run. */
size_t prf_pctrace_past_select(struct prf_pctrace_past *past);

#endif
