#include "live/relay.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* From a terminal they reach a program that was launched without us. */
static const struct {
	int signal;
	bool ends; /* asks whoever gets it to end */
} taken[] = {
	{SIGINT, true}, {SIGQUIT, true},  {SIGTERM, true},
	{SIGHUP, true}, {SIGUSR1, false}, {SIGUSR2, false},
};

enum { N_TAKEN = sizeof taken / sizeof *taken };

/* Taken where a program is launched, and left to jobcontrol.h.  (SIGCONT lets go
 * on even whoever blocks it.) */
static const int of_job_control[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};

static void
add_job_control(sigset_t *set)
{
	for (size_t i = 0; i < sizeof of_job_control / sizeof *of_job_control;
	     i++)
		sigaddset(set, of_job_control[i]);
}

static bool
is_ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) &&
	       action.sa_handler == SIG_IGN;
}

/* (Of SIGINT that means nothing: shells have it ignored in what they start in
 * the background, and who sends it there means it.) */
static bool
asks_to_end(const struct prf_relay *relay, int signal)
{
	if (signal == SIGHUP && relay->ignores_hangup)
		return false;
	for (size_t i = 0; i < N_TAKEN; i++)
		if (taken[i].signal == signal)
			return taken[i].ends;
	return false;
}

/* The kernel sends no SIGCHLD to a process that ignores it. */
static void
hear_of_children(struct prf_launch_signals *before)
{
	struct sigaction heard = {.sa_handler = SIG_DFL};

	sigaction(SIGCHLD, &heard, &before->sigchld);
}

static void
close_fds(const struct prf_relay *relay)
{
	if (relay->words_fd >= 0)
		close(relay->words_fd);
	if (relay->fd >= 0)
		close(relay->fd);
}

int
prf_relay_open(struct prf_relay *relay, bool launches, int toggle_signal,
	       struct prf_error *err)
{
	const int flags = SFD_CLOEXEC | SFD_NONBLOCK;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < N_TAKEN; i++)
		if (launches || taken[i].ends)
			sigaddset(&set, taken[i].signal);
	if (launches)
		add_job_control(&set);
	if (toggle_signal)
		sigaddset(&set, toggle_signal);
	relay->toggle_signal = toggle_signal;
	relay->ignores_hangup = is_ignored(SIGHUP);
	relay->words_fd = signalfd(-1, &set, flags);
	sigaddset(&set, SIGCHLD);
	relay->fd = signalfd(-1, &set, flags);
	if (relay->fd < 0 || relay->words_fd < 0) {
		int rc = prf_error_set(err, -errno, "signalfd: %s",
				       strerror(errno));
		close_fds(relay);
		return rc;
	}
	pthread_sigmask(SIG_BLOCK, &set, &relay->before.mask);
	hear_of_children(&relay->before);
	return 0;
}

/* The program has had those itself, and made of them what it liked: they have
 * nothing to say any more to whoever is left. */
static void
drop_job_control(void)
{
	const struct timespec at_once = {0};
	sigset_t words;

	sigemptyset(&words);
	add_job_control(&words);
	while (sigtimedwait(&words, NULL, &at_once) > 0)
		;
}

void
prf_relay_close(struct prf_relay *relay)
{
	close_fds(relay);
	drop_job_control();
	sigaction(SIGCHLD, &relay->before.sigchld, NULL);
	pthread_sigmask(SIG_SETMASK, &relay->before.mask, NULL);
}

/* A key on the terminal signals the whole job, and the program has it already;
 * but that the terminal is gone it tells the leader of the session only. */
static bool
is_ours_alone(int signo, int code)
{
	if (code != SI_KERNEL)
		return true;
	return signo == SIGHUP && getsid(0) == getpid();
}

/* Whoever is told that the terminal is gone is to go on if it was stopped. */
static void
pass_on(pid_t pid, const struct signalfd_siginfo *info)
{
	kill(pid, (int)info->ssi_signo);
	if (info->ssi_signo == SIGHUP && info->ssi_code == SI_KERNEL)
		kill(pid, SIGCONT);
}

/* The last word holds. */
static bool
is_of_job_control(const struct signalfd_siginfo *info,
		  struct prf_relay_word *word)
{
	int signal = (int)info->ssi_signo;
	sigset_t words;

	sigemptyset(&words);
	add_job_control(&words);
	if (!sigismember(&words, signal))
		return false;
	word->go_on = signal == SIGCONT;
	word->stop = word->go_on ? 0 : signal;
	word->stop_sender =
		info->ssi_code == SI_KERNEL ? 0 : (pid_t)info->ssi_pid;
	return true;
}

static void
take(const struct prf_relay *relay, const struct signalfd_siginfo *info,
     pid_t pid, struct prf_relay_word *word)
{
	int signal = (int)info->ssi_signo;

	if (signal == SIGCHLD || is_of_job_control(info, word))
		return;
	if (signal == relay->toggle_signal)
		word->toggles++;
	else if (pid && is_ours_alone(signal, info->ssi_code))
		pass_on(pid, info);
	else if (!pid)
		word->end |= asks_to_end(relay, signal);
}

struct prf_relay_word
prf_relay_take(const struct prf_relay *relay, pid_t pid)
{
	enum { ROOM = 16 }; /* more than there are kinds */
	struct signalfd_siginfo infos[ROOM];
	struct prf_relay_word word = {0};
	ssize_t n = read(relay->fd, infos, sizeof infos);

	for (size_t i = 0; n > 0 && i < (size_t)n / sizeof *infos; i++)
		take(relay, &infos[i], pid, &word);
	return word;
}
