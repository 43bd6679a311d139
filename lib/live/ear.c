#include "live/ear.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct prf_ear {
	pthread_t waiter, listener;
	atomic_bool waits; /* the waiter does, or is about to */
	atomic_bool due;   /* it is to listen */
	int fd, end_fd, every_ms;
	int knock; /* the signal, and how it was treated */
	struct sigaction action_before;
	sigset_t mask_before;
};

/* It was sent for the sake of the call that it interrupts. */
static void
on_knock(int signal)
{
	(void)signal;
}

/* Whoever does not wait comes by without being called. */
static void *
listen(void *arg)
{
	const struct timespec moment = {.tv_nsec = 2000000};
	struct prf_ear *ear = arg;
	struct pollfd polled[] = {{ear->fd, POLLIN, 0},
				  {ear->end_fd, POLLIN, 0}};

	for (;;) {
		int n_ready = poll(polled, 2, ear->every_ms);

		if (polled[1].revents)
			return NULL;
		atomic_store(&ear->due, true);
		if (atomic_load(&ear->waits))
			pthread_kill(ear->waiter, ear->knock);
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
	const struct sigaction action = {.sa_handler = on_knock};
	sigset_t knock;

	sigemptyset(&knock);
	sigaddset(&knock, ear->knock);
	sigaction(ear->knock, &action, &ear->action_before);
	pthread_sigmask(SIG_UNBLOCK, &knock, &ear->mask_before);
}

int
prf_ear_new(int fd, int every_ms, int spared, struct prf_ear **out,
	    struct prf_error *err)
{
	struct prf_ear *ear = calloc(1, sizeof *ear);
	int rc;

	if (!ear)
		return prf_error_set(err, -ENOMEM, "out of memory");
	ear->waiter = pthread_self();
	ear->fd = fd;
	ear->every_ms = every_ms;
	ear->knock = spared == SIGURG ? SIGWINCH : SIGURG;
	ear->end_fd = eventfd(0, EFD_CLOEXEC);
	rc = ear->end_fd < 0 ? -errno : start(ear);
	if (rc) {
		if (ear->end_fd >= 0)
			close(ear->end_fd);
		free(ear);
		return prf_error_set(err, rc, "no thread to listen: %s",
				     strerror(-rc));
	}
	let_knocks_in(ear);
	*out = ear;
	return 0;
}

void
prf_ear_free(struct prf_ear *ear)
{
	if (!ear)
		return;
	eventfd_write(ear->end_fd, 1);
	pthread_join(ear->listener, NULL);
	pthread_sigmask(SIG_SETMASK, &ear->mask_before, NULL);
	sigaction(ear->knock, &ear->action_before, NULL);
	close(ear->end_fd);
	free(ear);
}
