#include "live/ear.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of those that can be had it is the one that does least where it is not
 * expected. */
enum { KNOCK = SIGURG };

enum { READ_END, WRITE_END };

struct prf_ear {
	pthread_t waiter, listener;
	atomic_bool waits; /* the waiter does, or is about to */
	atomic_bool due;   /* it is to listen */
	atomic_bool came;  /* it has been awake since it was last asked for */
	int fd, end_fd, every_ms;
	int strays[2]; /* a pipe */
	/* How the signal was treated. */
	struct sigaction action_before;
	sigset_t mask_before;
};

/* A handler is told nothing else of whose it is. */
static _Thread_local int strays_to;

/* A knock was sent for the sake of the call that it interrupts. */
static void
on_signal(int signal, siginfo_t *info, void *context)
{
	int errno_before = errno;

	(void)signal;
	(void)context;
	if (info->si_code == SI_TKILL && info->si_pid == getpid())
		return;
	/* A full pipe has more of them than the kernel would keep. */
	if (write(strays_to, info, sizeof *info) < 0)
		errno = errno_before;
}

/* Whoever does not wait comes by without being called. */
static void *
listen(void *arg)
{
	const struct timespec moment = {.tv_nsec = 2000000};
	struct prf_ear *ear = arg;
	struct pollfd polled[] = {{ear->end_fd, POLLIN, 0},
				  {ear->fd, POLLIN, 0},
				  {ear->strays[READ_END], POLLIN, 0}};

	for (;;) {
		int n_ready = poll(polled, 3, ear->every_ms);

		if (polled[0].revents)
			return NULL;
		if (atomic_exchange(&ear->came, false) && !n_ready)
			continue;
		atomic_store(&ear->due, true);
		if (atomic_load(&ear->waits))
			pthread_kill(ear->waiter, KNOCK);
		if (n_ready)
			nanosleep(&moment, NULL);
	}
}

bool
prf_ear_wait(struct prf_ear *ear)
{
	siginfo_t info;

	atomic_store(&ear->waits, true);
	if (!atomic_load(&ear->due))
		waitid(P_ALL, 0, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL);
	atomic_store(&ear->waits, false);
	atomic_store(&ear->came, true);
	return atomic_exchange(&ear->due, false);
}

/* The listener takes no signal that is meant for somebody else. */
static int
start(struct prf_ear *ear)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	int rc = -pthread_create(&ear->listener, NULL, listen, ear);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return rc;
}

static void
let_knocks_in(struct prf_ear *ear)
{
	/* Without SA_RESTART: the call is not to go on. */
	const struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO,
	};
	sigset_t knock;

	strays_to = ear->strays[WRITE_END];
	sigemptyset(&knock);
	sigaddset(&knock, KNOCK);
	sigaction(KNOCK, &action, &ear->action_before);
	pthread_sigmask(SIG_UNBLOCK, &knock, &ear->mask_before);
}

static void
close_fds(const struct prf_ear *ear)
{
	const int fds[] = {ear->end_fd, ear->strays[READ_END],
			   ear->strays[WRITE_END]};

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int
open_and_start(struct prf_ear *ear)
{
	ear->end_fd = eventfd(0, EFD_CLOEXEC);
	if (ear->end_fd < 0 || pipe2(ear->strays, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	return start(ear);
}

int
prf_ear_new(int fd, int every_ms, struct prf_ear **out, struct prf_error *err)
{
	struct prf_ear *ear = calloc(1, sizeof *ear);

	if (!ear)
		return prf_error_set(err, -ENOMEM, "out of memory");
	ear->waiter = pthread_self();
	ear->fd = fd;
	ear->every_ms = every_ms;
	ear->strays[READ_END] = ear->strays[WRITE_END] = -1;
	int rc = open_and_start(ear);
	if (rc) {
		close_fds(ear);
		free(ear);
		return prf_error_set(err, rc, "no thread to listen: %s",
				     strerror(-rc));
	}
	let_knocks_in(ear);
	*out = ear;
	return 0;
}

bool
prf_ear_stray(const struct prf_ear *ear, siginfo_t *stray)
{
	return ear && read(ear->strays[READ_END], stray, sizeof *stray) ==
			      sizeof *stray;
}

int
prf_ear_stray_fd(const struct prf_ear *ear)
{
	return ear ? ear->strays[READ_END] : -1;
}

/* For whoever has the signal next. */
static void
send_strays_again(const struct prf_ear *ear)
{
	siginfo_t stray;

	while (prf_ear_stray(ear, &stray))
		syscall(SYS_rt_sigqueueinfo, getpid(), KNOCK, &stray);
}

void
prf_ear_free(struct prf_ear *ear)
{
	if (!ear)
		return;
	eventfd_write(ear->end_fd, 1);
	pthread_join(ear->listener, NULL);
	pthread_sigmask(SIG_SETMASK, &ear->mask_before, NULL);
	sigaction(KNOCK, &ear->action_before, NULL);
	send_strays_again(ear);
	close_fds(ear);
	free(ear);
}
