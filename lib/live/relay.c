#include "live/relay.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* From a terminal they reach the program without us. */
static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM,
				SIGHUP, SIGUSR1, SIGUSR2};

/* The kernel sends no SIGCHLD to a process that ignores it. */
static void
hear_of_children(struct prf_launch_signals *before)
{
	struct sigaction heard = {.sa_handler = SIG_DFL};

	sigaction(SIGCHLD, &heard, &before->sigchld);
}

int
prf_relay_open(struct prf_relay *relay, struct prf_error *err)
{
	sigset_t taken;

	sigemptyset(&taken);
	sigaddset(&taken, SIGCHLD);
	for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaddset(&taken, passed_on[i]);
	relay->fd = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (relay->fd < 0)
		return prf_error_set(err, -errno, "signalfd: %s",
				     strerror(errno));
	pthread_sigmask(SIG_BLOCK, &taken, &relay->before.mask);
	hear_of_children(&relay->before);
	return 0;
}

void
prf_relay_close(struct prf_relay *relay)
{
	close(relay->fd);
	sigaction(SIGCHLD, &relay->before.sigchld, NULL);
	pthread_sigmask(SIG_SETMASK, &relay->before.mask, NULL);
}

/* A key on the terminal signals the whole job: the program has it already. */
void
prf_relay_pass_on(const struct prf_relay *relay, pid_t pid)
{
	enum { ROOM = 8 }; /* more than there are kinds */
	struct signalfd_siginfo infos[ROOM];
	ssize_t n = read(relay->fd, infos, sizeof infos);

	for (size_t i = 0; n > 0 && i < (size_t)n / sizeof *infos; i++)
		if (infos[i].ssi_signo != SIGCHLD &&
		    infos[i].ssi_code != SI_KERNEL)
			kill(pid, (int)infos[i].ssi_signo);
}
