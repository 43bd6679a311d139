#!/bin/sh
# Signals: every one arrives as it was sent, sleepers sleep on and time-outs end
# in time, under each trigger.  Careless tracers are shown to break each of these.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
careless=$abs_top_builddir/tests/support/careless

# of NAME [SUM]: of the lines "NAME N", or "NAME SUM N", in out.
of() {
	awk -v name="$1" -v sum="${2-}" '
		$1 == name && (sum == "" || $2 == sum) { found = $NF }
		END { print found == "" ? "none" : found }' out
}

# is_faulty WAY NAME... -- PROGRAM...: a careless tracer is noticed.
is_faulty() {
	way=$1
	what="a careless tracer ($*)"
	shift
	names=
	while [ "$1" != -- ]; do
		names="$names $1"
		shift
	done
	shift
	for attempt in 1 2 3 4 5; do
		status=0
		"$careless" "$way" "$@" >out 2>err || status=$?
		[ "$status" != 77 ] || exit 77
		[ "$status" != 127 ] || complain 'is not run'
		# One that kills the program, or breaks it so that it gives up,
		# is seen too.
		[ "$status" = 0 ] || return 0
		for name in $names; do
			[ "$(of "${name%:*}" "${name#*:}")" = 0 ] || return 0
		done
		echo "$what: not noticed, attempt $attempt" >&2
	done
	complain 'is not noticed: this test cannot fail'
}

# is_right_under TRIGGER PROGRAM...: nothing that $names says is wrong.
is_right_under() {
	trigger=$1
	shift
	what="$* under $trigger"
	status=0
	"$sampled" "$trigger" 1000 "$@" >out 2>err || status=$?
	ends_with 0
	for name in $names; do
		[ "$(of "${name%:*}" "${name#*:}")" = 0 ] ||
			complain "${name%:*} is not 0: $(cat out)"
	done
}

# Was there a look, and so a chance to do wrong?
was_looked_at() { awk '$1 == "ticks" { exit !($2 > 0) }' err; }

# is_right NAME... -- PROGRAM...: nothing of it is wrong, under any trigger.  Who
# sleeps most of the time may not be met by the kernel's tick, where others have
# the processors.
is_right() {
	names=
	while [ "$1" != -- ]; do
		names="$names $1"
		shift
	done
	shift
	for trigger in timer interrupt; do
		for attempt in 1 2 3 4 5; do
			is_right_under "$trigger" "$@"
			! was_looked_at || break
			echo "$what: not looked at, attempt $attempt" >&2
		done
		was_looked_at || complain "is never looked at: $(cat err)"
	done
}

storm="$workloads/storm"
is_faulty resend changed: -- "$storm" 0.2
is_right lost: changed: misplaced: -- "$storm" 1 10000

receives="$workloads/receives"
for way in swallow resend continue interrupt; do
	# Without its signals a program would wait for ever.
	[ "$way" != swallow ] || continue
	is_faulty "$way" wrong:total -- "$receives" 0.3
done
is_right wrong:total -- "$receives" 0.7

signals="$workloads/signals"
is_faulty resend changed: disordered: -- "$signals" 0.05
is_right lost: changed: extra: disordered: -- "$signals" 0.2

is_faulty plain woken:total -- "$workloads/ignored"
for trigger in timer interrupt; do
	what="ignored under $trigger"
	status=0
	"$sampled" "$trigger" 1000 "$workloads/ignored" 2 >out 2>err || status=$?
	ends_with 0
	[ "$(of woken total)" = 0 ] || complain "$(grep 'woken .*[1-9]' out)"
done

# Who is stopped in such a call is woken by what makes it go on, as it is elsewhere.
"$workloads/ignored" 2 stopped >out
[ "$(of slept total)" = 0 ] || {
	what='ignored, stopped'
	complain "sleeps on by itself: $(cat out)"
}
is_faulty rewind slept:total -- "$workloads/ignored" 1 stopped
for trigger in timer interrupt; do
	what="ignored, stopped, under $trigger"
	status=0
	"$sampled" "$trigger" 1000 "$workloads/ignored" 5 stopped >out 2>err ||
		status=$?
	ends_with 0
	[ "$(of slept total)" = 0 ] || complain "$(grep 'slept .*[1-9]' out)"
done

# A call that is made again in spite of a handler waits for ever: this one gives
# its sender's patience, 5 s, up for lost.
for way in ppoll epoll_pwait sigsuspend; do
	is_right lost: spurious: -- "$workloads/lostwake" 0.7 $way process
done
is_faulty interrupt spurious: -- "$workloads/lostwake" 0.5 epoll_pwait process

is_faulty interrupt wrong:total -- "$workloads/timeouts" 0.3 20
# Where others have the processors, one can be late by itself.
end_in_time() {
	is_right early:total wrong:total -- "$workloads/timeouts" 0.7 50
	awk '$1 == "late_ms" && $2 == "total" { exit !($3 < 40) }' out
}
once_more end_in_time

# Who blocks the signal that is to stop it, and takes it for its own, gets few, of
# hundreds that there would be: of timers those until they are found out.  Where
# the kernel samples, there is none.
# takes_few MOST PROGRAM... -- OPTION...
takes_few() {
	most=$1
	shift
	program=
	while [ "$1" != -- ]; do
		program="$program $1"
		shift
	done
	shift
	what="$program, profiled with $*"
	# shellcheck disable=SC2086
	profile -q "$@" $program
	ends_with 0
	[ "$(value received)" -le "$most" ] ||
		complain "sees our signal $(value received) times, not $most"
}
masked="$workloads/masked"
few=40
! silent_triggers | grep -qx ring || few=0
for way in libc raw; do
	takes_few $few "$masked" 2 $way -- -F 1000
done
takes_few 0 "$masked" 2 libc -- --trigger=timer -F 100
takes_few 0 "$masked" 2 libc -- --trigger=interrupt -F 1000
takes_few 40 "$masked" 2 raw -- --trigger=timer -F 100
takes_few 40 "$masked" 2 raw -- --trigger=timer -F 250
takes_few 40 "$masked" 2 raw -- --trigger=timer -F 1000
takes_few 40 "$masked" 2 libc -- --trigger=timer -F 1000 -d 10
# Nor does one stay with it that does not accept it, once another trigger has the
# thread, or profrun has left.
for way in '-F 1000' '--trigger=timer -F 100 -d 10' \
	'--trigger=timer -F 250 -d 0.1'; do
	# shellcheck disable=SC2086
	takes_few 0 "$masked" 0.7 kept -- $way
	[ "$(value pending)" = 0 ] || complain 'leaves a signal with it'
done
# A program that begins with its signals blocked gets none; but that env is met by
# a tick on its way there, with URG blocked already.
takes_none() {
	for attempt in 1 2 3; do
		takes_few 1 "$@"
		[ "$(value received)" != 0 ] || return 0
	done
	complain 'sees our signal three times of three'
}
! env --block-signal=URG true 2>/dev/null ||
	takes_none env --block-signal=URG "$masked" 0.5 libc -- --trigger=timer \
		-F 1000 -d 10
# Valgrind takes each, and gives it to the program, as if that had no handler for
# it: it is known by its name.
mkdir valgrind
cp "$workloads/masked" valgrind/masked-linux
for trigger in auto interrupt; do
	what="masked raw, as a tool of valgrind, under $trigger"
	"$sampled" $trigger 250 valgrind/masked-linux 0.5 raw >out 2>err ||
		complain "fails: $(cat err)"
	[ "$(of received)" = 0 ] || complain "sees our signal: $(cat out)"
	was_looked_at || complain "is never looked at: $(cat err)"
done
if command -v valgrind >/dev/null && valgrind -q true 2>/dev/null; then
	what='valgrind'
	status=0
	"$PROFRUN" -F 250 valgrind -q "$workloads/shares" 0.1 >out 2>err || status=$?
	ends_with 0
	was_looked_at || complain "is never looked at: $(cat err)"
fi

# What the C library's posix_spawn starts ignores signals 32 and 33.
cat >spawn.py <<'END'
import os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
sys.exit(os.waitpid(pid, 0)[1] != 0)
END
if python3 spawn.py grep '^SigIgn:' /proc/self/status >bare 2>/dev/null; then
	what='a program that was started with signals ignored'
	python3 spawn.py "$PROFRUN" -q -o null grep '^SigIgn:' \
		/proc/self/status >out
	cmp -s bare out || complain "ignores others: $(cat bare out)"
fi
exit "$bad"
