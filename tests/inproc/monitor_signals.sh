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

# Nor does a second one lose the file that is being written.
cat >second.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profrun/monitor.h>

extern char __executable_start[], etext[];

/* That comes when the file is begun; another thread may take it meanwhile. */
static int second;
static bool has_other;

/* As the library calls it. */
ssize_t
write(int fd, const void *bytes, size_t size)
{
	int signo = second;
	sigset_t pending;

	second = 0;
	if (signo) {
		kill(getpid(), signo);
		do {
			sched_yield();
			sigpending(&pending);
		} while (has_other && sigismember(&pending, signo));
	}
	return syscall(SYS_write, fd, bytes, size);
}

static void *
wait_for_ever(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

/* How a process ends that gets FIRST (0: calls exit) and then THEN, and has another
 * thread or not. */
static bool
keeps_file(const char *what, int first, int then, bool with_other)
{
	pid_t pid = fork();
	char not_yet[32];
	pthread_t other;
	int status;

	if (pid == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		has_other = with_other;
		if ((with_other &&
		     pthread_create(&other, NULL, wait_for_ever, NULL)) ||
		    prf_monitor(__executable_start, etext, "second") < 0)
			_exit(99);
		second = then;
		if (first)
			pthread_kill(pthread_self(), first);
		exit(0);
	}
	waitpid(pid, &status, 0);
	snprintf(not_yet, sizeof not_yet, "second.%d~", pid);
	bool has_rest = unlink(not_yet) == 0;
	bool has_file = unlink("second") == 0;
	bool ends_right =
		WIFSIGNALED(status)
			? WTERMSIG(status) == first || WTERMSIG(status) == then
			: with_other && !first && status == 0;
	if (has_file && !has_rest && ends_right)
		return true;
	fprintf(stderr, "%s: status %#x,%s file,%s rest\n", what, status,
		has_file ? "" : " no", has_rest ? "" : " no");
	return false;
}

int
main(void)
{
	sigset_t none;
	int n_bad = 0;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	n_bad += !keeps_file("exit, TERM", 0, SIGTERM, false);
	n_bad += !keeps_file("exit, TERM for another", 0, SIGTERM, true);
	n_bad += !keeps_file("INT, INT", SIGINT, SIGINT, false);
	n_bad += !keeps_file("INT, INT for another", SIGINT, SIGINT, true);
	n_bad += !keeps_file("INT, TERM for another", SIGINT, SIGTERM, true);
	return n_bad > 0;
}
END
compile second second.c || exit 1
./second || bad=1

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
