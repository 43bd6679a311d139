#!/bin/sh
# prf_monitor leaves a file when a signal ends the process, whichever, and the
# process ends by that signal as it would have.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

cat >signals.c <<'END'
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profrun/monitor.h>

extern char __executable_start[], etext[];

static int n_bad;

static void
expect(bool is_so, int signo, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "signal %d: not %s\n", signo, what);
	n_bad++;
}

static void
on_signal(int signo)
{
	_exit(100 + signo);
}

/* How a process ends whose disposition of SIGNO was HANDLER as it began. */
static int
status_after(int signo, void (*handler)(int), const char *path)
{
	/* Of an action that is the default or none, the flags say nothing. */
	const struct sigaction action = {
		.sa_handler = handler,
		.sa_flags = handler == on_signal ? 0 : SA_SIGINFO,
	};
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		sigaction(signo, &action, NULL);
		if (path && prf_monitor(__executable_start, etext, path) < 0)
			_exit(99);
		kill(getpid(), signo);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

static bool
leaves_file(int signo, void (*handler)(int), int *status)
{
	char path[32];

	snprintf(path, sizeof path, "profile.%d", signo);
	*status = status_after(signo, handler, path);
	return unlink(path) == 0;
}

static void
check(int signo)
{
	const bool is_left_alone = signo == SIGPROF || signo >= SIGRTMIN;
	int plain = status_after(signo, SIG_DFL, NULL), status;
	bool has_file = leaves_file(signo, SIG_DFL, &status);

	expect(status == plain, signo, "the same status, core and all");
	expect(has_file == (WIFSIGNALED(plain) && !is_left_alone), signo,
	       "a file if that ends the process");
	has_file = leaves_file(signo, SIG_IGN, &status);
	expect(status == 0 && !has_file, signo, "ignored any more");
	if (signo == SIGURG)
		return; /* EBUSY: the ticks' */
	has_file = leaves_file(signo, on_signal, &status);
	expect(WIFEXITED(status) && WEXITSTATUS(status) == 100 + signo &&
		       !has_file,
	       signo, "the program's handler's any more");
}

int
main(void)
{
	sigset_t none;

	/* Those that were blocked when this began. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int signo = 1; signo <= SIGRTMAX; signo++) {
		bool is_stop = signo == SIGTSTP || signo == SIGTTIN ||
			       signo == SIGTTOU || signo == SIGCONT;
		bool is_the_kernels = signo == SIGKILL || signo == SIGSTOP;
		bool is_libcs = signo > 31 && signo < SIGRTMIN;

		if (!is_stop && !is_the_kernels && !is_libcs)
			check(signo);
	}
	return n_bad > 0;
}
END
compile signals signals.c || exit 1
# Where cores go elsewhere they would stay.
read -r pattern </proc/sys/kernel/core_pattern
case ${SAN_CFLAGS-}$pattern in
*[/\|-]*) cores=0 ;;
*) cores=unlimited ;;
esac
# shellcheck disable=SC3045
ulimit -c $cores 2>/dev/null || echo "no cores" >&2
./signals || bad=1

# What runs as process 1 of a container is not ended by them, and goes on.
compile monitored "$abs_top_srcdir/tests/inproc/monitored.c" || exit 1
mkdir elsewhere
for unshare in 'unshare -pf' 'unshare -rpf'; do
	$unshare true 2>unshare.err || continue
	$unshare ./monitored profile survives || bad=1
	s=$(seconds in_second monitored profile)
	holds "after signals to process 1" "$s > 0.1 && $s < 0.3"
	break
done
exit "$bad"
