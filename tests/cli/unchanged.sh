#!/bin/sh
# The program cannot tell: no call fails or comes back short, and what it
# writes is what it writes alone, with stacks (-g) as without.  A tracer that stops every thread at every
# tick is shown to break each of these.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# What dd copies comes in one piece, or its blocks are short and some is missing.
copy='dd if=/dev/zero bs=64M count=6 2>/dev/null'
bare=$(eval "$copy" | wc -c)
naive=$("$sampled" naive 100 sh -c "exec $copy" 2>sampled.err | wc -c) || :
grep -q '^ticks' sampled.err || exit 77
what='a naive tracer'
[ "$naive" != "$bare" ] || complain 'copies all of it: this test cannot fail'
triggers=$(silent_triggers)
for rate in 100 250 1000 10000; do
	for trigger in $triggers; do
		what="dd alone, $trigger at $rate Hz"
		found=$("$PROFRUN" -q --trigger="$trigger" -F "$rate" \
			sh -c "exec $copy" | wc -c)
		[ "$found" = "$bare" ] || complain "writes $found, not $bare"
	done
	for trigger in $triggers; do
		what="dd with stacks, $trigger at $rate Hz"
		found=$("$PROFRUN" -q -g --trigger="$trigger" -F "$rate" \
			sh -c "exec $copy" | wc -c)
		[ "$found" = "$bare" ] || complain "writes $found, not $bare"
	done
	what="dd and wc of a shell at $rate Hz"
	found=$("$PROFRUN" -q -F "$rate" sh -c "$copy | wc -c")
	[ "$found" = "$bare" ] || complain "writes $found, not $bare"
done

# disturbed PROGRAM...: its own count of calls that failed or were short.
disturbed() {
	awk '$1 ~ /^(eintr|short|returned)$/ && $2 == "total" { n += $3 }
		END { print n + 0 }' out
}
# is_undisturbed TRIGGER OPTIONS PROGRAM [ARG...]
is_undisturbed() {
	trigger=$1 how=$2
	shift 2
	# shellcheck disable=SC2086
	profile --trigger="$trigger" $how "$@"
	ends_with 0
	[ "$(disturbed)" = 0 ] || complain "disturbed: $(
		grep -E '^(eintr|short|returned) .* [1-9]' out)"
}
# check PROGRAM [ARG...]
check() {
	program=$workloads/$1
	shift
	what="a naive tracer of $program"
	"$sampled" naive 1000 "$program" "$@" >out 2>sampled.err || :
	[ "$(disturbed)" -gt 0 ] || complain 'disturbs nothing: this test cannot fail'
	for how in '-F 100' '-w -F 100' '-w -F 1000'; do
		is_undisturbed auto "$how" "$program" "$@"
	done
	for trigger in $triggers; do
		for how in '-F 1000' '-g -F 1000' '-g -w -F 1000'; do
			is_undisturbed "$trigger" "$how" "$program" "$@"
		done
	done
}
check longsys 0.2
check evloop 1
check blocked 1
# Even a clock's own signal can come in the middle of this one.
"$workloads/uring" 0.01 | grep -q '^refused' || check uring 1

# Sleepers are not woken by a signal that they ignore; nor by who reads their
# stacks.
for trigger in $triggers; do
	for how in '' '-g' '-g -w'; do
		# shellcheck disable=SC2086
		profile --trigger="$trigger" $how -F 1000 "$workloads/ignored"
		[ "$(awk '$1 == "woken" && $2 == "total" { print $3 }' out)" = 0 ] ||
			complain "$(grep '^woken .* [1-9]' out)"
	done
done
exit "$bad"
