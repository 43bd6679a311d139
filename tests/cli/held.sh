#!/bin/sh
# What a program does to its memory keeps profrun from ending for a few seconds at
# most; the thread that traces does not wait for the file system that it is on.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
mute=$abs_top_builddir/tests/support/mute
# A search for leaks would wait for the thread that is held.
export ASAN_OPTIONS="${ASAN_OPTIONS-}${ASAN_OPTIONS:+:}detect_leaks=0"

profile -q "$workloads/shares" 0.05

# A thread of profrun's waits in such a way that no signal but KILL ends it.
is_held() {
	for task in "/proc/$pid/task/"*; do
		[ "$(state_of "$task")" != D ] || return 0
	done
	return 1
}
# Has one done so for half a second, within half a minute?
waits_until_held() {
	n_held=0 tries=0
	while [ $n_held -lt 10 ]; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ] || ! lives; then
			return 1
		fi
		if is_held; then
			n_held=$((n_held + 1))
		else
			n_held=0
		fi
		sleep 0.05
	done
}
# ends_held STATUS PROFILE: $pid does when it is told to, and leaves that; if no read
# of it is ever held, it is killed.
ends_held() {
	if ! waits_until_held; then
		echo "$what: no read was held" >&2
		kill -KILL "$pid" 2>/dev/null || :
		wait "$pid" || :
		return
	fi
	kill -TERM "$pid"
	ends_by_itself
	[ "$status" = "$1" ] || complain "status $status"
	grep -q 'does not come' err || complain "does not say why: $(cat err)"
	"$PROFRUN" report "$2" >table 2>&1 && grep -q 'flick' table ||
		complain "has no profile: $(cat table)"
}

if "$workloads/flicker" 0; then
	what='memory that is taken away'
	"$PROFRUN" -F 5000 -g --trigger=timer "$workloads/flicker" 1000 \
		>out 2>err &
	pid=$!
	ends_held 137 gmon.out

	what='memory that a process takes away which is watched'
	"$workloads/flicker" 1000 &
	flicker=$!
	"$PROFRUN" -F 5000 -g --trigger=timer -p $flicker -o attached.out \
		>out 2>err &
	pid=$!
	ends_held 0 attached.out
	kill -0 $flicker || complain 'takes the process with it'
	kill -KILL $flicker
fi

mkdir mounted
"$mute" mounted "$workloads/idle" 2>/dev/null &
mute=$!
trap 'kill -KILL $mute 2>/dev/null || :; umount -l mounted 2>/dev/null || :
	rm -rf "$work"' EXIT
until [ -e mounted/program ]; do
	kill -0 $mute 2>/dev/null || skip 'no file system can be mounted here'
	sleep 0.05
done
what='a file system that does not answer'
mounted/program 1000 >/dev/null &
idle=$!
until [ "$(readlink /proc/$idle/exe)" = "$PWD/mounted/program" ] &&
	[ "$(state_of /proc/$idle)" = S ]; do sleep 0.05; done
kill -USR1 $mute
"$PROFRUN" -p $idle -d 0.2 >out 2>err &
pid=$!
tries=0
until grep -q 'watching' err; do
	tries=$((tries + 1))
	if [ $tries -gt 600 ]; then
		complain 'is waited for by the thread that traces'
		break
	fi
	sleep 0.05
done
# The names of what runs are read from there, by another thread.
kill -KILL $mute
ends_by_itself
[ "$status" = 0 ] || complain "status $status: $(cat err)"
kill -KILL $idle
exit $bad
