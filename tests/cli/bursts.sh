#!/bin/sh
# All of a burst of work is seen alike, though bursts are shorter than the
# kernel's tick; and all of its time is in the profile.
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# Threads that wait for a processor often get it at a tick of the kernel's, and
# are in step with it then: nothing that looks at ticks can be right.
ends_unless_busy() {
	ends_with 0
	is_between 0 5 "$(value waited)" ||
		skip "the machine is busy: threads waited for $(value waited) % of their time"
}

# Is the part of head() within 4 standard errors?  (By the ends of bursts it has
# 35 to 40.)  Of ten ticks at least six come with a sample of their own.
head_is_right() {
	profile "$@"
	ends_unless_busy
	samples=$(product 0.6 "$(ticks)")
	found=$(awk -v a="$(share head)" -v b="$(share tail)" \
		'BEGIN { print a ? 100 * a / (a + b) : 0 }')
	echo "$*: found $found, true $(value head), of $samples samples"
	awk -v found="$(sum found "$(product "$found" "$samples")")" \
		-v n="$(sum n "$samples")" -v p="$(value head)" 'BEGIN {
		off = found / n - p
		most = 4 * sqrt(p * (100 - p) / n)
		exit !(off <= most && -off <= most) }'
}

# Within 8 % of the CPU time: what is missing at the end has no sample to pay.
time_is_right() {
	is_between 0.92 1.08 "$(awk -v ticks="$(sum ticks "$(ticks)")" \
		-v cpu="$(sum cpu "$(value cpu_seconds)")" \
		'BEGIN { print ticks / 100 / cpu }')"
}
all_is_right() {
	right=0
	head_is_right "$@" || right=1
	time_is_right || right=1
	return $right
}
once_more all_is_right --trigger=timer "$workloads/bursts" 3 2 3
once_more all_is_right --trigger=timer "$workloads/bursts" 3 1 1.1
exit "$bad"
