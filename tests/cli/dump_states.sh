#!/bin/sh
# dump: what it says of processes and threads that are not as most are: stopped,
# traced, ended or the kernel's; and of those that may not be looked at.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
refusing=$abs_top_builddir/tests/support/refusing

cat >states.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include "uring_worker.h"
static void *__attribute__((noinline)) waits(void *arg)
{
	for (;;)
		pause();
	return arg;
}
static volatile unsigned turns;
static void __attribute__((noinline)) spins(void)
{
	for (;;)
		turns++;
}
#define RECURSES(name, size) \
	static int __attribute__((noinline)) name(int n) \
	{ \
		char room[size]; \
		memset(room, n, size); \
		__asm__ volatile("" : : "r"(room) : "memory"); \
		if (n) \
			return room[0] + name(n - 1); \
		waits(NULL); \
		return room[0]; \
	}
RECURSES(deep, 16)
RECURSES(wide, 100000)
int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pthread_t thread;
	if (!strcmp(way, "trace")) { /* PID, which stops */
		pid_t pid = atoi(argv[2]);
		if (ptrace(PTRACE_SEIZE, pid, 0, 0) ||
		    ptrace(PTRACE_INTERRUPT, pid, 0, 0))
			return 1;
		waitpid(pid, NULL, __WALL);
	} else if (!strcmp(way, "ended")) {
		pthread_create(&thread, NULL, waits, NULL);
		pthread_exit(NULL);
	} else if (!strcmp(way, "parent")) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		printf("%d\n", child);
		fflush(stdout);
	} else if (!strcmp(way, "vfork")) {
		if (vfork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
	} else if (!strcmp(way, "spins")) {
		pthread_create(&thread, NULL, waits, NULL);
		spins();
	} else if (!strcmp(way, "deep")) {
		deep(3000);
	} else if (!strcmp(way, "wide")) {
		wide(30);
	} else if (!strcmp(way, "worker")) {
		prf_uring_begin_worker();
		puts("it is there, if it may be");
		fflush(stdout);
	}
	waits(NULL);
}
END
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -pthread -I"$abs_top_srcdir/tests/live" -o states states.c || {
	echo 'no compiler'
	exit 77
}
pids=
trap 'kill -KILL $pids 2>/dev/null || true; rm -rf "$work"' EXIT

# begin WAY [ARG]: $pid does that.
begin() {
	what="dump of $*"
	./states "$@" >said &
	pid=$!
	pids="$pids $pid"
}
# dumped STATUS ARG...: the dump in out
dumped() {
	expected=$1
	shift
	status=0
	"$PROFRUN" dump "$@" >out 2>err || status=$?
	! grep -q 'sysctl kernel.yama' err || skip "$(cat err)"
	ends_with "$expected"
}
has() {
	grep -Eq "$1" out || complain "no $1: $(cat out)"
}
# becomes PATTERN: of $pid, in a while
becomes() {
	tries=0
	until dumped 0 "$pid" && grep -Eq "$1" out; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || {
			complain "is not $1: $(cat out err)"
			return
		}
	done
	[ ! -s err ] || complain "says: $(cat err)"
}
# exports PATTERN: both for programs, of which the CSV has a row with that.
exports() {
	dumped 0 --json "$pid"
	is_valid dump
	dumped 0 --csv "$pid"
	has "$1"
}
# refuses STATUS TEXT PID
refuses() {
	dumped "$1" "$3"
	[ "$(cat err)" = "profrun: process $3: $2" ] || complain "says: $(cat err)"
	[ ! -s out ] || complain "prints: $(cat out)"
}

# --- What has ended

begin ended
becomes "^thread $pid states has ended\$"
has "^process $pid, 2 threads\$"
has '^thread [0-9]+ states waits in '
exports "^$pid,$pid,\"states\",Z,ended,,,,,,,0,0,none,,,,,,,,,,,0,0,"

begin parent
tries=0
until zombie=$(cat said) && [ -n "$zombie" ] && [ "$(state_of "/proc/$zombie")" = Z ]; do
	tries=$((tries + 1))
	[ "$tries" -lt 2000 ] || break
done
refuses 1 'it has ended, and only waits for its parent to notice' "$zombie"

# --- What stands still

begin vfork
becomes "^thread $pid states waits in (vfork|clone), and cannot be interrupted\$"
exports "^$pid,$pid,\"states\",D,blocked,,[0-9]+,\"(vfork|clone)\","

begin waits
becomes '^  #[0-9]+ +waits in states$'
kill -STOP "$pid"
becomes "^  it is stopped by job control; kill -CONT $pid lets it go on\$"
has "^thread $pid states is stopped in [a-z_]+"
exports "^$pid,$pid,\"states\",T,blocked,.*,0,1,\"./states waits\"\$"

begin worker
await [ -s said ]
becomes "^thread $pid states waits in "
if [ -d /proc/$pid/task ] && [ "$(find /proc/$pid/task -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]; then
	has "^thread [0-9]+ .* is a worker of the kernel's\$"
	exports "^$pid,[0-9]+,\".*\",[A-Z],worker,,,,,,,0,0,none,,,,,,,,,,,0,0,"
fi

# --- Long stacks

begin deep
becomes '^        \(there are more frames\)$'
[ "$(grep -c '^  #[0-9]* *deep ' out)" -gt 1000 ] || complain "prints: $(cat out)"
exports ',limit,1023,'

begin wide
becomes '^        \(only the innermost 1024 KiB of the stack were read\)$'
exports ',cut,[0-9]+,"wide",'

# --- What others trace

# Of the spinner, by another: until it is so nobody else may do it, not even for a dump.
is_traced() {
	tries=0
	while grep -q '^TracerPid:.0$' "/proc/$spinner/status" && [ "$tries" -lt 3000 ]; do
		tries=$((tries + 1))
	done
}
spins="^thread [0-9]+ states runs\$"
begin spins
becomes "$spins"
spinner=$pid
"$PROFRUN" -q -o held -p "$spinner" 2>of_tracer &
tracer=$!
pids="$pids $tracer"
is_traced
becomes "^thread $spinner states runs; its stack cannot be read: another program traces it\$"
has "^process $spinner, 2 threads, traced by process $tracer\$"
has "^thread [0-9]+ states waits in .*"
exports "^$spinner,[0-9]+,\"states\",S,blocked,.*,$tracer,0,"
kill -INT "$tracer"
wait "$tracer" || complain "profrun ends with $?: $(cat of_tracer)"
becomes "$spins"

begin trace "$spinner"
tracer=$pid pid=$spinner
is_traced
becomes "^thread $spinner states is stopped\$"
has "^process $spinner, 2 threads, traced by process $tracer\$"
has '^  #0 +spins in states$'
! grep -q 'job control' out || complain "prints: $(cat out)"
exports "^$spinner,$spinner,\"states\",t,blocked,.*,\"spins\",.*,$tracer,1,"
kill -KILL "$tracer"
becomes "$spins"

# --- What may not be looked at

what='dump without ptrace'
status=0
"$refusing" ptrace "$PROFRUN" dump "$spinner" >out 2>err || status=$?
if [ "$status" != 77 ]; then
	ends_with 0
	has "^thread $spinner states runs; its stack cannot be read: it may not be traced\$"
	has "^thread [0-9]+ states waits in "
fi

what='dump of itself'
status=0
# shellcheck disable=SC2016
sh -c 'echo $$ >own; exec "$PROFRUN" dump $$' >out 2>err || status=$?
ends_with 1
[ "$(cat err)" = "profrun: process $(cat own): that is this very profrun" ] ||
	complain "says: $(cat err)"

what='dump of the kernel'
if [ "$(cat /proc/2/comm 2>/dev/null)" = kthreadd ]; then
	refuses 1 'it is a thread of the kernel, not a program' 2
fi

what='dump as nobody'
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $as_nobody "$PROFRUN" --version >/dev/null 2>&1; then
	status=0
	$as_nobody "$PROFRUN" dump "$spinner" >out 2>err || status=$?
	ends_with 1
	[ "$(cat err)" = "profrun: process $spinner: it is another user's; run profrun as that user or as root" ] ||
		complain "says: $(cat err)"
fi
exit "$bad"
