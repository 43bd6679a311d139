/* queued.h - a sink that writes down what it is given, and can be held up; and
 * the queue before it, as the tests of queues use them. */
#ifndef PRF_TESTS_CORE_QUEUED_H
#define PRF_TESTS_CORE_QUEUED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/queue.h"

struct recorder {
	struct prf_sink base;
	char text[65536];
	size_t used;
	int refuse; /* what it returns */
	pthread_mutex_t gate;
	bool finished, freed;
};

extern struct recorder recorder;
extern const struct prf_sink_ops queued_ops;
extern struct prf_sink *queue;

/* Writes KIND, A and B; returns what it is to refuse with. */
int queued_note(char kind, long a, const char *b);

/* prf_queue_sink_new() or prf_queue_sink_new_waiting(). */
typedef int queued_queue(struct prf_sink *, size_t, struct prf_sink **,
			 struct prf_error *);

/* An empty recorder, and QUEUE before it. */
void queued_begin(queued_queue *new_queue, size_t room_bytes);

/* A sample of two frames and three ticks; returns what the queue says. */
int queued_give_sample(uint64_t addr);
void queued_give_mapping(uint64_t addr);

#endif
