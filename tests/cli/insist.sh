#!/bin/sh
# In every phase profrun ends when it is told to: what it waits for is not for ever,
# and a second signal ends it at once.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile -q "$workloads/shares" 0.05

# begin COMMAND...: runs it, in the background, as a process that takes SIGINT; its
# id in $pid.
begin() {
	env --default-signal=INT,TERM "$@" >out &
	pid=$!
}
lives() {
	state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' \
		"/proc/$pid/status" 2>/dev/null) || :
	[ -n "$state" ] && [ "$state" != Z ]
}
# insist SIGNAL: until it ends; a first signal that comes with a second is one.
insist() {
	tries=0
	while lives; do
		tries=$((tries + 1))
		if [ $tries -gt 200 ]; then
			complain "does not end by $1"
			kill -KILL "$pid"
			break
		fi
		kill -"$1" "$pid" 2>/dev/null || :
		sleep 0.05
	done
	status=0
	wait "$pid" || status=$?
}
leaves_nothing() {
	for left in .profrun.*; do
		[ ! -e "$left" ] || complain "leaves $left"
	done
}
env --default-signal=INT true 2>/dev/null || exit 77

# A pipe that is full, and that nobody reads.
mkfifo pipe
exec 3<>pipe
dd if=/dev/zero of=pipe bs=1024 count=4096 oflag=nonblock conv=notrunc \
	2>/dev/null || :

for signal in INT TERM; do
	case $signal in INT) by=130 ;; TERM) by=143 ;; esac
	what="while the profile is written, $signal"
	begin "$PROFRUN" -q -o pipe "$workloads/deaths" return 0.05 7
	sleep 0.2
	insist $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="while the summary is printed, $signal"
	begin "$PROFRUN" -o summary.out "$workloads/deaths" return 0.05 7 2>pipe
	insist $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="while a trace is written, $signal"
	begin "$PROFRUN" -q -f raw -o pipe "$workloads/deaths" return 0.05 7
	insist $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="of a process that is watched, $signal"
	"$workloads/idle" 1000 >/dev/null &
	idle=$!
	begin "$PROFRUN" -q -p $idle -o attached.out
	insist $signal
	case $status in 0 | "$by") ;; *) complain "status $status" ;; esac
	kill -0 $idle || complain 'takes the process with it'
	kill -KILL $idle
	# What the second signal came in the middle of has its first name.
	rm -f .profrun.*

	what="while a command reads, $signal"
	begin "$PROFRUN" report pipe
	insist $signal
	leaves_nothing
done
exit "$bad"
