#!/bin/sh
# prf_monitor is ended in one thread while others fork or crash: the process
# leaves its file, and a child does no harm to it.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

cat >threads.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profrun/monitor.h>
#include <profrun/profil.h>

extern char __executable_start[], etext[];

/* --- Calls that the library makes: a thread can be stopped at one. */

enum call { NONE, GETPID, BLOCK_ALL, WRITE };

static __thread enum call stop_at;
static enum { RUNS, IS_STOPPED, IS_LET_GO } stage;

static void
wait_until(int wanted)
{
	while ((int)__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != wanted)
		sched_yield();
}

static void
set_stage(int now)
{
	__atomic_store_n(&stage, now, __ATOMIC_RELEASE);
}

static void
stop(enum call call)
{
	if (stop_at != call)
		return;
	stop_at = NONE;
	set_stage(IS_STOPPED);
	wait_until(IS_LET_GO);
}

/* (It reads six arguments, whether there are so many or not.) */
__attribute__((no_sanitize("address"))) long
syscall(long number, ...)
{
	static long (*of_libc)(long, ...);
	long args[6];
	va_list list;

	if (number == SYS_rt_sigprocmask)
		stop(BLOCK_ALL);
	if (!of_libc)
		of_libc = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	return of_libc(number, args[0], args[1], args[2], args[3], args[4],
		       args[5]);
}

pid_t
getpid(void)
{
	stop(GETPID);
	return (pid_t)syscall(SYS_getpid);
}

ssize_t
write(int fd, const void *bytes, size_t size)
{
	stop(WRITE);
	return syscall(SYS_write, fd, bytes, size);
}

/* --- What happens meanwhile. */

static int
end(void)
{
	return prf_monitor(NULL, NULL, NULL);
}

static void *
end_and_stop(void *call)
{
	static const int failed = 1;

	stop_at = *(enum call *)call;
	return end() < 0 ? (void *)&failed : NULL;
}

static void *
be_terminated(void *nothing)
{
	stop_at = GETPID;
	raise(SIGTERM);
	return nothing;
}

static pthread_t
stopped_thread(void *(*code)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, code, argument) != 0)
		exit(2);
	wait_until(IS_STOPPED);
	return thread;
}

/* Did it succeed, once it may go on? */
static int
finish(pthread_t thread)
{
	void *failed = NULL;

	set_stage(IS_LET_GO);
	pthread_join(thread, &failed);
	return !failed;
}

/* A child that ends, too: is profiling off there? */
static int
child_ends(void)
{
	struct prf_profil_state state;
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		int rc = end();

		prf_profil_state(&state);
		_exit(rc < 0 || state.on);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

static int
fork_while_stopped(enum call call)
{
	pthread_t thread = stopped_thread(end_and_stop, &call);
	int is_good = child_ends();

	if (!is_good)
		fprintf(stderr, "the child\n");
	if (!finish(thread)) {
		fprintf(stderr, "the parent\n");
		is_good = 0;
	}
	return is_good ? 0 : 1;
}

/* The signal comes while it is on, and is dealt with when it is not. */
static int
end_while_stopped(void)
{
	pthread_t thread = stopped_thread(be_terminated, NULL);

	if (end() < 0)
		return 3;
	finish(thread);
	return 4;
}

int
main(int argc, char **argv)
{
	(void)argc;
	signal(SIGTERM, SIG_DFL);
	if (prf_monitor(__executable_start, etext, "profile") < 0)
		return 2;
	if (strcmp(argv[1], "fork_before") == 0)
		return fork_while_stopped(BLOCK_ALL);
	if (strcmp(argv[1], "fork_amid") == 0)
		return fork_while_stopped(WRITE);
	return end_while_stopped();
}
END
compile threads threads.c -ldl || exit 1

# leaves STATUS HOW: that, and the file alone
leaves() {
	rm -f profile*
	status=0
	./threads "$2" || status=$?
	holds "$2: status" "$status == $1"
	test -f profile || {
		echo "$2: no profile" >&2
		bad=1
	}
	n=$(find . -name 'profile?*' | wc -l)
	holds "$2: files beside it" "$n == 0"
}

leaves 0 fork_before
leaves 0 fork_amid
leaves 143 signal
exit "$bad"
