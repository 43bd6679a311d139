#include "live/control/relay.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How a signal differs from most: those are sent to the process that is to
 * get them, and end it unless it handles them. */
enum {
	NOT_TAKEN = 1, /* has its usual effect on this process */
	HARMLESS = 2,  /* ends no process */
	/* Asks this process to end even if it was started to ignore the
	 * signal: shells make what they start in the background ignore the
	 * keys' signals, so one that arrives there was sent on purpose. */
	INSISTENT = 4,
	/* If the kernel sends it, the program gets one, too: keys on the
	 * terminal are for the whole job, and a limit is one of each
	 * process. */
	FOR_EACH = 8,
	BY_WRITING = 16, /* the call that wrote fails, too: that is enough */
	/* Left to jobcontrol.h; taken where a program is launched. (SIGCONT
	 * continues even a process that blocks it.) */
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

/* (sigfillset leaves out the C library's own.) */
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

/* The signals are blocked, not caught: so those that are ignored, or have
 * their default action, are the same in the program, and queued ones stay
 * queued. */
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

void
prf_relay_asking(sigset_t *set)
{
	const int usual[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (asks_to_end(usual[i]))
			sigaddset(set, usual[i]);
}

/* The kernel sends no SIGCHLD to a process that ignores it. */
static void
receive_sigchld(struct prf_launch_signals *before)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};

	sigaction(SIGCHLD, &usual, &before->sigchld);
}

static void
close_fds(const struct prf_relay *relay)
{
	if (relay->news_fd >= 0)
		close(relay->news_fd);
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
	relay->leaves_child = false;
	relay->news_fd = signalfd(-1, &set, flags);
	sigaddset(&set, SIGCHLD);
	relay->signals = set;
	relay->fd = signalfd(-1, &set, flags);
	if (relay->fd < 0 || relay->news_fd < 0) {
		int rc = prf_error_set(err, -errno, "signalfd: %s",
				       strerror(errno));
		close_fds(relay);
		return rc;
	}
	pthread_sigmask(SIG_BLOCK, &set, &relay->before.mask);
	receive_sigchld(&relay->before);
	return 0;
}

/* The program has got those itself, and has answered them: they no longer
 * concern this process. */
static void
drop_job_control(void)
{
	const struct timespec at_once = {0};
	sigset_t signals;

	sigemptyset(&signals);
	for (int signal = 1; signal < NSIG; signal++)
		if (kinds[signal] & JOB_CONTROL)
			sigaddset(&signals, signal);
	while (sigtimedwait(&signals, NULL, &at_once) > 0)
		;
}

void
prf_relay_close(struct prf_relay *relay)
{
	close_fds(relay);
	drop_job_control();
	if (!relay->leaves_child)
		sigaction(SIGCHLD, &relay->before.sigchld, NULL);
	pthread_sigmask(SIG_SETMASK, &relay->before.mask, NULL);
}

/* Has the program not got it from the kernel as well?  (If the terminal is
 * gone, the kernel tells the leader of the session only.) */
static bool
is_ours_alone(const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL || !(kinds[info->si_signo] & FOR_EACH))
		return true;
	return info->si_signo == SIGHUP && getsid(0) == getpid();
}

/* Has a thread of this process sent it to another one? */
static bool
is_between_us(const siginfo_t *info)
{
	return info->si_pid == getpid() && (info->si_code == SI_TKILL ||
					    kinds[info->si_signo] & BY_WRITING);
}

/* Can it be sent on as it is?  (The kernel lets no process pretend that
 * kill(2), or the kernel, has sent a signal.) */
static bool
is_queued(const siginfo_t *info)
{
	return info->si_code < 0 && info->si_code != SI_TKILL;
}

/* If the user's queues are full, it is sent without its data.  A process
 * that is told that the terminal is gone is also continued, as by the
 * kernel. */
static void
pass_on(pid_t pid, const siginfo_t *info)
{
	if (!is_queued(info) ||
	    syscall(SYS_rt_sigqueueinfo, pid, info->si_signo, info))
		kill(pid, info->si_signo);
	if (info->si_signo == SIGHUP && info->si_code == SI_KERNEL)
		kill(pid, SIGCONT);
}

/* The last one counts. */
static void
note_job_control(const siginfo_t *info, struct prf_relay_news *news)
{
	news->go_on = info->si_signo == SIGCONT;
	news->stop = news->go_on ? 0 : info->si_signo;
	news->stop_sender = info->si_code == SI_KERNEL ? 0 : info->si_pid;
}

/* Those by which people ask a program to end, and nothing else. */
static void
note_ask(const siginfo_t *info, struct prf_relay_news *news)
{
	if (info->si_signo != SIGINT && info->si_signo != SIGTERM)
		return;
	news->ask = info->si_signo;
	news->ask_sender = info->si_pid;
}

/* Adds INFO to NEWS, or passes it on to PID. */
static void
note(const struct prf_relay *relay, const siginfo_t *info, pid_t pid,
     struct prf_relay_news *news)
{
	if (info->si_signo == SIGCHLD)
		news->child = info->si_pid;
	else if (is_between_us(info))
		return;
	else if (kinds[info->si_signo] & JOB_CONTROL)
		note_job_control(info, news);
	else if (info->si_signo == relay->toggle_signal)
		news->toggles++;
	else if (!pid)
		news->end |= asks_to_end(info->si_signo);
	else if (is_ours_alone(info)) {
		pass_on(pid, info);
		note_ask(info, news);
	}
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
note_all(const struct prf_relay *relay, pid_t pid, struct prf_relay_news *news)
{
	enum { ROOM = 16 };
	struct signalfd_siginfo come[ROOM];
	size_t n;

	do {
		ssize_t bytes = read(relay->fd, come, sizeof come);

		n = bytes > 0 ? (size_t)bytes / sizeof *come : 0;
		for (size_t i = 0; i < n; i++) {
			siginfo_t info = info_of(&come[i]);

			note(relay, &info, pid, news);
		}
	} while (n == ROOM);
}

struct prf_relay_news
prf_relay_take(const struct prf_relay *relay, pid_t pid)
{
	struct prf_relay_news news = {0};

	note_all(relay, pid, &news);
	return news;
}

/* As sigtimedwait(3), which does not tell what a thread of this process has
 * sent. */
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

/* Of several signals the one with the lowest number comes first; if the
 * program stops all the time, that can be SIGCHLD each time.  So all are
 * taken. */
struct prf_relay_news
prf_relay_await(const struct prf_relay *relay, pid_t pid, int ms)
{
	struct prf_relay_news news = {0};
	siginfo_t info;

	if (wait_for_signal(&relay->signals, &info, ms) > 0) {
		note(relay, &info, pid, &news);
		note_all(relay, pid, &news);
	}
	return news;
}
