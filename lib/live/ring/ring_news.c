#include "live/ring/ring_news.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "core/worker.h"
#include "live/proc/clock.h"

/* What the thread waits for besides rings has numbers, too. */
enum { AT_ONCE = 64, NO_RING = -1, THE_END = -2, A_LOOK = -3 };

struct ring {
	void *owner; /* NULL: the number is free */
	bool has_news;
	uint64_t look_ns; /* when it is to be read, anyway; 0: never */
	int next;         /* of those with news, or of those that are free */
};

struct prf_ring_news {
	int polled;   /* an epoll of all rings, and of */
	int end_fd;   /* which tells the thread to end, and of */
	int timer_fd; /* for the first look */
	int fd;
	pthread_t thread;
	bool has_thread;
	/* The thread notes news, nothing else. */
	pthread_mutex_t lock;
	struct ring *rings; /* by number */
	int n_rings, first_free, first_news;
	uint64_t first_look_ns; /* 0: none */
};

/* (The number of a ring that went just now may be another's: that is read for
 * nothing.) */
static void
note(struct prf_ring_news *news, int number)
{
	struct ring *ring = &news->rings[number];

	if (!ring->owner || ring->has_news)
		return;
	ring->has_news = true;
	ring->next = news->first_news;
	news->first_news = number;
}

static void
set_timer(struct prf_ring_news *news, uint64_t look_ns)
{
	const struct itimerspec at = {
		.it_value = {(time_t)(look_ns / 1000000000),
			     (long)(look_ns % 1000000000)},
	};

	news->first_look_ns = look_ns;
	timerfd_settime(news->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

/* Notes the rings that are to be read now.  The timer is for the next. */
static void
note_looks(struct prf_ring_news *news)
{
	uint64_t now_ns = prf_clock_ns(CLOCK_MONOTONIC), first_ns = 0, n;

	(void)!read(news->timer_fd, &n, sizeof n);
	for (int i = 0; i < news->n_rings; i++) {
		struct ring *ring = &news->rings[i];

		if (!ring->look_ns)
			continue;
		if (ring->look_ns <= now_ns) {
			ring->look_ns = 0;
			note(news, i);
		} else if (!first_ns || ring->look_ns < first_ns) {
			first_ns = ring->look_ns;
		}
	}
	set_timer(news, first_ns);
}

/* False: that was all. */
static bool
note_all(struct prf_ring_news *news, const struct epoll_event *ready, int n)
{
	bool goes_on = true;

	pthread_mutex_lock(&news->lock);
	for (int i = 0; i < n; i++) {
		int number = ready[i].data.fd;

		if (number == THE_END)
			goes_on = false;
		else if (number == A_LOOK)
			note_looks(news);
		else
			note(news, number);
	}
	pthread_mutex_unlock(&news->lock);
	return goes_on;
}

/* (A thread that is woken takes the processor from the one that was sampled just
 * now, which then runs again some moments later: of these there would be too few
 * samples.  One that works in batches waits for its turn.) */
static void *
wait_for_news(void *arg)
{
	const struct sched_param any = {0};
	struct prf_ring_news *news = arg;
	struct epoll_event ready[AT_ONCE];

	bool goes_on = true;
	int n;

	sched_setscheduler(0, SCHED_BATCH, &any);
	do {
		n = epoll_wait(news->polled, ready, AT_ONCE, -1);
		if (n > 0)
			goes_on = note_all(news, ready, n);
		eventfd_write(news->fd, 1);
	} while (goes_on);
	return NULL;
}

/* (A thread that has ended while others of its process live is readable for
 * ever: only changes matter.) */
static int
poll_too(const struct prf_ring_news *news, int fd, int number)
{
	struct epoll_event wanted = {
		.events = EPOLLIN | EPOLLET,
		.data.fd = number,
	};

	return epoll_ctl(news->polled, EPOLL_CTL_ADD, fd, &wanted) ? -errno : 0;
}

static int
begin_thread(struct prf_ring_news *news)
{
	int rc = prf_worker_begin(&news->thread, wait_for_news, news);

	news->has_thread = rc == 0;
	return rc;
}

static int
begin(struct prf_ring_news *news)
{
	pthread_mutex_init(&news->lock, NULL);
	news->first_free = news->first_news = NO_RING;
	news->polled = epoll_create1(EPOLL_CLOEXEC);
	news->end_fd = eventfd(0, EFD_CLOEXEC);
	news->timer_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	news->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (news->polled < 0 || news->end_fd < 0 || news->timer_fd < 0 ||
	    news->fd < 0)
		return -errno;
	int rc = poll_too(news, news->end_fd, THE_END);
	if (!rc)
		rc = poll_too(news, news->timer_fd, A_LOOK);
	return rc ? rc : begin_thread(news);
}

int
prf_ring_news_new(struct prf_ring_news **out, struct prf_error *err)
{
	struct prf_ring_news *news = calloc(1, sizeof *news);
	int rc = news ? begin(news) : -ENOMEM;

	if (rc) {
		prf_ring_news_free(news);
		return prf_error_set(err, rc, "rings cannot be waited for: %s",
				     strerror(-rc));
	}
	*out = news;
	return 0;
}

static void
close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
prf_ring_news_free(struct prf_ring_news *news)
{
	if (!news)
		return;
	if (news->has_thread) {
		eventfd_write(news->end_fd, 1);
		pthread_join(news->thread, NULL);
	}
	close_if_open(news->polled);
	close_if_open(news->end_fd);
	close_if_open(news->timer_fd);
	close_if_open(news->fd);
	pthread_mutex_destroy(&news->lock);
	free(news->rings);
	free(news);
}

/* Twice as many numbers, the new ones free; the lock is held. */
static int
grow(struct prf_ring_news *news)
{
	int n = news->n_rings ? news->n_rings * 2 : AT_ONCE;
	struct ring *rings =
		reallocarray(news->rings, (size_t)n, sizeof *rings);

	if (!rings)
		return -ENOMEM;
	for (int i = news->n_rings; i < n; i++)
		rings[i] = (struct ring){.next = i + 1 < n ? i + 1 : NO_RING};
	news->first_free = news->n_rings;
	news->rings = rings;
	news->n_rings = n;
	return 0;
}

static int
take_number(struct prf_ring_news *news, void *owner)
{
	if (news->first_free == NO_RING && grow(news))
		return -ENOMEM;
	int number = news->first_free;
	struct ring *ring = &news->rings[number];

	news->first_free = ring->next;
	*ring = (struct ring){.owner = owner};
	return number;
}

/* A number that is among those with news is free when they have been read. */
static void
give_back(struct prf_ring_news *news, int number)
{
	struct ring *ring = &news->rings[number];

	ring->owner = NULL;
	ring->look_ns = 0;
	if (ring->has_news)
		return;
	ring->next = news->first_free;
	news->first_free = number;
}

int
prf_ring_news_add(struct prf_ring_news *news, int fd, void *owner)
{
	pthread_mutex_lock(&news->lock);
	int number = take_number(news, owner);
	int rc = number < 0 ? number : poll_too(news, fd, number);
	if (rc && number >= 0)
		give_back(news, number);
	pthread_mutex_unlock(&news->lock);
	return rc ? rc : number;
}

void
prf_ring_news_remove(struct prf_ring_news *news, int fd, int number)
{
	epoll_ctl(news->polled, EPOLL_CTL_DEL, fd, NULL);
	pthread_mutex_lock(&news->lock);
	give_back(news, number);
	pthread_mutex_unlock(&news->lock);
}

void
prf_ring_news_look(struct prf_ring_news *news, int number, uint64_t look_ns)
{
	pthread_mutex_lock(&news->lock);
	news->rings[number].look_ns = look_ns;
	if (look_ns && (!news->first_look_ns || look_ns < news->first_look_ns))
		set_timer(news, look_ns);
	pthread_mutex_unlock(&news->lock);
}

int
prf_ring_news_fd(const struct prf_ring_news *news)
{
	return news->fd;
}

/* The next one's owner; NULL: there is none, or it has gone. */
static void *
take_news(struct prf_ring_news *news, bool *is_any)
{
	pthread_mutex_lock(&news->lock);
	int number = news->first_news;
	void *owner = NULL;

	*is_any = number != NO_RING;
	if (*is_any) {
		struct ring *ring = &news->rings[number];

		news->first_news = ring->next;
		ring->has_news = false;
		owner = ring->owner;
		if (!owner)
			give_back(news, number);
	}
	pthread_mutex_unlock(&news->lock);
	return owner;
}

void
prf_ring_news_each(struct prf_ring_news *news,
		   void (*read)(void *arg, void *owner), void *arg)
{
	eventfd_t n;
	bool is_any;

	eventfd_read(news->fd, &n);
	do {
		void *owner = take_news(news, &is_any);

		if (owner)
			read(arg, owner);
	} while (is_any);
}
