#include "src/output/record_past.h"

#include <stdlib.h>

#include "core/pctrace/pctrace_past.h"

/* So many more events than were needed the last time are kept. */
enum { SPARE = 1024 };

struct prf_record_past {
	struct prf_pctrace_past events;
	size_t n, n_needed; /* at hand; of the last time */
};

struct prf_record_past *
prf_record_past_new(void)
{
	struct prf_record_past *past = calloc(1, sizeof *past);

	if (past)
		TAILQ_INIT(&past->events);
	return past;
}

void
prf_record_past_free(struct prf_record_past *past)
{
	if (past)
		prf_pctrace_past_clear(&past->events);
	free(past);
}

static void
forget(struct prf_record_past *past)
{
	struct prf_pctrace_past_event *event = TAILQ_FIRST(&past->events);

	past->n = past->n_needed = prf_pctrace_past_select(&past->events);
	while (event) {
		struct prf_pctrace_past_event *next = TAILQ_NEXT(event, others);

		if (!event->is_needed) {
			TAILQ_REMOVE(&past->events, event, others);
			free(event);
		}
		event = next;
	}
}

void
prf_record_past_add(struct prf_record_past *past, enum prf_event_kind kind,
		    const void *what)
{
	prf_pctrace_past_add(&past->events, kind, what);
	if (++past->n > 2 * past->n_needed + SPARE)
		forget(past);
}

int
prf_record_past_give(struct prf_record_past *past, struct prf_sink *sink)
{
	const struct prf_pctrace_past_event *event;
	int first = 0;

	forget(past);
	TAILQ_FOREACH(event, &past->events, others)
	{
		int rc = prf_event_give(&event->event, sink);

		if (!first)
			first = rc;
	}
	return first;
}
