#include "src/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* (sigabbrev_np() is of glibc 2.32 and later alone.) */
static const char *const names[] = {
	[SIGHUP] = "HUP",       [SIGINT] = "INT",       [SIGQUIT] = "QUIT",
	[SIGILL] = "ILL",       [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT",
	[SIGBUS] = "BUS",       [SIGFPE] = "FPE",       [SIGKILL] = "KILL",
	[SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV",     [SIGUSR2] = "USR2",
	[SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM",     [SIGTERM] = "TERM",
	[SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD",     [SIGCONT] = "CONT",
	[SIGSTOP] = "STOP",     [SIGTSTP] = "TSTP",     [SIGTTIN] = "TTIN",
	[SIGTTOU] = "TTOU",     [SIGURG] = "URG",       [SIGXCPU] = "XCPU",
	[SIGXFSZ] = "XFSZ",     [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF",
	[SIGWINCH] = "WINCH",   [SIGPOLL] = "POLL",     [SIGPWR] = "PWR",
	[SIGSYS] = "SYS",
};
enum { N_NAMES = sizeof names / sizeof *names };

int
prf_signal_number(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	if (*name && !*end)
		return number > 0 && number <= SIGRTMAX ? (int)number : 0;
	if (!strncasecmp(name, "SIG", 3))
		name += 3;
	for (int signal = 1; signal < N_NAMES; signal++)
		if (names[signal] && !strcasecmp(name, names[signal]))
			return signal;
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

/* By the system calls: two signals the C library keeps for itself, and would
 * neither give back their default nor let in. */
static void
let_it_kill(int signal)
{
	/* As the kernel lays it out; where the signal does its default, the rest
	 * of it means nothing. */
	const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {.handler = SIG_DFL};
	const uint64_t alone = 1ULL << (signal - 1);

	syscall(SYS_rt_sigaction, signal, &action, NULL, sizeof alone);
	syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &alone, NULL, sizeof alone);
}

void
prf_signals_die_of(int signal)
{
	struct rlimit none = {0, 0};

	/* The limit is not asked where cores go to a program (core(5)). */
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);

	let_it_kill(signal);
	kill(getpid(), signal);
}
