/* perf's task clock on each thread, whose samples the kernel writes into a ring:
 * no thread is stopped, and nothing is made inside the program.  It needs a
 * permission that many machines do not give.
 *
 * Each thread has an event and a ring of its own.  One event for all, which
 * threads inherit, would cost less where threads take turns all the time; but
 * its periods pass from thread to thread, and a thread that lives for less than
 * one is never seen. */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "live/arch.h"
#include "live/kept.h"
#include "live/proc/clock.h"
#include "live/proc/schedstat.h"
#include "live/ring/ring_event.h"
#include "live/ring/ring_gaps.h"
#include "live/ring/ring_news.h"
#include "live/trigger/trigger_list.h"
#include "unwind/stack_needs.h"

enum {
	/* The kernel tells of the samples of so much time together. */
	TOGETHER_NS = 32000000,
	/* A ring has room for the samples of so much time, and a first
	 * thread's, which loads the libraries, for what it maps. */
	ROOM_NS = 250000000,
	SAMPLE_BYTES = 96,
	FIRST_BYTES = 32768,
	MOST_BYTES = 1 << 18,
	/* Of the kernel's memory, for all threads together. */
	ALL_BYTES = 1 << 28,
};

/* With stacks: what a sample takes in the ring, the stack's copy and all else,
 * whether the stack is as deep or not. */
enum {
	RECORD_BYTES = 1 << 15,
	BESIDE_STACK_BYTES = 1024,
	/* The kernel makes no larger ones.  They are for a thread of whose stacks
	 * so many were cut. */
	DEEP_RECORD_BYTES = 1 << 16,
	DEEP_FROM = 3,
	STACKS_TOGETHER_NS = 16000000,
	STACKS_ROOM_NS = 64000000,
	LEAST_STACKS = 8,
	MOST_STACKS = 128,
};

/* A thread that has run for less has just begun: all of that is to count. */
enum { BIRTH_NS = 1000000 };

/* So often it is asked how much a thread has run that is not sampled; in the
 * beginning whenever it has run for as long again. */
enum { REST_NS = 50000000 };

/* In the beginning the sample that ends a period is looked for when it could be
 * there, and some times more. */
enum { MOST_LOOKS = 5, LOOK_LATER_NS = 100000 };

struct ring_trigger {
	struct prf_trigger base;
	struct prf_ring_gaps gaps;
	bool user_only, with_stacks, with_kernel;
	const struct prf_stack_needs *needs; /* lent, or NULL */
	size_t n_mapped;                     /* bytes, of all rings */
	/* No thread with deep stacks makes that more: half of what is allowed,
	 * so that there is some for threads to come. */
	uint64_t deep_most_bytes;
	prf_trigger_take *take;
	void *take_arg;
	struct prf_ring_news *news;
	uint8_t record[PRF_RING_RECORD_BYTES];
};

/* What is kept for a thread. */
struct ring_thread {
	struct prf_kept base;
	struct ring_trigger *ring;
	struct prf_task *task;
	struct prf_ring_event event;
	int number;         /* among those with news */
	uint64_t base_ns;   /* of its life, before that counted */
	uint64_t before_ns; /* the thread's CPU time before it counted, */
	bool knows_before;  /* where that is known */
	uint64_t exec_ns;   /* of that: in execve(2), since the last program */
	uint64_t look_for_rest_ns; /* when it is next asked what is unsampled */
	double switching;          /* that, as a part of what is sampled */
	uint8_t n_short;           /* stacks that were cut, of one before it */
	bool is_deep;              /* larger copies have been asked for */
	struct prf_ring_gap gap;
	unsigned n_looks;
	uint64_t n_lost; /* records, since the last sample */
	bool was_full;   /* for a stack, when records were last read */
	bool has_ended;  /* another program has begun */
};

static void
ring_close(struct prf_trigger *trigger)
{
	struct ring_trigger *ring = (struct ring_trigger *)trigger;

	prf_ring_news_free(ring->news);
	free(ring);
}

static size_t
between(size_t least, size_t value, size_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* For stacks that take RECORD_BYTES each. */
static size_t
stacks_bytes(const struct ring_trigger *ring, size_t record_bytes)
{
	return between(LEAST_STACKS, STACKS_ROOM_NS / ring->gaps.mean_ns,
		       MOST_STACKS) *
	       record_bytes;
}

/* Of the stack, to tell which system call it is. */
static uint32_t
call_bytes(const struct ring_trigger *ring)
{
	return ring->user_only ? 0 : prf_arch.call_stack_bytes;
}

static size_t
room_bytes(const struct ring_trigger *ring, bool is_first)
{
	return ring->with_stacks
		       ? stacks_bytes(ring, RECORD_BYTES)
		       : between(is_first ? FIRST_BYTES : 0,
				 ROOM_NS / ring->gaps.mean_ns *
					 (SAMPLE_BYTES + call_bytes(ring)),
				 MOST_BYTES);
}

static struct prf_ring_config
event_config(const struct ring_trigger *ring, const struct prf_ring_gap *gap,
	     bool is_first)
{
	return (struct prf_ring_config){
		.first_ns = gap->first_ns,
		.period_ns = gap->period_ns,
		.n_at_once = ring->gaps.n_at_once,
		.user_only = ring->user_only,
		.n_bytes = room_bytes(ring, is_first),
		.stack_bytes = ring->with_stacks
				       ? RECORD_BYTES - BESIDE_STACK_BYTES
				       : call_bytes(ring),
		.with_registers = ring->with_stacks,
		.with_kernel = ring->with_kernel,
	};
}

/* May we have such a ring?  One for this thread shows it. */
static int
try_event(struct ring_trigger *ring, struct prf_error *err)
{
	struct prf_ring_gap gap;
	struct prf_ring_event event;

	prf_ring_gaps_begin(&ring->gaps, &gap, 0);
	const struct prf_ring_config config = event_config(ring, &gap, true);
	int rc = prf_ring_event_open(0, &config, &event, err);

	if (!rc)
		prf_ring_event_close(&event);
	return rc;
}

static int
ring_open(const struct prf_trigger_config *config, struct prf_trigger **out,
	  struct prf_error *err)
{
	if (!prf_arch.perf_registers)
		return prf_error_set(err, -ENOTSUP,
				     "not made for this machine yet");
	if (!config->take)
		return prf_error_set(err, -EINVAL, "nobody takes its samples");
	struct ring_trigger *ring = calloc(1, sizeof *ring);
	if (!ring)
		return prf_error_set(err, -ENOMEM, "out of memory");
	ring->base.ops = &prf_trigger_ring;
	ring->user_only = config->clock == PRF_CLOCK_USER;
	ring->with_stacks = config->call_graph;
	ring->with_kernel = config->kernel;
	ring->needs = config->stack_needs;
	ring->take = config->take;
	ring->take_arg = config->take_arg;
	ring->deep_most_bytes =
		between(0, prf_ring_event_most_bytes(), ALL_BYTES) / 2;
	prf_ring_gaps_init(&ring->gaps, config->period_ns,
			   ring->with_stacks ? STACKS_TOGETHER_NS : TOGETHER_NS,
			   config->seed);
	ring->gaps.is_partial = ring->user_only;
	int rc = try_event(ring, err);
	if (!rc)
		rc = prf_ring_news_new(&ring->news, err);
	if (rc) {
		ring_close(&ring->base);
		return rc;
	}
	*out = &ring->base;
	return 0;
}

static struct ring_thread *
thread_of(const struct prf_trigger *trigger, const struct prf_task *task)
{
	return (struct ring_thread *)prf_kept_find(task->kept, trigger);
}

static void
free_thread(struct prf_kept *kept)
{
	struct ring_thread *thread = (struct ring_thread *)kept;

	prf_ring_news_remove(thread->ring->news, thread->event.fd,
			     thread->number);
	thread->ring->n_mapped -= thread->event.n_mapped;
	prf_ring_event_close(&thread->event);
	free(thread);
}

static int
read_cpu(const struct ring_thread *thread, uint64_t *cpu_ns)
{
	const struct prf_task *task = thread->task;

	return task->is_replaced ? -ESRCH
				 : prf_schedstat_read_cpu(task->process->pid,
							  task->tid, cpu_ns);
}

/* What THREAD has run before: all of that is to count, if it has just begun, and
 * what nothing has counted, if its program has. */
static void
note_past(struct ring_thread *thread)
{
	const struct prf_task *task = thread->task;

	thread->knows_before = !read_cpu(thread, &thread->before_ns);
	if (!thread->knows_before)
		return;
	if (task->begins)
		thread->base_ns =
			thread->before_ns <= BIRTH_NS ? thread->before_ns : 0;
	else if (task->owed_from_ns && task->owed_from_ns < thread->before_ns)
		thread->exec_ns = thread->before_ns - task->owed_from_ns;
}

/* How long the thread still has to run until it is due. */
static uint64_t
until_due_ns(const struct ring_thread *thread)
{
	uint64_t now_ns;

	if (prf_ring_event_read(&thread->event, &now_ns))
		return 0;
	return thread->gap.due_ns > now_ns ? thread->gap.due_ns - now_ns : 0;
}

/* For the sample that ends the period. */
static void
look_again(struct ring_thread *thread)
{
	uint64_t later_ns = LOOK_LATER_NS << thread->n_looks;

	if (thread->n_looks++ < MOST_LOOKS)
		prf_ring_news_look(thread->ring->news, thread->number,
				   prf_clock_ns(CLOCK_MONOTONIC) +
					   until_due_ns(thread) + later_ns);
}

static int
begin_ring(struct ring_thread *thread, struct prf_error *err)
{
	struct ring_trigger *ring = thread->ring;
	const struct prf_task *task = thread->task;

	prf_ring_gaps_begin(&ring->gaps, &thread->gap, thread->base_ns);
	const struct prf_ring_config config = event_config(
		ring, &thread->gap, task->tid == task->process->pid);

	if (ring->n_mapped + config.n_bytes > ALL_BYTES)
		return prf_error_set(err, -ENOMEM,
				     "too many threads for rings of 256 MiB");
	int rc = prf_ring_event_open(task->tid, &config, &thread->event, err);
	if (rc)
		return rc;
	thread->number =
		prf_ring_news_add(ring->news, thread->event.fd, thread);
	if (thread->number >= 0) {
		ring->n_mapped += thread->event.n_mapped;
		return 0;
	}
	prf_ring_event_close(&thread->event);
	return prf_error_set(err, thread->number, "out of memory");
}

static int
ring_arm(struct prf_trigger *trigger, struct prf_task *task,
	 const struct prf_stopped *by, struct prf_error *err)
{
	struct ring_thread *thread = calloc(1, sizeof *thread);

	(void)by;
	if (!thread)
		return prf_error_set(err, -ENOMEM, "out of memory");
	*thread = (struct ring_thread){
		.base = {.owner = trigger, .free = free_thread},
		.ring = (struct ring_trigger *)trigger,
		.task = task,
	};
	if (thread->ring->needs)
		thread->n_short =
			prf_stack_needs_short(thread->ring->needs, task->tid);
	note_past(thread);
	int rc = begin_ring(thread, err);
	if (rc) {
		free(thread);
		return rc;
	}
	prf_kept_add(&task->kept, &thread->base);
	look_again(thread);
	return 0;
}

/* Where there was no room, the ticks beyond those of the sample are lost. */
static uint32_t
without_lost(struct ring_thread *thread, uint32_t ticks)
{
	const struct ring_trigger *ring = thread->ring;
	const struct prf_ring_record lost = {
		.kind = PRF_RING_LOST,
		.n_lost = thread->n_lost,
	};
	uint32_t own = ring->gaps.worth;

	if (!thread->n_lost || !ticks)
		return ticks;
	thread->n_lost = 0;
	if (ticks <= own)
		return ticks;
	ring->take(ring->take_arg, thread->task, &lost, ticks - own);
	return own;
}

static uint32_t
ticks_of(struct ring_thread *thread, const struct prf_ring_sample *sample)
{
	struct ring_trigger *ring = thread->ring;
	uint32_t ticks =
		prf_ring_gaps_take(&ring->gaps, &thread->gap, sample->clock_ns);

	return without_lost(thread, ticks);
}

/* What comes after a record of exec is of a thread that is still in that call: its
 * ticks are the call's, and what it maps is of the next program, which is asked for
 * all of that. */
static void
take_record(struct ring_thread *thread, struct prf_ring_record *record)
{
	struct ring_trigger *ring = thread->ring;
	uint32_t ticks = 0;

	if (record->kind == PRF_RING_LOST)
		thread->n_lost += record->n_lost;
	else if (record->kind == PRF_RING_EXEC)
		thread->has_ended = true;
	else if (record->kind == PRF_RING_SAMPLE)
		ticks = ticks_of(thread, &record->sample);
	if (thread->has_ended)
		record->kind = PRF_RING_EXEC;
	if (ticks || record->kind == PRF_RING_MAPPING)
		ring->take(ring->take_arg, thread->task, record, ticks);
}

/* Hands on what the kernel has written. */
static void
drain(struct ring_thread *thread)
{
	struct prf_ring_records records =
		prf_ring_event_records(&thread->event, thread->ring->record);
	struct prf_ring_record record;
	const uint64_t n_bytes = records.head - records.tail;

	if (n_bytes > 0)
		thread->was_full = records.size - n_bytes < RECORD_BYTES;
	while (prf_ring_records_next(&records, &record) == 1)
		take_record(thread, &record);
	prf_ring_event_free_room(&thread->event, &records);
}

/* The time that the thread has run is TIME_NS more than was sampled; of that KIND
 * is what was not counted yet. */
static void
take_unsampled(struct ring_thread *thread, enum prf_ring_kind kind,
	       uint64_t time_ns)
{
	struct ring_trigger *ring = thread->ring;
	const struct prf_ring_record record = {.kind = kind};
	uint32_t ticks = prf_ring_gaps_unsampled(&ring->gaps, &thread->gap,
						 thread->exec_ns + time_ns);

	if (ticks)
		ring->take(ring->take_arg, thread->task, &record, ticks);
}

/* The event does not count what the kernel does for a thread as it switches to it
 * or away from it, nor, since Linux 6.16, as it gives the memory back of one that
 * ends: of a server that answers short requests, and of a short program, that is
 * up to a tenth.  The thread's exact CPU time has it, which the kernel brings up
 * to date at each of its ticks (so that is read first).  At the end, switches have
 * taken the part that they had before. */
static void
take_rest(struct ring_thread *thread)
{
	uint64_t cpu_ns, clock_ns;

	if (!thread->knows_before || thread->ring->user_only)
		return;
	take_unsampled(thread, PRF_RING_EXEC, 0);
	if (read_cpu(thread, &cpu_ns) ||
	    prf_ring_event_read(&thread->event, &clock_ns) || !clock_ns ||
	    cpu_ns < thread->before_ns + clock_ns)
		return;
	uint64_t rest_ns = cpu_ns - thread->before_ns - clock_ns;
	double part = (double)rest_ns / (double)clock_ns;

	if (!prf_ring_event_is_over(&thread->event)) {
		thread->switching = part;
		take_unsampled(thread, PRF_RING_SWITCHING, rest_ns);
		return;
	}
	take_unsampled(
		thread, PRF_RING_SWITCHING,
		(uint64_t)((double)clock_ns * fmin(part, thread->switching)));
	take_unsampled(thread, PRF_RING_ENDING, rest_ns);
}

static void
ring_flush(struct prf_trigger *trigger, struct prf_task *task)
{
	struct ring_thread *thread = thread_of(trigger, task);

	if (!thread)
		return;
	drain(thread);
	take_rest(thread);
	/* That has taken away what the kernel had to tell meanwhile. */
	drain(thread);
}

/* (Of a thread that rarely runs the kernel tells when it has some samples, which
 * may never be.) */
static void
ring_collect(struct prf_trigger *trigger, struct prf_task *task)
{
	struct ring_thread *thread = thread_of(trigger, task);

	if (thread)
		drain(thread);
}

static void
ring_forget(struct prf_trigger *trigger, struct prf_task *task)
{
	prf_kept_drop(&task->kept, trigger);
}

static uint32_t
ring_unseen(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct ring_trigger *ring = (const struct ring_trigger *)trigger;
	const struct ring_thread *thread = thread_of(trigger, task);
	uint64_t clock_ns;

	if (!thread || prf_ring_event_read(&thread->event, &clock_ns))
		return 0;
	return prf_ring_gaps_owed(&ring->gaps, &thread->gap, clock_ns);
}

static struct prf_claim
ring_claim(struct prf_trigger *trigger, struct prf_task *task,
	   const struct prf_stop *stop)
{
	(void)trigger;
	(void)task;
	(void)stop;
	return (struct prf_claim){0};
}

/* It need not. */
static bool
ring_cannot_stop(const struct prf_trigger *trigger,
		 const struct prf_thread_status *status)
{
	(void)trigger;
	(void)status;
	return false;
}

static int
ring_fd(const struct prf_trigger *trigger)
{
	return prf_ring_news_fd(((const struct ring_trigger *)trigger)->news);
}

/* The number of a thread may have been another's. */
static bool
is_cut_short(const struct ring_thread *thread)
{
	const struct ring_trigger *ring = thread->ring;

	if (!ring->with_stacks || !ring->needs || thread->is_deep)
		return false;
	uint8_t n = prf_stack_needs_short(ring->needs, thread->task->tid);
	return (uint8_t)(n - thread->n_short) >= DEEP_FROM;
}

/* An event that copies more of the stack, and waits. */
static int
open_deep(const struct ring_thread *thread, uint64_t period_ns,
	  struct prf_ring_event *deep)
{
	struct ring_trigger *ring = thread->ring;
	struct prf_ring_config config = event_config(ring, &thread->gap, false);

	config.period_ns = period_ns;
	config.stack_bytes = DEEP_RECORD_BYTES - BESIDE_STACK_BYTES;
	config.n_bytes = stacks_bytes(ring, DEEP_RECORD_BYTES);
	if (ring->n_mapped - thread->event.n_mapped + config.n_bytes >
	    ring->deep_most_bytes)
		return -ENOMEM;
	return prf_ring_event_open_next(thread->task->tid, &config,
					&thread->event, deep, NULL);
}

/* From now on DEEP, which is known by NUMBER, is the event of THREAD.  (What the other
 * has lost since it was full it would have told with its next record.) */
static void
replace_event(struct ring_thread *thread, const struct prf_ring_event *deep,
	      int number)
{
	struct ring_trigger *ring = thread->ring;

	drain(thread);
	thread->n_lost += thread->was_full;
	prf_ring_news_remove(ring->news, thread->event.fd, thread->number);
	ring->n_mapped += deep->n_mapped - thread->event.n_mapped;
	prf_ring_event_retire(&thread->event);
	thread->event = *deep;
	thread->number = number;
}

/* False: that cannot be had, and is not tried again: all stays as it is. */
static bool
deepen(struct ring_thread *thread, uint64_t period_ns)
{
	struct prf_ring_news *news = thread->ring->news;
	struct prf_ring_event deep;

	thread->is_deep = true;
	if (open_deep(thread, period_ns, &deep))
		return false;
	int number = prf_ring_news_add(news, deep.fd, thread);
	if (number >= 0 && !prf_ring_event_follow(&deep, &thread->event)) {
		replace_event(thread, &deep, number);
		return true;
	}
	if (number >= 0)
		prf_ring_news_remove(news, deep.fd, number);
	deep.clock_fd = deep.fd; /* the other one stays */
	prf_ring_event_close(&deep);
	return false;
}

static void
set_period(struct ring_thread *thread)
{
	struct prf_ring_gap *gap = &thread->gap;
	uint64_t now_ns;

	if (gap->is_steady || prf_ring_event_read(&thread->event, &now_ns))
		now_ns = gap->last_ns;
	uint64_t period_ns =
		prf_ring_gaps_redraw(&thread->ring->gaps, gap, now_ns);
	if (period_ns && !(is_cut_short(thread) && deepen(thread, period_ns)))
		prf_ring_event_set_period(&thread->event, period_ns);
	if (gap->is_steady)
		return;
	thread->n_looks = 0;
	look_again(thread);
}

static void
read_news(void *arg, void *owner)
{
	struct ring_thread *thread = owner;

	(void)arg;
	drain(thread);
	if (!prf_ring_gaps_is_due(&thread->gap)) {
		look_again(thread);
		return;
	}
	set_period(thread);
	if (thread->gap.last_ns < thread->look_for_rest_ns)
		return;
	take_rest(thread);
	drain(thread); /* as above */
	thread->look_for_rest_ns =
		thread->gap.last_ns + between(0, thread->gap.last_ns, REST_NS);
}

static void
ring_due(struct prf_trigger *trigger)
{
	prf_ring_news_each(((struct ring_trigger *)trigger)->news, read_news,
			   NULL);
}

const struct prf_trigger_ops prf_trigger_ring = {
	.name = "ring",
	.without_stops = true,
	.open = ring_open,
	.close = ring_close,
	.arm = ring_arm,
	.flush = ring_flush,
	.collect = ring_collect,
	.forget = ring_forget,
	.unseen = ring_unseen,
	.claim = ring_claim,
	.cannot_stop = ring_cannot_stop,
	.fd = ring_fd,
	.due = ring_due,
};
