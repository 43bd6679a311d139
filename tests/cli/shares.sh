#!/bin/sh
# Work of known shares is found with those shares, by the summary and by gprof
# in both readings of one gmon.out.
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77

shares_are_right() {
	profile "$workloads/shares" 3
	ends_with 0
	right=0
	covers || right=1
	are_near shares one two three four || right=1
	return $right
}
# Ticks are CPU time: within 2 % and one tick.
covers() {
	awk -v ticks="$(sum ticks "$(ticks)")" \
		-v cpu="$(sum cpu_seconds "$(value cpu_seconds)")" 'BEGIN {
		off = ticks / 100 - cpu
		exit !(off < 0.02 * cpu + 0.01 && -off < 0.02 * cpu + 0.01) }'
}
once_more shares_are_right
# It takes its time in user mode.
modes_add_up
modes | awk '{ right = $2 > 0.8 * $1 } END { exit !right }' ||
	complain "times: $(grep '^  time' err)"

# The same numbers come out of gprof, to the digit.
gprof -b -p "$workloads/shares" gmon.out >alone
gprof -b -p -S gmon.syms "$workloads/shares" gmon.out >whole
for name in one two three four; do
	for reading in alone whole; do
		found=$(flat $reading | awk -v name="$name" '$3 == name { print $1 }')
		awk -v a="${found:-0}" -v b="$(share "$name")" \
			'BEGIN { exit !(a - b < 0.011 && b - a < 0.011) }' ||
			complain "gprof ($reading) says $found of $name"
	done
done

# Two files of one program can be added.
seconds_in() {
	gprof -b -p "$workloads/shares" "$@" >table
	flat table | awk '{ sum += $2 } END { print sum + 0 }'
}
mv gmon.out first.out
profile "$workloads/shares" 0.5
apart="$(seconds_in first.out) $(seconds_in gmon.out)"
together=$(seconds_in first.out gmon.out)
echo "$apart $together" | awk '{ exit !($1 + $2 - $3 < 0.001 && $3 - $1 - $2 < 0.001) }' ||
	complain "gprof adds $apart up to $together"
exit "$bad"
