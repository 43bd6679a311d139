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
	size_t n_bytes; /* of it all: another can follow there */
};

/* WHAT points to the struct of KIND: struct prf_exec and so on.  The bytes that
 * a copy takes, a multiple of its alignment. */
size_t prf_event_bytes(enum prf_event_kind kind, const void *what);
/* Copies it to AT, which has N_BYTES, as told, and is aligned. */
void prf_event_put(void *at, size_t n_bytes, enum prf_event_kind kind,
		   const void *what);

/* Gives EVENT to SINK; returns its answer. */
int prf_event_give(const struct prf_event *event, struct prf_sink *sink);

/* Of a sample; 0: it is another. */
static inline uint32_t
prf_event_ticks(const struct prf_event *event)
{
	const struct prf_sample *sample = (const void *)(event + 1);

	return event->kind == PRF_EVENT_SAMPLE ? sample->ticks : 0;
}

#endif
