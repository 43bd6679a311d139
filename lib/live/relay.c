#include "live/relay.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* In what a signal is not like most: those are sent to whoever is to get them,
 * and end who has not asked for them. */
enum {
	NOT_TAKEN = 1, /* does to this process what it does to any */
	HARMLESS = 2,  /* ends nobody */
	/* Asks to end also who was started to ignore it: shells have keys
	 * ignored in what they start in the background, and who sends one there
	 * means it. */
	INSISTENT = 4,
	/* By the kernel, the program has one of its own: keys on the terminal
	 * are for the whole job, and a limit holds for each process. */
	FOR_EACH = 8,
	BY_WRITING = 16, /* and the call fails: no more need be said */
	/* Left to jobcontrol.h; taken where a program is launched.  (SIGCONT lets
	 * go on even whoever blocks it.) */
	JOB_CONTROL = 32,
};

static const unsigned char kinds[NSIG] = {
	[SIGKILL] = NOT_TAKEN,
	[SIGSTOP] = NOT_TAKEN,
	[SIGTSTP] = JOB_CONTROL,
	[SIGTTIN] = JOB_CONTROL,
	[SIGTTOU] = JOB_CONTROL,
	[SIGCONT] = JOB_CONTROL,
	[SIGCHLD] = NOT_TAKEN,
	[SIGTERM] = INSISTENT,
	[SIGURG] = HARMLESS,
	[SIGWINCH] = HARMLESS | FOR_EACH,
	[SIGHUP] = FOR_EACH,
	[SIGXCPU] = FOR_EACH,
	[SIGPIPE] = BY_WRITING,
	[SIGXFSZ] = BY_WRITING,
	[SIGINT] = INSISTENT | FOR_EACH,
	[SIGQUIT] = INSISTENT | FOR_EACH,
};

/* The C library leaves out what it keeps for itself. */
static sigset_t
all_but(unsigned char kind)
{
	sigset_t set;

	sigfillset(&set);
	for (int signal = 1; signal < NSIG; signal++)
		if (kinds[signal] & kind)
			sigdelset(&set, signal);
	return set;
}

/* Blocked, not caught: what is ignored, or does its default, does so in the
 * program too, and a queue stays as it is. */
void
prf_relay_hold(sigset_t *before)
{
	const sigset_t set = all_but(NOT_TAKEN | JOB_CONTROL);

	pthread_sigmask(SIG_BLOCK, &set, before);
}

static bool
is_ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) &&
	       action.sa_handler == SIG_IGN;
}

static bool
asks_to_end(int signal)
{
	return !(kinds[signal] & HARMLESS) &&
	       (kinds[signal] & INSISTENT || !is_ignored(signal));
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
	sigset_t set = all_but(launches ? NOT_TAKEN : NOT_TAKEN | JOB_CONTROL);

	relay->toggle_signal = toggle_signal;
	relay->words_fd = signalfd(-1, &set, flags);
	sigaddset(&set, SIGCHLD);
	relay->signals = set;
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
	for (int signal = 1; signal < NSIG; signal++)
		if (kinds[signal] & JOB_CONTROL)
			sigaddset(&words, signal);
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

/* (That the terminal is gone the kernel tells the leader of the session
 * only.) */
static bool
is_ours_alone(const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL || !(kinds[info->si_signo] & FOR_EACH))
		return true;
	return info->si_signo == SIGHUP && getsid(0) == getpid();
}

/* Threads knock at each other's doors, too. */
static bool
is_between_us(const siginfo_t *info)
{
	return info->si_pid == getpid() && (info->si_code == SI_TKILL ||
					    kinds[info->si_signo] & BY_WRITING);
}

/* The kernel lets nobody say that he is kill(2), or the kernel. */
static bool
is_queued(const siginfo_t *info)
{
	return info->si_code < 0 && info->si_code != SI_TKILL;
}

/* Where the user has no room for more in queues, without what came along.
 * Whoever is told that the terminal is gone is to go on if it was stopped. */
static void
pass_on(pid_t pid, const siginfo_t *info)
{
	if (!is_queued(info) ||
	    syscall(SYS_rt_sigqueueinfo, pid, info->si_signo, info))
		kill(pid, info->si_signo);
	if (info->si_signo == SIGHUP && info->si_code == SI_KERNEL)
		kill(pid, SIGCONT);
}

/* The last word holds. */
static void
hear_job_control(const siginfo_t *info, struct prf_relay_word *word)
{
	word->go_on = info->si_signo == SIGCONT;
	word->stop = word->go_on ? 0 : info->si_signo;
	word->stop_sender = info->si_code == SI_KERNEL ? 0 : info->si_pid;
}

/* Adds to WORD. */
static void
hear(const struct prf_relay *relay, const siginfo_t *info, pid_t pid,
     struct prf_relay_word *word)
{
	if (info->si_signo == SIGCHLD)
		word->child = info->si_pid;
	else if (is_between_us(info))
		return;
	else if (kinds[info->si_signo] & JOB_CONTROL)
		hear_job_control(info, word);
	else if (info->si_signo == relay->toggle_signal)
		word->toggles++;
	else if (!pid)
		word->end |= asks_to_end(info->si_signo);
	else if (is_ours_alone(info))
		pass_on(pid, info);
}

static siginfo_t
info_of(const struct signalfd_siginfo *come)
{
	siginfo_t info = {
		.si_signo = (int)come->ssi_signo,
		.si_code = come->ssi_code,
	};

	info.si_pid = (pid_t)come->ssi_pid;
	info.si_uid = come->ssi_uid;
	info.si_ptr = (void *)(uintptr_t)come->ssi_ptr;
	return info;
}

static void
hear_all(const struct prf_relay *relay, pid_t pid, struct prf_relay_word *word)
{
	enum { ROOM = 16 };
	struct signalfd_siginfo come[ROOM];
	size_t n;

	do {
		ssize_t bytes = read(relay->fd, come, sizeof come);

		n = bytes > 0 ? (size_t)bytes / sizeof *come : 0;
		for (size_t i = 0; i < n; i++) {
			siginfo_t info = info_of(&come[i]);

			hear(relay, &info, pid, word);
		}
	} while (n == ROOM);
}

struct prf_relay_word
prf_relay_take(const struct prf_relay *relay, pid_t pid)
{
	struct prf_relay_word word = {0};

	hear_all(relay, pid, &word);
	return word;
}

/* As sigtimedwait, which hides from us what a thread of ours has sent. */
static int
wait_for_signal(const sigset_t *set, siginfo_t *info, int ms)
{
	enum { KERNEL_SIGSET_BYTES = 8 };
	const struct timespec most = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000L,
	};

	return (int)syscall(SYS_rt_sigtimedwait, set, info, &most,
			    (size_t)KERNEL_SIGSET_BYTES);
}

/* (Of several the one with the lowest number comes first: of a program that stops
 * all the time, SIGCHLD.  The others are not to wait for its end.) */
struct prf_relay_word
prf_relay_await(const struct prf_relay *relay, pid_t pid, int ms)
{
	struct prf_relay_word word = {0};
	siginfo_t info;

	if (wait_for_signal(&relay->signals, &info, ms) > 0) {
		hear(relay, &info, pid, &word);
		hear_all(relay, pid, &word);
	}
	return word;
}
