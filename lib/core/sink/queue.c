#include "core/queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock_ns.h"
#include "core/sink/chunk.h"
#include "core/sink/untold.h"
#include "core/scope.h"
#include "core/worker.h"

/* A few chunks stay in a processor's cache; handing one over costs little for
 * each event in it. */
enum { CHUNK_BYTES = 64 << 10, MOST_SPARE = 8 };

/* Of what says how samples are to be read so much may wait: so many times what may
 * wait of samples, and no more than the second. */
enum { NEWS_ROOMS = 64, MOST_NEWS_BYTES = 256 << 20 };

/* There are two ways to give an event.  Where giving must be quick, any thread
 * puts the event into the last chunk, under the lock, where the queue's thread
 * can take it at once.  Where nothing is refused, one thread gathers events in
 * a chunk of its own, and waits for room when it hands the chunk over. */

/* What the thread does now and then. */
struct rounds {
	void (*call)(void *arg); /* NULL: nothing */
	void *arg;
	uint64_t every_ns, next_ns;
	bool had_events; /* since the last one */
};

/* In the order in which they are made. */
enum { STEADY, WORTHWHILE, N_ROUNDS };

struct queue {
	struct prf_sink base;
	struct prf_sink *inner;
	size_t room_bytes;
	bool waits;
	struct prf_chunk
		*gathered; /* of the thread that waits for room; or NULL */
	pthread_t thread;
	bool running;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t filled, emptied;
	struct prf_chunk *first, *last; /* filled; the last may have room */
	struct prf_chunks chunks;       /* to be filled again */
	size_t waiting_bytes; /* of room, also of what the thread works at */
	size_t news_bytes;    /* the same of what is no sample */
	uint64_t n_lost;      /* of those, for which there was no room */
	struct prf_untold untold;
	bool is_idle;     /* the thread waits for FILLED */
	bool naps;        /* the same, but for a limited time */
	bool has_news;    /* a program or a mapping waits */
	bool giver_waits; /* for EMPTIED */
	bool ended;

	struct rounds rounds[N_ROUNDS];

	/* The thread's own, until it ends. */
	bool had_news;
	struct prf_losses losses;
};

/* --- The thread */

/* Waits until there is news, or until END_NS.  Returns whether END_NS has
 * passed. */
static bool
wait_until(struct queue *queue, uint64_t end_ns)
{
	const struct timespec end = {
		.tv_sec = (time_t)(end_ns / 1000000000),
		.tv_nsec = (long)(end_ns % 1000000000),
	};

	return pthread_cond_timedwait(&queue->filled, &queue->lock, &end);
}

/* Whether what waits must be worked through now. */
static bool
is_urgent(const struct queue *queue)
{
	/* Of samples with stacks, which are worth a wake-up, and of which
	 * something may be learned for the next. */
	enum { MANY_BYTES = 256 << 10 };

	return queue->ended || queue->has_news ||
	       queue->waiting_bytes > MANY_BYTES ||
	       queue->waiting_bytes > queue->room_bytes / 2;
}

/* A round is worth making only if something came since the last one. */
static bool
expects_round(const struct queue *queue, size_t which)
{
	const struct rounds *rounds = &queue->rounds[which];

	return rounds->call && (which == STEADY || rounds->had_events);
}

/* UINT64_MAX: none is expected. */
static uint64_t
next_round_ns(const struct queue *queue)
{
	uint64_t next_ns = UINT64_MAX;

	for (size_t i = 0; i < N_ROUNDS; i++)
		if (expects_round(queue, i) &&
		    queue->rounds[i].next_ns < next_ns)
			next_ns = queue->rounds[i].next_ns;
	return next_ns;
}

/* Waking the thread takes longer than working through one event, and takes it
 * from the processor that the program may be on: so events gather for a while,
 * or until half of the room is taken, or a round is due.  But a file that has just
 * been run or mapped may not be there for long. */
static void
nap(struct queue *queue)
{
	enum { NAP_NS = 500000000 };
	const uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC) + NAP_NS;

	queue->naps = true;
	while (queue->naps && !is_urgent(queue)) {
		uint64_t round_ns = next_round_ns(queue);

		if (wait_until(queue, round_ns < end_ns ? round_ns : end_ns))
			break;
	}
	queue->naps = false;
}

static void
wait_for_events(struct queue *queue)
{
	queue->is_idle = true;
	while (queue->is_idle && !queue->first && !queue->ended) {
		uint64_t next_ns = next_round_ns(queue);

		if (next_ns == UINT64_MAX)
			pthread_cond_wait(&queue->filled, &queue->lock);
		else if (wait_until(queue, next_ns))
			break;
	}
	queue->is_idle = false;
}

/* Takes all that waits, perhaps nothing.  False: nothing comes any more. */
static bool
take_all(struct queue *queue, struct prf_chunk **chunks)
{
	pthread_mutex_lock(&queue->lock);
	if (!queue->waits && !queue->had_news)
		nap(queue);
	wait_for_events(queue);
	*chunks = queue->first;
	queue->had_news = queue->has_news;
	queue->has_news = false;
	queue->first = queue->last = NULL;
	queue->rounds[WORTHWHILE].had_events |= *chunks != NULL;
	bool goes_on = *chunks || !queue->ended;
	pthread_mutex_unlock(&queue->lock);
	return goes_on;
}

/* The queue wakes a giver that waits when half of the room is free, so that it
 * does not fall asleep again at once. */
static void
give_room_back(struct queue *queue, struct prf_chunk *chunk)
{
	pthread_mutex_lock(&queue->lock);
	queue->waiting_bytes -= chunk->counted_bytes;
	queue->news_bytes -= chunk->used - chunk->counted_bytes;
	bool kept = prf_chunks_keep(&queue->chunks, chunk);
	bool wake = queue->giver_waits &&
		    queue->waiting_bytes <= queue->room_bytes / 2;
	pthread_mutex_unlock(&queue->lock);
	if (!kept)
		free(chunk);
	if (wake)
		pthread_cond_signal(&queue->emptied);
}

/* When one that was made from BEGIN_NS to END_NS is made again: those that take
 * long are made less often. */
static uint64_t
next_worthwhile_ns(const struct rounds *rounds, uint64_t begin_ns,
		   uint64_t end_ns)
{
	enum { MOST_SHARE = 20 }; /* of the time: 1/20 */
	uint64_t pause_ns = (end_ns - begin_ns) * MOST_SHARE;

	return end_ns +
	       (pause_ns > rounds->every_ns ? pause_ns : rounds->every_ns);
}

static uint64_t
next_steady_ns(const struct rounds *rounds, uint64_t end_ns)
{
	uint64_t n = (end_ns - rounds->next_ns) / rounds->every_ns + 1;

	return rounds->next_ns + n * rounds->every_ns;
}

static void
make_round(struct queue *queue, size_t which)
{
	struct rounds *rounds = &queue->rounds[which];
	uint64_t begin_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (!expects_round(queue, which) || begin_ns < rounds->next_ns)
		return;
	/* CALL may ask for the next one. */
	rounds->had_events = false;
	rounds->call(rounds->arg);
	uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC);
	rounds->next_ns =
		which == STEADY ? next_steady_ns(rounds, end_ns)
				: next_worthwhile_ns(rounds, begin_ns, end_ns);
}

static void *
drain(void *arg)
{
	struct queue *queue = arg;
	struct prf_chunk *chunk, *next;

	while (take_all(queue, &chunk)) {
		for (; chunk; chunk = next) {
			next = chunk->next;
			prf_chunk_give(chunk, queue->inner, &queue->losses);
			give_room_back(queue, chunk);
		}
		for (size_t i = 0; i < N_ROUNDS; i++)
			make_round(queue, i);
	}
	return NULL;
}

/* The thread, which may wait already, takes notice. */
static void
set_rounds(struct queue *queue, size_t which, struct rounds rounds)
{
	pthread_mutex_lock(&queue->lock);
	queue->rounds[which] = rounds;
	pthread_mutex_unlock(&queue->lock);
	pthread_cond_signal(&queue->filled);
}

void
prf_queue_sink_every(struct prf_sink *sink, uint64_t every_ns,
		     void (*call)(void *arg), void *arg)
{
	struct queue *queue = (struct queue *)sink;

	set_rounds(queue, WORTHWHILE,
		   (struct rounds){.call = call,
				   .arg = arg,
				   .every_ns = every_ns,
				   .next_ns = prf_clock_ns(CLOCK_MONOTONIC) +
					      every_ns});
}

void
prf_queue_sink_again(struct prf_sink *sink)
{
	struct queue *queue = (struct queue *)sink;

	queue->rounds[WORTHWHILE].had_events = true;
}

void
prf_queue_sink_steadily(struct prf_sink *sink, uint64_t first_ns,
			uint64_t every_ns, void (*call)(void *arg), void *arg)
{
	struct queue *queue = (struct queue *)sink;

	set_rounds(queue, STEADY,
		   (struct rounds){.call = call,
				   .arg = arg,
				   .every_ns = every_ns,
				   .next_ns = first_ns});
}

/* --- Those who give */

static void
append(struct queue *queue, struct prf_chunk *chunk)
{
	*(queue->last ? &queue->last->next : &queue->first) = chunk;
	queue->last = chunk;
}

/* The lock is released before the thread is woken, which would have to wait for
 * it otherwise. */
static void
unlock_and_wake(struct queue *queue)
{
	bool wake = queue->is_idle || (queue->naps && is_urgent(queue));

	if (wake)
		queue->is_idle = queue->naps = false;
	pthread_mutex_unlock(&queue->lock);
	if (wake)
		pthread_cond_signal(&queue->filled);
}

static bool
has_room(const struct queue *queue, size_t n_bytes)
{
	return n_bytes <= queue->room_bytes &&
	       queue->waiting_bytes <= queue->room_bytes - n_bytes;
}

static bool
has_room_for_news(const struct queue *queue, size_t n_bytes)
{
	size_t most = queue->room_bytes < MOST_NEWS_BYTES / NEWS_ROOMS
			      ? queue->room_bytes * NEWS_ROOMS
			      : MOST_NEWS_BYTES;

	return n_bytes <= most && queue->news_bytes <= most - n_bytes;
}

/* Without a program or a mapping that has begun, the samples of its process that
 * follow would be taken for others: none of them is taken. */
static bool
admits(struct queue *queue, enum prf_event_kind kind, const void *what,
       size_t n_bytes)
{
	bool is_admitted = prf_untold_admits(&queue->untold, kind, what,
					     has_room_for_news(queue, n_bytes));

	queue->n_lost += !is_admitted && kind != PRF_EVENT_SAMPLE;
	return is_admitted;
}

/* The last chunk, with space for N_BYTES of the event WHAT of KIND; NULL: that is
 * counted as lost.  If there is one, the queue is locked. */
static int
lock_last(struct queue *queue, size_t n_bytes, enum prf_event_kind kind,
	  const void *what, struct prf_chunk **out)
{
	bool is_sample = kind == PRF_EVENT_SAMPLE;
	int rc = 0;

	*out = NULL;
	pthread_mutex_lock(&queue->lock);
	if (!admits(queue, kind, what, n_bytes)) {
		pthread_mutex_unlock(&queue->lock);
		return is_sample ? -ENOBUFS : 0;
	}
	if (is_sample && !has_room(queue, n_bytes)) {
		rc = -ENOBUFS;
	} else if (!prf_chunk_has_space(queue->last, n_bytes)) {
		struct prf_chunk *chunk =
			prf_chunks_take(&queue->chunks, n_bytes);

		if (chunk)
			append(queue, chunk);
		else
			rc = -ENOMEM;
	}
	if (rc) {
		/* What is refused has not been told, either. */
		(void)prf_untold_admits(&queue->untold, kind, what, false);
		pthread_mutex_unlock(&queue->lock);
		return rc;
	}
	*(is_sample ? &queue->waiting_bytes : &queue->news_bytes) += n_bytes;
	queue->last->counted_bytes += is_sample ? n_bytes : 0;
	*out = queue->last;
	return 0;
}

/* What was gathered is handed to the thread as soon as there is room; if it
 * exceeds all the room, when nothing else waits. */
static void
hand_over(struct queue *queue, struct prf_chunk *chunk)
{
	while (!has_room(queue, chunk->used) && queue->waiting_bytes > 0) {
		queue->giver_waits = true;
		pthread_cond_wait(&queue->emptied, &queue->lock);
	}
	queue->giver_waits = false;
	chunk->counted_bytes = chunk->used;
	queue->waiting_bytes += chunk->used;
	append(queue, chunk);
}

/* The chunk that is being gathered, with space for N_BYTES. */
static int
gather(struct queue *queue, size_t n_bytes, struct prf_chunk **out)
{
	if (!prf_chunk_has_space(queue->gathered, n_bytes)) {
		pthread_mutex_lock(&queue->lock);
		if (queue->gathered)
			hand_over(queue, queue->gathered);
		queue->gathered = prf_chunks_take(&queue->chunks, n_bytes);
		unlock_and_wake(queue);
	}
	*out = queue->gathered;
	return *out ? 0 : -ENOMEM;
}

static int
give(struct prf_sink *sink, enum prf_event_kind kind, const void *what)
{
	struct queue *queue = (struct queue *)sink;
	size_t n_bytes = prf_event_bytes(kind, what);
	struct prf_chunk *chunk;
	int rc = queue->waits ? gather(queue, n_bytes, &chunk)
			      : lock_last(queue, n_bytes, kind, what, &chunk);

	if (rc || !chunk)
		return rc;
	prf_chunk_put(chunk, n_bytes, kind, what);
	if (queue->waits)
		return 0;
	queue->has_news |= kind == PRF_EVENT_EXEC || kind == PRF_EVENT_MAPPING;
	unlock_and_wake(queue);
	return 0;
}

static int
queue_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	return give(sink, PRF_EVENT_EXEC, exec);
}

static int
queue_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return give(sink, PRF_EVENT_MAPPING, map);
}

static int
queue_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	return give(sink, PRF_EVENT_SAMPLE, sample);
}

static int
queue_life(struct prf_sink *sink, const struct prf_life *life)
{
	return give(sink, PRF_EVENT_LIFE, life);
}

static int
queue_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return give(sink, PRF_EVENT_FIGURE, figure);
}

/* --- The end */

static void
stop_thread(struct queue *queue)
{
	if (!queue->running)
		return;
	pthread_mutex_lock(&queue->lock);
	if (queue->gathered)
		hand_over(queue, PRF_TAKE(queue->gathered));
	queue->ended = true;
	unlock_and_wake(queue);
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
	const struct queue *queue = (const struct queue *)sink;
	struct prf_losses losses = queue->losses;

	losses.others += queue->n_lost;
	/* What was refused may be so because of that. */
	if (queue->n_lost)
		losses.code = -ENOBUFS;
	return losses;
}

/* Frees a queue whose thread does not run. */
static void
discard(struct queue *queue)
{
	prf_chunks_clear(&queue->chunks);
	prf_untold_clear(&queue->untold);
	pthread_cond_destroy(&queue->emptied);
	pthread_cond_destroy(&queue->filled);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}

static void
queue_free(struct prf_sink *sink)
{
	struct queue *queue = (struct queue *)sink;

	stop_thread(queue);
	queue->inner->ops->free(queue->inner);
	discard(queue);
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

static int
start_thread(struct queue *queue)
{
	int rc = prf_worker_begin(&queue->thread, drain, queue);

	queue->running = !rc;
	return rc;
}

/* The clock by which naps end is not set back with the time of day. */
static void
init_filled(pthread_cond_t *filled)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(filled, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static int
new_queue(const struct queue *config, struct prf_sink **out,
	  struct prf_error *err)
{
	struct queue *queue = malloc(sizeof *queue);

	if (!queue)
		return prf_error_set(err, -ENOMEM, "out of memory");
	*queue = *config;
	queue->base.ops = &queue_ops;
	pthread_mutex_init(&queue->lock, NULL);
	init_filled(&queue->filled);
	pthread_cond_init(&queue->emptied, NULL);
	int rc = start_thread(queue);
	if (rc) {
		discard(queue);
		return prf_error_set(err, rc, "no thread for the samples: %s",
				     strerror(-rc));
	}
	*out = &queue->base;
	return 0;
}

int
prf_queue_sink_new(struct prf_sink *inner, size_t room_bytes,
		   struct prf_sink **out, struct prf_error *err)
{
	const struct queue config = {
		.inner = inner,
		.room_bytes = room_bytes,
		.chunks = {.chunk_bytes = CHUNK_BYTES,
			   .most_spare = MOST_SPARE},
	};

	return new_queue(&config, out, err);
}

int
prf_queue_sink_new_waiting(struct prf_sink *inner, size_t room_bytes,
			   struct prf_sink **out, struct prf_error *err)
{
	/* One is filled while others wait. */
	size_t chunk_bytes =
		room_bytes / 8 < CHUNK_BYTES ? room_bytes / 8 : CHUNK_BYTES;
	const struct queue config = {
		.inner = inner,
		.room_bytes = room_bytes,
		.chunks = {.chunk_bytes = chunk_bytes,
			   .most_spare = MOST_SPARE},
		.waits = true,
	};

	return new_queue(&config, out, err);
}
