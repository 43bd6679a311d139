#include "inproc/timed.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "inproc/timer.h"

#define MIN_CAPACITY 128

void
prf_timed_reset(struct prf_timed *threads,
		const struct prf_timed_config *config)
{
	threads->n = 0;
	threads->n_in_use = 0;
	threads->config = *config;
	threads->random ^= (uint64_t)prf_timer_cpu_ns(CLOCK_MONOTONIC);
}

void
prf_timed_stop(struct prf_timed *threads)
{
	for (uint32_t i = 0; i < threads->n; i++)
		if (threads->list[i].tid)
			prf_timer_delete(threads->list[i].timer);
	threads->n = 0;
	threads->n_in_use = 0;
}

struct prf_timed_thread *
prf_timed_find(const struct prf_timed *threads, pid_t tid)
{
	for (uint32_t i = 0; i < threads->n; i++)
		if (threads->list[i].tid == tid)
			return &threads->list[i];
	return NULL;
}

/* By mmap: malloc must not be called here. */
static int
grow(struct prf_timed *threads)
{
	uint32_t capacity =
		threads->capacity ? 2 * threads->capacity : MIN_CAPACITY;
	struct prf_timed_thread *list =
		mmap(NULL, capacity * sizeof *list, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (list == MAP_FAILED)
		return -ENOMEM;
	struct prf_timed_thread *before = threads->list;
	size_t before_bytes = threads->capacity * sizeof *list;

	if (before)
		memcpy(list, before, before_bytes);
	/* The order matters: a child of fork must have a list that exists, and
	 * is as long as it says. */
	__atomic_store_n(&threads->list, list, __ATOMIC_SEQ_CST);
	__atomic_store_n(&threads->capacity, capacity, __ATOMIC_SEQ_CST);
	if (before)
		munmap(before, before_bytes);
	return 0;
}

static int
free_place(struct prf_timed *threads, uint32_t *place)
{
	const struct prf_timed_thread *unused =
		threads->n_in_use < threads->n ? prf_timed_find(threads, 0)
					       : NULL;

	if (unused) {
		*place = (uint32_t)(unused - threads->list);
		return 0;
	}
	if (threads->n == threads->capacity) {
		int rc = grow(threads);
		if (rc < 0)
			return rc;
	}
	*place = threads->n++;
	threads->list[*place] = (struct prf_timed_thread){.tid = 0};
	return 0;
}

/* 1 to a tick, in ns; splitmix64. */
static int64_t
random_phase(struct prf_timed *threads)
{
	uint64_t z = threads->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return 1 + (int64_t)(z % (uint64_t)threads->config.tick_ns);
}

/* Where the clock is NOW_NS. */
static uint64_t
ticks_until(int64_t now_ns, int64_t first_ns, int64_t tick_ns)
{
	return now_ns < first_ns
		       ? 0
		       : 1 + (uint64_t)((now_ns - first_ns) / tick_ns);
}

int
prf_timed_add(struct prf_timed *threads, pid_t tid, bool from_birth,
	      int64_t max_ns)
{
	const struct prf_timed_config *config = &threads->config;
	clockid_t clock = prf_timer_clock(tid);
	int64_t now_ns = prf_timer_cpu_ns(clock);
	uint32_t place;

	if (now_ns < 0)
		return -ESRCH;
	int rc = free_place(threads, &place);
	if (rc < 0)
		return rc;
	rc = prf_timer_new(clock, config->signo,
			   prf_timed_value(config->cookie, place), tid);
	if (rc < 0)
		return rc == -EINVAL ? -ESRCH : rc;

	struct prf_timed_thread thread = {
		.tid = tid,
		.timer = rc,
		.since_ns = from_birth && now_ns <= max_ns ? 0 : now_ns,
	};
	thread.used_ns = now_ns - thread.since_ns;
	/* A timer that is set to the past would send its signal at once, from
	 * us, and could cut short what the thread waits for: the tick is owed
	 * instead. */
	thread.first_ns = thread.since_ns + random_phase(threads);
	thread.owed = ticks_until(now_ns, thread.first_ns, config->tick_ns);
	rc = prf_timer_set_at(thread.timer,
			      thread.first_ns +
				      (int64_t)thread.owed * config->tick_ns,
			      config->tick_ns);
	if (rc < 0) {
		prf_timer_delete(thread.timer);
		return rc;
	}
	threads->list[place] = thread;
	threads->n_in_use++;
	return 0;
}

/* A thread that has ended is told by its timer from one that has its number
 * now. */
static bool
has_ended(const struct prf_timed_thread *thread)
{
	return !prf_timer_is_set(thread->timer);
}

uint64_t
prf_timed_due(const struct prf_timed *threads,
	      const struct prf_timed_thread *thread)
{
	uint64_t ticks =
		ticks_until(prf_timer_cpu_ns(prf_timer_clock(thread->tid)),
			    thread->first_ns, threads->config.tick_ns);

	return ticks > thread->ticks ? ticks - thread->ticks : 0;
}

/* Ticks are late by a few ms: fewer than these are not counted as held. */
#define MIN_HELD_TICKS 3

/* The thread has used USED_NS by now. */
static void
see(struct prf_timed_thread *thread, int64_t used_ns, int64_t tick_ns,
    struct prf_timed_sum *sum)
{
	int64_t ticks =
		used_ns / tick_ns - (int64_t)(thread->ticks + thread->owed);

	if (ticks >= MIN_HELD_TICKS) {
		sum->held_ticks += (uint64_t)ticks + thread->owed;
		sum->has_held |= used_ns > thread->used_ns;
	}
	thread->used_ns = used_ns;
	sum->used_ns += used_ns;
}

static void
forget(struct prf_timed *threads, struct prf_timed_thread *thread)
{
	prf_timer_delete(thread->timer);
	thread->tid = 0;
	threads->n_in_use--;
}

struct prf_timed_sum
prf_timed_sum(struct prf_timed *threads, struct prf_cputime *cputime,
	      struct prf_cputime_rest *rest)
{
	struct prf_timed_sum sum = {0};

	for (uint32_t i = 0; i < threads->n; i++) {
		struct prf_timed_thread *thread = &threads->list[i];

		if (!thread->tid)
			continue;
		int64_t now_ns = prf_timer_cpu_ns(prf_timer_clock(thread->tid));
		if (now_ns >= 0 && !has_ended(thread)) {
			see(thread, now_ns - thread->since_ns,
			    threads->config.tick_ns, &sum);
			continue;
		}
		prf_cputime_end(cputime, rest, thread->used_ns, thread->ticks);
		forget(threads, thread);
	}
	return sum;
}
