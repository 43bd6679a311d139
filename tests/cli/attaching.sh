# attaching.sh - for tests that attach to what runs already.  Sourced, not run.
# Exits with 77 where that is not allowed.
# shellcheck shell=sh disable=SC2034
. "$abs_top_srcdir/tests/cli/measure.sh"
watched=$abs_top_builddir/tests/support/watched

runs_program() { [ "$(cat "/proc/$pid/comm")" = "$1" ]; }
has_threads() { [ "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" -ge "$1" ]; }
has_timers() { [ -n "$(cat "/proc/$pid/timers")" ]; }
# A process that is gone is not traced either: is_untroubled and finish tell.
is_let_go() { [ ! -d "/proc/$1" ] || ! is_traced "$1"; }
is_traced() { ! grep -q '^TracerPid:.0$' "/proc/$1/status"; }

# begin WORKLOAD [ARG...]: in the background, as $pid; its output in out.
begin() {
	what="a running $*"
	"$workloads/$1" $2 ${3-} ${4-} >out &
	pid=$!
	await runs_program "$1"
}

# is_free PID: nothing of profrun is in it, and it is not stopped.
is_free() {
	[ -d "/proc/$1" ] || complain "process $1 is gone"
	[ -z "$(cat "/proc/$1/timers")" ] || complain "keeps timers"
	is_untroubled "$1"
}
is_untroubled() {
	traced=$(grep -sL '^TracerPid:.0$' "/proc/$1/task"/*/status) || :
	[ -z "$traced" ] || complain "is traced: $traced"
	stopped=$(grep -sl '^State:.[tT]' "/proc/$1/task"/*/status) || :
	[ -z "$stopped" ] || complain "is stopped: $stopped"
}
# after STATUS: it runs on, and ends like that.
after() {
	is_free "$pid"
	finish "$1"
}
finish() {
	status=0
	wait "$pid" || status=$?
	[ "$status" = "$1" ] || complain "ends with $status, not $1"
}
# What the workload itself has noticed.
undisturbed() {
	for name in early eintr woken; do
		[ "$(value "$name")" = 0 ] || complain "$name: $(value "$name")"
	done
}

# attach OPTION...: to $pid.
attach() {
	status=0
	rm -f gmon.*
	"$PROFRUN" -p "$pid" "$@" 2>err || status=$?
	[ "$status" = 0 ] || complain "profrun ends with $status: $(cat err)"
	[ -s gmon.out ] && [ -s gmon.syms ] || complain 'writes no profile'
}

# May this place attach at all?
begin shares 100
if ! "$PROFRUN" -q -p "$pid" -d 0.1 -o null 2>err; then
	kill "$pid"
	grep -Eq 'yama|ptrace is refused' err || exit 1
	cat err >&2
	exit 77
fi
kill "$pid"
finish 143
