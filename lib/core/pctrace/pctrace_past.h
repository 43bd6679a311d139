/* pctrace_past.h - the events of a block without which later ones mean nothing.
 * The next block repeats them, so that a damaged block costs only itself. */
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

/* Keeps a copy of an event that is neither a sample nor a figure.  If there is
 * no memory the event is not kept, and not repeated. */
void prf_pctrace_past_add(struct prf_pctrace_past *past,
			  enum prf_event_kind kind, const void *what);
void prf_pctrace_past_clear(struct prf_pctrace_past *past);

/* Finds out which of the events are needed, and returns how many.  Events of a
 * process or thread that has begun and ended are not needed, nor are those of a
 * program, and its mappings, that was replaced by another. */
size_t prf_pctrace_past_select(struct prf_pctrace_past *past);

#endif
