#!/bin/sh
# By perf's task clock: where it is refused, profrun says so or does without;
# where it is allowed, every tick is a sample, ticks are CPU time at any rate, and
# a program in step with the kernel's tick comes out right.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
refusing=$abs_top_builddir/tests/support/refusing

# with_refusal OPTION... PROGRAM...: as profile, where perf_event_open is not
# to be had.
with_refusal() {
	what="profrun $*, refused"
	status=0
	rm -f gmon.*
	"$refusing" perf_event_open "$PROFRUN" "$@" >out 2>err || status=$?
	[ "$status" != 77 ] || exit 77
}

# Asked for and refused: one line, and the program is not run.
with_refusal --trigger=perf touch ran
ends_with 125
[ ! -e ran ] || complain 'has run the program'
[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
grep -q '^profrun: trigger perf: .*seccomp' err || complain "says: $(cat err)"

# Not asked for: the timer does it, -v says why, and one line that the rate is
# not what was asked for.  (The first that is refused is ring.)
with_refusal -v -F 10000 "$workloads/shares" 0.5
if ! grep -q 'ptrace is refused' err; then
	ends_with 0
	grep -q "warning: 10000 Hz asked for, .* kernel's tick is .*; ring: .*seccomp" \
		err || complain "says of the rate: $(cat err)"
	grep -q 'without trigger ring: .*seccomp' err || complain "says: $(cat err)"
	[ "$(ticks)" -gt 0 ] || complain 'has no ticks'
fi
# The usual rate is kept, and no word is said of it.
with_refusal "$workloads/shares" 1.5
! grep -q 'Hz asked for' err || complain "warns: $(cat err)"
# A program that lives on has no perf: the line says why.
profile -g -F 10000 -d 60000 "$workloads/shares" 0.5
grep -q 'warning: 10000 Hz asked for, .*; perf: its signal would kill' err ||
	complain "says of the rate: $(cat err)"

silent_triggers | grep -qx perf || exit "$bad"

# samples: how many there were for each second of CPU time.
samples() { sed -n 's/.*Hz (\([0-9.]*\) per CPU second.*/\1/p' err; }
# At fast rates each tick is a sample of its own.
is_close() {
	awk -v a="$1" -v b="$2" -v part="$3" \
		'BEGIN { exit !(a < b * (1 + part) && a > b * (1 - part)) }'
}
ticks_are_cpu_time() {
	profile --trigger=perf -F "$1" "$workloads/$2" 1.2
	ends_with 0
	seconds=$(sum cpu_seconds "$(own_seconds)")
	per_second=$(sum ticks "$(ticks)" | quotient "$seconds")
	samples_per_second=$(sum samples "$(product "$(samples)" "$(own_seconds)")" |
		quotient "$seconds")
	echo "$what: $per_second ticks, $samples_per_second samples"
	is_close "$per_second" "$1" 0.03 && is_close "$samples_per_second" "$1" 0.25
}
once_more ticks_are_cpu_time 1000 shares
once_more ticks_are_cpu_time 4000 shares
once_more ticks_are_cpu_time 1000 syscalls

# Threads of half a millisecond have their part.
short_threads_count() {
	profile --trigger=perf -F 1000 "$workloads/churn" 1 0.5
	ends_with 0
	is_close "$(sum ticks "$(ticks)")" \
		"$(sum expected "$(product 1000 "$(value cpu_seconds)")")" 0.2
}
once_more short_threads_count

# In step with the kernel's tick: the halves come out as they are.
# half TRIGGER OFFSET: how much the first half is of both.
half() {
	profile --trigger="$1" -F 250 "$workloads/periodic" 2 "$2"
	ends_with 0
	awk -v a="$(share first_half)" -v b="$(share second_half)" \
		'BEGIN { print (a + b > 0 ? 100 * a / (a + b) : 0) }'
}
is_seen_as_it_is() {
	found=$(half perf "$1")
	echo "offset $1: found $found, true $(value first_half)"
	is_near first_half "$found" "$(value first_half)" "$(ticks)"
}
once_more is_seen_as_it_is 0
once_more is_seen_as_it_is 0.25
# The timer sees one half alone, wherever the halves begin.
is_seen_by_halves() {
	found=$(half timer 0)
	echo "timer: found $found, true $(value first_half)"
	! is_close "$(sum found "$found" | quotient "$(sum runs 1)")" 50 0.3
}
once_more is_seen_by_halves
exit "$bad"
