/* event_log.h - a sink that writes down all it is given, so that two can be
 * compared event by event; and streams of events to give. */
#ifndef PRF_TESTS_CORE_EVENT_LOG_H
#define PRF_TESTS_CORE_EVENT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "core/random.h"
#include "core/sample.h"

struct event_log {
	struct prf_sink base;
	int answer;             /* to each event */
	bool *finished, *freed; /* where to say so; or NULL */
	char *text;             /* a line for each event */
	size_t n_bytes, max_bytes;
	size_t *ends; /* where in the text they end */
	size_t n_events, max_events;
};

void event_log_begin(struct event_log *log);
void event_log_end(struct event_log *log);

/* The first difference between two logs is a failure. */
void event_log_check_same(const struct event_log *a, const struct event_log *b);
/* PART must be how WHOLE begins. */
void event_log_check_begin(const struct event_log *part,
			   const struct event_log *whole);
/* PART must be WHOLE without some of its events. */
void event_log_check_subset(const struct event_log *part,
			    const struct event_log *whole);

/* N events of all kinds, with numbers of any size. */
void event_log_give_any(struct random *random, size_t n, struct prf_sink *sink);

/* What a run of a program looks like: an exec, some mappings, N samples of
 * N_THREADS threads at 100 Hz, now and then a mapping more, lives, figures. */
void event_log_give_run(struct random *random, size_t n, unsigned n_threads,
			struct prf_sink *sink);

#endif
