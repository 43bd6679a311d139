#include "core/queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum event_kind {
	EVENT_EXEC,
	EVENT_MAPPING,
	EVENT_SAMPLE,
	EVENT_LIFE,
	EVENT_FIGURE,
};

/* An event and what it points to, in one piece of memory. */
struct event {
	struct event *next;
	enum event_kind kind;
	size_t sample_bytes; /* of the room that samples may take */
	union {
		struct prf_exec exec;
		struct prf_mapping mapping;
		struct prf_sample sample;
		struct prf_life life;
		struct prf_figure figure;
	};
	char tail[]; /* strings or frames */
};

struct queue {
	struct prf_sink base;
	struct prf_sink *inner;
	size_t room_bytes;
	pthread_t thread;
	bool running;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t filled;
	struct event *first, **last;
	size_t waiting_bytes;
	bool ended;

	struct prf_losses losses; /* the thread's own, till it ends */
};

static int
deliver(struct prf_sink *inner, const struct event *event)
{
	switch (event->kind) {
	case EVENT_EXEC:
		return inner->ops->exec(inner, &event->exec);
	case EVENT_MAPPING:
		return inner->ops->mapping(inner, &event->mapping);
	case EVENT_SAMPLE:
		return inner->ops->sample(inner, &event->sample);
	case EVENT_LIFE:
		return prf_sink_life(inner, &event->life);
	case EVENT_FIGURE:
		return prf_sink_figure(inner, &event->figure);
	}
	return -EINVAL;
}

/* Takes all that waits; NULL: nothing comes any more. */
static struct event *
take_all(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->ended)
		pthread_cond_wait(&queue->filled, &queue->lock);
	struct event *events = queue->first;

	queue->first = NULL;
	queue->last = &queue->first;
	pthread_mutex_unlock(&queue->lock);
	return events;
}

static void
give_room_back(struct queue *queue, const struct event *event)
{
	pthread_mutex_lock(&queue->lock);
	queue->waiting_bytes -= event->sample_bytes;
	pthread_mutex_unlock(&queue->lock);
}

static uint32_t
ticks_of(const struct event *event)
{
	return event->kind == EVENT_SAMPLE ? event->sample.ticks : 0;
}

static void *
drain(void *arg)
{
	struct queue *queue = arg;
	struct event *event, *next;

	while ((event = take_all(queue)))
		for (; event; event = next) {
			next = event->next;
			prf_losses_count(&queue->losses, ticks_of(event),
					 deliver(queue->inner, event));
			give_room_back(queue, event);
			free(event);
		}
	return NULL;
}

static void
append(struct queue *queue, struct event *event)
{
	event->next = NULL;
	*queue->last = event;
	queue->last = &event->next;
	queue->waiting_bytes += event->sample_bytes;
	pthread_cond_signal(&queue->filled);
}

/* An event with room behind it for N_BYTES; NULL: out of memory. */
static struct event *
event_new(enum event_kind kind, size_t n_bytes)
{
	struct event *event = malloc(sizeof *event + n_bytes);

	if (event) {
		event->kind = kind;
		event->sample_bytes = 0;
	}
	return event;
}

/* An event with two strings behind it, which *FIRST and *SECOND point to
 * afterwards; NULL: out of memory. */
static struct event *
event_with_strings(enum event_kind kind, const char **first,
		   const char **second)
{
	size_t first_bytes = strlen(*first) + 1;
	size_t second_bytes = strlen(*second) + 1;
	struct event *event = event_new(kind, first_bytes + second_bytes);

	if (!event)
		return NULL;
	*first = memcpy(event->tail, *first, first_bytes);
	*second = memcpy(event->tail + first_bytes, *second, second_bytes);
	return event;
}

/* What is never refused; EVENT NULL: there was no memory for it. */
static int
append_always(struct queue *queue, struct event *event)
{
	if (!event)
		return -ENOMEM;
	pthread_mutex_lock(&queue->lock);
	append(queue, event);
	pthread_mutex_unlock(&queue->lock);
	return 0;
}

static int
queue_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_exec copy = *exec;
	struct event *event =
		event_with_strings(EVENT_EXEC, &copy.path, &copy.command);

	if (event)
		event->exec = copy;
	return append_always((struct queue *)sink, event);
}

static int
queue_mapping(struct prf_sink *sink, const struct prf_mapping *mapping)
{
	size_t path_bytes = strlen(mapping->path) + 1;
	struct event *event =
		event_new(EVENT_MAPPING, path_bytes + mapping->build_id_bytes);

	if (event) {
		char *build_id = event->tail + path_bytes;

		event->mapping = *mapping;
		event->mapping.path =
			memcpy(event->tail, mapping->path, path_bytes);
		event->mapping.build_id = (uint8_t *)build_id;
		if (mapping->build_id_bytes)
			memcpy(build_id, mapping->build_id,
			       mapping->build_id_bytes);
	}
	return append_always((struct queue *)sink, event);
}

static int
queue_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_life copy = *life;
	const char *none = "";
	struct event *event = event_with_strings(EVENT_LIFE, &copy.name, &none);

	if (event)
		event->life = copy;
	return append_always((struct queue *)sink, event);
}

static int
queue_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct prf_figure copy = *figure;
	const char *none = "";
	struct event *event =
		event_with_strings(EVENT_FIGURE, &copy.name, &none);

	if (event)
		event->figure = copy;
	return append_always((struct queue *)sink, event);
}

static int
queue_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct queue *queue = (struct queue *)sink;
	size_t frames_bytes = sample->n_frames * sizeof *sample->frames;
	struct event *event = malloc(sizeof *event + frames_bytes);

	if (!event)
		return -ENOMEM;
	event->kind = EVENT_SAMPLE;
	event->sample_bytes = sizeof *event + frames_bytes;
	event->sample = *sample;
	event->sample.frames =
		memcpy(event->tail, sample->frames, frames_bytes);

	pthread_mutex_lock(&queue->lock);
	bool room =
		event->sample_bytes <= queue->room_bytes &&
		queue->waiting_bytes <= queue->room_bytes - event->sample_bytes;
	if (room)
		append(queue, event);
	pthread_mutex_unlock(&queue->lock);
	if (!room)
		free(event);
	return room ? 0 : -ENOBUFS;
}

static void
stop_thread(struct queue *queue)
{
	if (!queue->running)
		return;
	pthread_mutex_lock(&queue->lock);
	queue->ended = true;
	pthread_cond_signal(&queue->filled);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
	queue->running = false;
}

static int
queue_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct queue *queue = (struct queue *)sink;

	stop_thread(queue);
	return queue->inner->ops->finish(queue->inner, err);
}

struct prf_losses
prf_queue_sink_losses(const struct prf_sink *sink)
{
	return ((const struct queue *)sink)->losses;
}

static void
queue_free(struct prf_sink *sink)
{
	struct queue *queue = (struct queue *)sink;

	stop_thread(queue);
	queue->inner->ops->free(queue->inner);
	pthread_cond_destroy(&queue->filled);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}

static const struct prf_sink_ops queue_ops = {
	.exec = queue_exec,
	.mapping = queue_mapping,
	.sample = queue_sample,
	.life = queue_life,
	.figure = queue_figure,
	.finish = queue_finish,
	.free = queue_free,
};

/* The thread must not be given the process's signals. */
static int
start_thread(struct queue *queue)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&queue->thread, NULL, drain, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	queue->running = !rc;
	return -rc;
}

int
prf_queue_sink_new(struct prf_sink *inner, size_t room_bytes,
		   struct prf_sink **out, struct prf_error *err)
{
	struct queue *queue = calloc(1, sizeof *queue);

	if (!queue)
		return prf_error_set(err, -ENOMEM, "out of memory");
	queue->base.ops = &queue_ops;
	queue->inner = inner;
	queue->room_bytes = room_bytes;
	queue->last = &queue->first;
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->filled, NULL);
	int rc = start_thread(queue);
	if (rc) {
		pthread_cond_destroy(&queue->filled);
		pthread_mutex_destroy(&queue->lock);
		free(queue);
		return prf_error_set(err, rc, "no thread for the samples: %s",
				     strerror(-rc));
	}
	*out = &queue->base;
	return 0;
}
