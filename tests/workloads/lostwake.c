/* lostwake - a signal wakes the one that waits for it, each time.
 *
 *	lostwake [SECONDS [ppoll|epoll_pwait|sigsuspend [thread|process]]]
 *
 * The first thread keeps SIGUSR1 blocked, but for the waits that unblock it; its
 * handler sets a flag; it works, looks at the flag, and waits while the flag is
 * not set.  That is free of races, if nobody repeats a wait whose handler has
 * run.  A thread, or a process, sends one signal after another at random moments
 * for SECONDS (1) of wall time, each when the last has been answered; one that is
 * not answered within 5 s is lost, and sent again.  Prints
 *
 *	rounds N	signals sent
 *	lost N		0
 *	spurious N	waits that ended with EINTR, but not by the handler; 0
 *	cpu_seconds S	of this process */
#include "work.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define LONG_S 600
#define PATIENCE_NS (5 * NS_PER_S)

/* In memory that sender and receiver share. */
struct exchange {
	pid_t receiver;
	uint64_t end_ns; /* of the sender, by the wall clock */
	atomic_uint sent, answered, lost;
	atomic_int over;
};

static volatile sig_atomic_t flag;

static void
set_flag(int number)
{
	(void)number;
	flag = 1;
}

/* Waits with MASK until a signal has been handled. */
static int
by_ppoll(const sigset_t *mask)
{
	const struct timespec limit = {LONG_S, 0};

	return ppoll(NULL, 0, &limit, mask);
}

static int
by_epoll_pwait(const sigset_t *mask)
{
	struct epoll_event event;
	int fd = epoll_create1(0);
	int rc = epoll_pwait(fd, &event, 1, LONG_S * 1000, mask);
	int code = errno;

	close(fd);
	errno = code;
	return rc;
}

static const struct way {
	const char *name;
	int (*wait)(const sigset_t *mask);
} ways[] = {
	{"ppoll", by_ppoll},
	{"epoll_pwait", by_epoll_pwait},
	{"sigsuspend", sigsuspend},
};

/* Answers signals until the exchange is over; the number of waits that ended
 * without cause. */
static unsigned
receive(struct exchange *exchange, const struct way *way, const sigset_t *mask)
{
	uint64_t random = 88172645463;
	unsigned spurious = 0;

	while (!exchange->over) {
		while (!flag) {
			if (way->wait(mask) < 0 && errno != EINTR)
				die(way->name);
			spurious += !flag;
		}
		flag = 0;
		exchange->answered = exchange->sent;
		spend(TURNS_PER_US * (draw(&random) % 100), 1);
	}
	return spurious;
}

/* Whether the last signal has been answered in time. */
static int
is_answered(const struct exchange *exchange)
{
	uint64_t limit = wall_ns() + PATIENCE_NS;

	while (exchange->answered != exchange->sent) {
		if (wall_ns() > limit)
			return 0;
		sched_yield();
	}
	return 1;
}

static void *
run_sender(void *arg)
{
	struct exchange *exchange = arg;
	uint64_t random = 362436069;

	do {
		spend(TURNS_PER_US * (draw(&random) % 100), 2);
		if (wall_ns() > exchange->end_ns)
			exchange->over = 1;
		exchange->sent++;
		for (;;) {
			if (kill(exchange->receiver, SIGUSR1))
				die("kill");
			if (exchange->over || is_answered(exchange))
				break;
			exchange->lost++;
		}
	} while (!exchange->over);
	return NULL;
}

static void
end_sender_process(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		die("the sender");
}

/* Ready to receive: SIGUSR1 caught and blocked; MASK is the one to wait with. */
static void
prepare(sigset_t *mask)
{
	struct sigaction action = {.sa_flags = 0};
	sigset_t blocked;

	action.sa_handler = set_flag;
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, mask);
	sigdelset(mask, SIGUSR1);
}

int
main(int argc, char **argv)
{
	const char *name = word(argc, argv, 2, "ppoll");
	int fork_it = !strcmp(word(argc, argv, 3, "thread"), "process");
	const struct way *way = ways, *end = ways + sizeof ways / sizeof *ways;
	struct exchange *exchange =
		mmap(NULL, sizeof *exchange, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned spurious;
	pthread_t thread;
	sigset_t mask;
	pid_t pid = 0;

	while (way < end && strcmp(way->name, name))
		way++;
	if (way == end)
		usage(argv[0], "[SECONDS [ppoll|epoll_pwait|sigsuspend "
			       "[thread|process]]]");
	if (exchange == MAP_FAILED)
		die("mmap");
	exchange->receiver = getpid();
	exchange->end_ns = wall_ns() + number_ns(argc, argv, 1, 1.0);
	prepare(&mask);
	if (fork_it && (pid = fork()) == 0) {
		run_sender(exchange);
		_exit(0);
	}
	if (pid < 0 ||
	    (!fork_it && pthread_create(&thread, NULL, run_sender, exchange)))
		die("starting the sender");
	spurious = receive(exchange, way, &mask);
	if (fork_it)
		end_sender_process(pid);
	else
		pthread_join(thread, NULL);
	printf("rounds %u\nlost %u\nspurious %u\n", exchange->sent,
	       exchange->lost, spurious);
	printf("cpu_seconds %.6f\n", seconds(process_ns()));
	return 0;
}
