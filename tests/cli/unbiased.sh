#!/bin/sh
# A system call gets the share that it has.  Stopped from another processor, a
# thread runs on to its next call, and that gets most of the ticks.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# The call's own code, and the kernel's part of it.
# (Where the kernel takes samples, a call has no name whose number instructions do
# not tell.)
call_share() {
	awk -v a="$(share the_call callshare)" -v b="$(share "$1" '[kernel]')" \
		-v c="$(share some_system_call '[kernel]')" \
		'BEGIN { print a + b + c }'
}

# At the kernel's usual tick each look is one; 3.5 s make a standard error of 1.6
# points.  Within 2 points, and the two errors that chance may add.  Less may be 5
# points more: on some virtual machines what a call costs is partly at the
# instructions after it, for all who sample by interrupts.
is_unbiased() {
	profile --trigger="$trigger" -F 250 "$workloads/callshare" "$1" 3.5
	ends_with 0
	echo "$trigger, $1: found $(call_share "$2"), true $(value the_call) or $(value by_difference)"
	is_between -10 5 "$(off "$(call_share "$2")" | quotient "$(sum runs 1)")"
}
# off FOUND: by how much that is too much, in all runs so far.  The truth is between
# what calls take by themselves and what a loop takes less without them.
off() {
	awk -v found="$(sum found "$1")" -v a="$(sum alone "$(value the_call)")" \
		-v b="$(sum difference "$(value by_difference)")" 'BEGIN {
		least = a < b ? a : b
		most = a < b ? b : a
		print (found < least ? found - least : found > most ? found - most : 0)
	}'
}
for trigger in $(silent_triggers); do
	once_more is_unbiased getpid getpid
	once_more is_unbiased zero read
done

# On one processor even the naive tracer is fair, and now and then where both have
# much to do.
[ "$(nproc)" -gt 1 ] || exit "$bad"
what='a naive tracer'
is_biased() {
	"$sampled" naive 250 "$workloads/callshare" getpid 2 >out 2>err
	ticks=$(awk '$1 == "ticks" { print $2 }' err)
	found=$(awk -v n="$ticks" '$1 == "syscall" && $2 == 39 {
		print 100 * $3 / n }' err)
	echo "naive: found ${found:-0}, true $(value the_call)"
	awk -v found="${found:-0}" -v true="$(value the_call)" \
		'BEGIN { exit !(found > true + 10) }'
}
once_more is_biased
exit "$bad"
