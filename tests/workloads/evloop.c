/* evloop - threads that wait for each other beside threads that work.
 *
 *	evloop [SECONDS [BURNERS]]
 *
 * For SECONDS (1) of wall time: a thread waits with epoll_wait() for a timer of
 * 1 ms, two play ping-pong with semop(), one writes pieces of 1 MiB into a pipe
 * that another empties, and BURNERS (1) threads take CPU time.  Nobody sends a
 * signal, so no wait may end with EINTR and no write may be short.  Prints, for
 * NAME epoll, semop and pipe, and `total`:
 *
 *	calls NAME N
 *	eintr NAME N	0
 *	short NAME N	0
 *	refused semop	if the machine has no semaphores of this kind
 *	cpu_seconds S */
#include "work.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/timerfd.h>

#define MIB (1 << 20)

struct loop {
	pthread_t thread;
	uint64_t end_ns; /* by the wall clock */
	int fd;          /* pipe's end, or semaphores */
	unsigned calls, eintr, n_short;
};

/* Counts a call that returned RESULT where WHOLE was asked for. */
static void
count(struct loop *loop, long result, long whole)
{
	loop->calls++;
	if (result < 0 && errno != EINTR)
		die("a call that is counted");
	loop->eintr += result < 0;
	loop->n_short += result >= 0 && result != whole;
}

static void *
run_epoll(void *arg)
{
	struct loop *loop = arg;
	const struct itimerspec each_ms = {{0, 1000000}, {0, 1000000}};
	struct epoll_event event = {.events = EPOLLIN};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	int epoll = epoll_create1(0);

	if (timer < 0 || epoll < 0 ||
	    timerfd_settime(timer, 0, &each_ms, NULL) ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event))
		die("epoll");
	while (wall_ns() < loop->end_ns) {
		uint64_t expirations;

		count(loop, epoll_wait(epoll, &event, 1, -1), 1);
		if (read(timer, &expirations, sizeof expirations) < 0)
			die("timerfd");
		spend(20 * TURNS_PER_US, 1);
	}
	return NULL;
}

static long
move_semaphore(int id, unsigned short index, short change)
{
	struct sembuf step = {index, change, 0};

	return semop(id, &step, 1);
}

/* Raises semaphore 0 and waits for 1. */
static void *
run_ping(void *arg)
{
	struct loop *loop = arg;
	const struct timespec pause = {0, 500000};

	while (wall_ns() < loop->end_ns) {
		nanosleep(&pause, NULL);
		if (move_semaphore(loop->fd, 0, 1))
			die("semop");
		count(loop, move_semaphore(loop->fd, 1, -1), 0);
	}
	semctl(loop->fd, 0, IPC_RMID);
	return NULL;
}

/* Waits for semaphore 0 and raises 1, until they are taken away. */
static void *
run_pong(void *arg)
{
	struct loop *loop = arg;

	for (;;) {
		long result = move_semaphore(loop->fd, 0, -1);

		if (result && (errno == EIDRM || errno == EINVAL))
			return NULL;
		count(loop, result, 0);
		if (!result)
			move_semaphore(loop->fd, 1, 1);
	}
}

static void *
run_writer(void *arg)
{
	struct loop *loop = arg;
	char *buffer = calloc(1, MIB);

	if (!buffer)
		die("calloc");
	while (wall_ns() < loop->end_ns)
		count(loop, write(loop->fd, buffer, MIB), MIB);
	close(loop->fd);
	free(buffer);
	return NULL;
}

/* Empties the pipe; how much a read brings is for nobody to know. */
static void *
run_reader(void *arg)
{
	struct loop *loop = arg;
	static char buffer[65536];

	while (read(loop->fd, buffer, sizeof buffer) != 0)
		spend(10 * TURNS_PER_US, 1);
	return NULL;
}

static void *
run_burner(void *arg)
{
	struct loop *loop = arg;

	while (wall_ns() < loop->end_ns)
		spend(100 * TURNS_PER_US, 2);
	return NULL;
}

enum { EPOLL, WRITER, READER, PING, PONG, N_LOOPS, MOST = N_LOOPS + 64 };

static void
start(struct loop *loop, void *(*run)(void *))
{
	if (pthread_create(&loop->thread, NULL, run, loop))
		die("pthread_create");
}

/* Sets up and starts all of them; PING and PONG have no thread if there are no
 * semaphores. */
static void
start_loops(struct loop loops[MOST], unsigned n, uint64_t end_ns)
{
	int ends[2], semaphores = semget(IPC_PRIVATE, 2, 0600);

	if (pipe(ends))
		die("pipe");
	for (unsigned i = 0; i < n; i++)
		loops[i] = (struct loop){.end_ns = end_ns, .fd = semaphores};
	loops[WRITER].fd = ends[1];
	loops[READER].fd = ends[0];
	start(&loops[EPOLL], run_epoll);
	start(&loops[READER], run_reader);
	start(&loops[WRITER], run_writer);
	if (semaphores >= 0) {
		start(&loops[PING], run_ping);
		start(&loops[PONG], run_pong);
	}
	for (unsigned i = N_LOOPS; i < n; i++)
		start(&loops[i], run_burner);
}

static void
add(struct loop *sum, const struct loop *loop)
{
	sum->calls += loop->calls;
	sum->eintr += loop->eintr;
	sum->n_short += loop->n_short;
}

static void
say(const char *name, const struct loop *loop)
{
	printf("calls %s %u\neintr %s %u\nshort %s %u\n", name, loop->calls,
	       name, loop->eintr, name, loop->n_short);
}

int
main(int argc, char **argv)
{
	uint64_t end_ns = wall_ns() + number_ns(argc, argv, 1, 1.0);
	unsigned n = N_LOOPS + (unsigned)number(argc, argv, 2, 1);
	struct loop loops[MOST], total = {0};
	bool has_semaphores;

	if (n > MOST)
		usage(argv[0], "[SECONDS [BURNERS<=64]]");
	start_loops(loops, n, end_ns);
	has_semaphores = loops[PING].fd >= 0;
	for (unsigned i = 0; i < n; i++) {
		if (has_semaphores || (i != PING && i != PONG))
			pthread_join(loops[i].thread, NULL);
		add(&total, &loops[i]);
	}
	add(&loops[PING], &loops[PONG]);
	say("epoll", &loops[EPOLL]);
	say("pipe", &loops[WRITER]);
	if (has_semaphores)
		say("semop", &loops[PING]);
	else
		puts("refused semop");
	say("total", &total);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
