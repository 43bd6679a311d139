#!/bin/sh
# A system call gets the share that it has.  Stopped from another processor, a
# thread runs on to its next call, and that gets most of the ticks.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# The call's own code, and the kernel's part of it.
call_share() {
	awk -v a="$(share the_call callshare)" -v b="$(share "$1" '[kernel]')" \
		'BEGIN { print a + b }'
}
# Within 3 points, and the two standard errors that chance may add.
is_near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 5 && b - a < 5) }'; }

# At the kernel's usual tick each look is one; 8 s make a standard error of
# about one point.
is_unbiased() {
	profile --trigger="$trigger" -F 250 "$workloads/callshare" "$1" 8
	ends_with 0
	echo "$trigger, $1: found $(call_share "$2"), true $(value the_call)"
	is_near "$(call_share "$2")" "$(value the_call)"
}
for trigger in $(silent_triggers); do
	once_more is_unbiased getpid getpid
	once_more is_unbiased zero read
done

# On one processor even the naive tracer is fair.
[ "$(nproc)" -gt 1 ] || exit "$bad"
what='a naive tracer'
is_biased() {
	"$sampled" naive 250 "$workloads/callshare" getpid 2 >out 2>err
	ticks=$(awk '$1 == "ticks" { print $2 }' err)
	found=$(awk -v n="$ticks" '$1 == "syscall" && $2 == 39 {
		print 100 * $3 / n }' err)
	echo "naive: found ${found:-0}, true $(value the_call)"
	awk -v a="${found:-0}" -v b="$(value the_call)" 'BEGIN { exit !(a - b > 10) }'
}
once_more is_biased
exit "$bad"
