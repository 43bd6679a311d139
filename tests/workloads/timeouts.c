/* timeouts - waits for nothing end when their time is over.
 *
 *	timeouts [SECONDS [LIMIT_MS [BURNERS]]]
 *
 * A thread for each wait of the table makes it with a time-out of LIMIT_MS (50),
 * over and over for SECONDS (1) of wall time, while BURNERS (1) other threads take
 * CPU time.  Prints for each wait, and for `total` the sums and the worst:
 *
 *	calls NAME N
 *	early NAME N	ended before its time; 0
 *	wrong NAME N	ended otherwise than by its time-out; 0
 *	late_ms NAME MS	the median of how much it was late */
#include "work.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>

enum { MOST_CALLS = 4096, MOST_BURNERS = 64 };

static struct timespec
span(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / NS_PER_S),
				 (long)(ns % NS_PER_S)};
}

/* Each returns whether it ended by its time-out. */
static int
by_nanosleep(uint64_t ns)
{
	struct timespec limit = span(ns);

	return nanosleep(&limit, NULL) == 0;
}

static int
by_clock_nanosleep(uint64_t ns)
{
	struct timespec end = span(wall_ns() + ns);

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == 0;
}

static int
by_poll(uint64_t ns)
{
	return poll(NULL, 0, (int)(ns / 1000000)) == 0;
}

static int
by_ppoll(uint64_t ns)
{
	struct timespec limit = span(ns);

	return ppoll(NULL, 0, &limit, NULL) == 0;
}

static int
by_select(uint64_t ns)
{
	struct timeval limit = {(time_t)(ns / NS_PER_S),
				(suseconds_t)(ns % NS_PER_S / 1000)};

	return select(0, NULL, NULL, NULL, &limit) == 0;
}

static int
by_epoll(uint64_t ns)
{
	static __thread int fd = -1;
	struct epoll_event event;

	if (fd < 0)
		fd = epoll_create1(0);
	return epoll_wait(fd, &event, 1, (int)(ns / 1000000)) == 0;
}

static int
by_futex(uint64_t ns)
{
	struct timespec limit = span(ns);
	uint32_t word = 0;

	return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, NULL,
		       0) < 0 &&
	       errno == ETIMEDOUT;
}

static int
by_semaphore(uint64_t ns)
{
	struct timespec end = span(clock_ns(CLOCK_REALTIME) + ns);
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	return sem_timedwait(&semaphore, &end) < 0 && errno == ETIMEDOUT;
}

static int
by_condition(uint64_t ns)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec end = span(clock_ns(CLOCK_REALTIME) + ns);

	pthread_mutex_lock(&mutex);
	return pthread_cond_timedwait(&condition, &mutex, &end) == ETIMEDOUT;
}

static int
by_sigtimedwait(uint64_t ns)
{
	struct timespec limit = span(ns);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMAX);
	return sigtimedwait(&set, NULL, &limit) < 0 && errno == EAGAIN;
}

static int
by_recv(uint64_t ns)
{
	static __thread int ends[2] = {-1, -1};
	struct timeval limit = {(time_t)(ns / NS_PER_S),
				(suseconds_t)(ns % NS_PER_S / 1000)};
	char byte;

	if (ends[0] < 0 && (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
			    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit,
				       sizeof limit)))
		die("socket");
	return recv(ends[0], &byte, 1, 0) < 0 && errno == EAGAIN;
}

/* Some clocks are read more coarsely than others; and the time-out of a socket is
 * counted in the kernel's ticks, of which those that a virtual machine has missed
 * come all at once. */
enum { GRAIN_NS = 1000, TICKS_NS = 8000000 };

static const struct wait {
	const char *name;
	int (*wait)(uint64_t ns);
	uint64_t early_ns; /* by which it may end early, besides GRAIN_NS */
} waits[] = {
	{.name = "nanosleep", .wait = by_nanosleep},
	{.name = "clock_nanosleep", .wait = by_clock_nanosleep},
	{.name = "poll", .wait = by_poll},
	{.name = "ppoll", .wait = by_ppoll},
	{.name = "select", .wait = by_select},
	{.name = "epoll_wait", .wait = by_epoll},
	{.name = "futex", .wait = by_futex},
	{.name = "sem_timedwait", .wait = by_semaphore},
	{.name = "cond_timedwait", .wait = by_condition},
	{.name = "sigtimedwait", .wait = by_sigtimedwait},
	{.name = "recv", .wait = by_recv, .early_ns = TICKS_NS},
};
enum { N_WAITS = sizeof waits / sizeof *waits };

struct waiter {
	pthread_t thread;
	const struct wait *wait;
	uint64_t limit_ns, end_ns;
	unsigned calls, early, wrong;
	double late_ms[MOST_CALLS];
};

static void *
run_waiter(void *arg)
{
	struct waiter *waiter = arg;

	while (wall_ns() < waiter->end_ns && waiter->calls < MOST_CALLS) {
		uint64_t start = wall_ns();
		int in_time = waiter->wait->wait(waiter->limit_ns);
		uint64_t took = wall_ns() - start;

		waiter->wrong += !in_time;
		waiter->early += took + GRAIN_NS + waiter->wait->early_ns <
				 waiter->limit_ns;
		waiter->late_ms[waiter->calls++] =
			((double)took - (double)waiter->limit_ns) / 1e6;
	}
	return NULL;
}

static void *
burn(void *end_ns)
{
	while (wall_ns() < *(uint64_t *)end_ns)
		spend(100 * TURNS_PER_US, 1);
	return NULL;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
say(const char *name, unsigned calls, unsigned early, unsigned wrong,
    double late_ms)
{
	printf("calls %s %u\nearly %s %u\nwrong %s %u\nlate_ms %s %.3f\n", name,
	       calls, name, early, name, wrong, name, late_ms);
}

int
main(int argc, char **argv)
{
	uint64_t end_ns = wall_ns() + number_ns(argc, argv, 1, 1.0);
	uint64_t limit_ns = (uint64_t)(number(argc, argv, 2, 50) * 1e6);
	unsigned n_burners = (unsigned)number(argc, argv, 3, 1);
	static struct waiter waiters[N_WAITS];
	pthread_t burners[MOST_BURNERS];
	unsigned calls = 0, early = 0, wrong = 0;
	double worst = 0;
	sigset_t blocked;

	if (n_burners > MOST_BURNERS || limit_ns < 1000000)
		usage(argv[0], "[SECONDS [LIMIT_MS [BURNERS<=64]]]");
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMAX);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	for (unsigned i = 0; i < n_burners; i++) {
		if (pthread_create(&burners[i], NULL, burn, &end_ns))
			die("pthread_create");
	}
	for (size_t i = 0; i < N_WAITS; i++) {
		waiters[i] = (struct waiter){.wait = &waits[i],
					     .limit_ns = limit_ns,
					     .end_ns = end_ns};
		if (pthread_create(&waiters[i].thread, NULL, run_waiter,
				   &waiters[i]))
			die("pthread_create");
	}
	for (unsigned i = 0; i < n_burners; i++)
		pthread_join(burners[i], NULL);
	for (size_t i = 0; i < N_WAITS; i++) {
		struct waiter *waiter = &waiters[i];

		pthread_join(waiter->thread, NULL);
		qsort(waiter->late_ms, waiter->calls, sizeof(double), compare);
		double median = waiter->late_ms[waiter->calls / 2];

		say(waiter->wait->name, waiter->calls, waiter->early,
		    waiter->wrong, median);
		calls += waiter->calls;
		early += waiter->early;
		wrong += waiter->wrong;
		worst = median > worst ? median : worst;
	}
	say("total", calls, early, wrong, worst);
	return 0;
}
