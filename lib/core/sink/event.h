/* event.h - an event of a sink as bytes: a copy in one piece of memory, with
 * all that it points to, which can be kept and given to a sink later.  Not
 * installed. */
#ifndef PRF_CORE_SINK_EVENT_H
#define PRF_CORE_SINK_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"

enum prf_event_kind {
	PRF_EVENT_EXEC,
	PRF_EVENT_MAPPING,
	PRF_EVENT_SAMPLE,
	PRF_EVENT_LIFE,
	PRF_EVENT_FIGURE,
};

/* Behind it are the struct of its kind and what that points to. */
struct prf_event {
	enum prf_event_kind kind;
	size_t n_bytes; /* of all of it: the next event can follow there */
};

/* The bytes that a copy of WHAT takes, a multiple of its alignment.  WHAT
 * points to the struct of KIND: struct prf_exec and so on. */
size_t prf_event_bytes(enum prf_event_kind kind, const void *what);
/* Copies WHAT to AT, which is aligned and has N_BYTES, as many as the function
 * above has said. */
void prf_event_put(void *at, size_t n_bytes, enum prf_event_kind kind,
		   const void *what);

/* Gives EVENT to SINK; returns its answer. */
int prf_event_give(const struct prf_event *event, struct prf_sink *sink);

/* The ticks of a sample; 0 for an event of another kind. */
static inline uint32_t
prf_event_ticks(const struct prf_event *event)
{
	const struct prf_sample *sample = (const void *)(event + 1);

	return event->kind == PRF_EVENT_SAMPLE ? sample->ticks : 0;
}

#endif
