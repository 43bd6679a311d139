/* waiters - threads that wait, and threads that work, for a while.
 *
 *	waiters [SECONDS [SLEEPERS [BURNERS]]]
 *
 * For SECONDS (1) of wall time: the main thread calls epoll_wait() with a
 * time-out of 20 ms, over and over; SLEEPERS (1) threads sleep in epoll_wait()
 * without one; BURNERS (1) threads take CPU time.  Nothing happens that they
 * wait for.  Prints
 *
 *	calls N		of the main thread
 *	early N		of these ended before their time; 0
 *	eintr N		or with EINTR; 0
 *	woken N		sleepers that woke; 0
 *	cpu_seconds S
 *	wall_seconds S */
#include "work.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>

#define TIMEOUT_MS 20

static atomic_uint woken;
static uint64_t end_ns;

static APART void *
sleep_on(void *arg)
{
	struct epoll_event event;

	epoll_wait(*(int *)arg, &event, 1, -1);
	woken++;
	return NULL;
}

static APART void *
burn(void *arg)
{
	uint64_t random = 1;

	while (wall_ns() < end_ns)
		spend(draw_slice(&random), 1);
	return arg;
}

/* N threads that RUN. */
static void
start(unsigned n, void *(*run)(void *), int *epoll)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, 4 * PTHREAD_STACK_MIN) ||
	    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED))
		die("thread attributes");
	for (; n > 0; n--)
		if (pthread_create(&thread, &attributes, run, epoll))
			die("pthread_create");
	pthread_attr_destroy(&attributes);
}

int
main(int argc, char **argv)
{
	uint64_t begin_ns = wall_ns();
	unsigned calls = 0, early = 0, eintr = 0;
	int epoll = epoll_create1(0);

	if (argc > 4)
		usage("waiters", "[SECONDS [SLEEPERS [BURNERS]]]");
	if (epoll < 0)
		die("epoll_create1");
	end_ns = begin_ns + number_ns(argc, argv, 1, 1);
	start((unsigned)number(argc, argv, 2, 1), sleep_on, &epoll);
	start((unsigned)number(argc, argv, 3, 1), burn, &epoll);

	while (wall_ns() < end_ns) {
		struct epoll_event event;
		uint64_t from_ns = wall_ns();
		int rc = epoll_wait(epoll, &event, 1, TIMEOUT_MS);

		calls++;
		eintr += rc < 0 && errno == EINTR;
		early += rc >= 0 &&
			 wall_ns() - from_ns < TIMEOUT_MS * NS_PER_S / 1000;
	}
	printf("calls %u\nearly %u\neintr %u\nwoken %u\n", calls, early, eintr,
	       woken);
	printf("cpu_seconds %f\nwall_seconds %f\n", seconds(process_ns()),
	       seconds(wall_ns() - begin_ns));
	return 0;
}
