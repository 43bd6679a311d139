#include "signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct caught {
	int signal;
	bool pass_on;
} caught[] = {
	{SIGHUP, true},
	{SIGINT, true},
	{SIGQUIT, true},
	{SIGTERM, true},
	{SIGUSR1, true},
	{SIGUSR2, true},
	/* Of our own writing: it fails with EPIPE and EFBIG instead. */
	{SIGPIPE, false},
	{SIGXFSZ, false},
};

int
prf_signal_number(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	if (*name && !*end)
		return number > 0 && number <= SIGRTMAX ? (int)number : 0;
	if (!strncasecmp(name, "SIG", 3))
		name += 3;
	for (int signal = 1; signal <= SIGRTMAX; signal++) {
		const char *known = sigabbrev_np(signal);

		if (known && !strcasecmp(name, known))
			return signal;
	}
	return 0;
}

bool
prf_signal_can_be_had(int signal)
{
	static const int needed[] = {
		SIGKILL, SIGSTOP, SIGCHLD, SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
		SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGSEGV, SIGBUS, SIGILL,
		SIGFPE,  SIGABRT, SIGTRAP, SIGPIPE, SIGXFSZ, 32,     33,
	};

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (needed[i] == signal)
			return false;
	return true;
}

/* A signal handler can leave word nowhere else. */
static volatile sig_atomic_t early_signal;

static bool
is_passed_on(int signal)
{
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		if (caught[i].signal == signal)
			return caught[i].pass_on;
	return false;
}

/* A key on the terminal (si_code > 0) signals the program by itself; that the
 * terminal is gone only the leader of the session is told. */
static void
handle(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (is_passed_on(signal) &&
	    (info->si_code <= 0 || (signal == SIGHUP && getsid(0) == getpid())))
		early_signal = signal;
}

void
prf_signals_catch(void)
{
	struct sigaction action = {
		.sa_sigaction = handle,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
		struct sigaction before;
		if (sigaction(caught[i].signal, NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaction(caught[i].signal, &action, NULL);
	}
}

void
prf_signals_pass_early(pid_t pid)
{
	int signal = early_signal;

	early_signal = 0;
	if (signal)
		kill(pid, signal);
}

void
prf_signals_die_of(int signal)
{
	struct rlimit none = {0, 0};
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t set;

	/* The limit is not asked where cores go to a program (core(5)). */
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	kill(getpid(), signal);
}
