#!/bin/sh
# --clock=wall: each place has its share of the time, waiting included, and the sum
# is the time of all threads.  (That the program cannot tell: unchanged.sh.)
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77

# near FOUND TRUE BELOW ABOVE: is FOUND so little below and above TRUE?
near() {
	awk -v found="$1" -v true="$2" -v below="$3" -v above="$4" \
		'BEGIN { exit !(found >= true - below && found <= true + above) }'
}

# mean NAME NUMBER: in the mean of this run and the one before.
mean() { sum "$1" "$2" | quotient "$runs"; }

# What it sleeps by its own clock is also to wait for a processor afterwards;
# what of that belongs to which wait is not known here.
shares_are_right() {
	profile -w "$workloads/waits" 5
	ends_with 0
	[ "$(value eintr)" = 0 ] || complain "$(value eintr) waits were cut short"
	runs=$(sum runs 1)
	waited=$(mean waited "$(value no_processor)")
	right=0
	near "$(mean waiting "$(share waiting_for_a_processor)")" "$waited" 3 3 ||
		right=1
	for part in 'sleeps nanosleep' 'reads read' 'computes computes'; do
		# shellcheck disable=SC2086
		set -- $part
		found=$(share "$2")
		[ "$1" != sleeps ] || found=$(share clock_nanosleep)
		[ "$found" != 0 ] || found=$(share "$2")
		found=$(mean "$2.found" "$found")
		below=6
		[ "$1" = computes ] ||
			below=$(awk -v w="$waited" 'BEGIN { print 6 + w }')
		near "$found" "$(mean "$1" "$(value "$1")")" "$below" 6 || right=1
	done
	return $right
}
once_more shares_are_right

# All ticks together are the lives of all threads, and gprof says the same.
for clock in --clock=wall -w; do
	profile "$clock" "$workloads/waits" 1 200
	ends_with 0
	# Where the machine is busy, they are long in beginning and in ending.
	lived=$(value thread_seconds)
	most=$(awk '$1 == "time" { print 201 * $3 }' err)
	awk -v ticks="$(ticks)" -v least="$lived" -v most="$most" 'BEGIN {
		exit !(ticks >= 85 * least - 20 && ticks <= 101 * most + 60)
	}' || complain "$(ticks) ticks of $lived s: $(cat err)"
	grep -q '^  clock     wall: 201 threads, ' err ||
		complain "does not say so: $(cat err)"
	coverage=$(awk '$1 == "coverage" { print $2 }' err)
	near "$coverage" 100 3 3 || complain "covers $coverage %"
done
gprof -b -p -S gmon.syms "$workloads/waits" gmon.out >whole
flat whole | awk -v ticks="$(ticks)" '{ sum += $2 }
	END { exit !(sum - ticks / 100 < 0.1 && ticks / 100 - sum < 0.1) }' ||
	complain 'gprof has another sum'
grep -q '\[kernel\]:pause$' whole || complain "gprof knows no pause: $(cat whole)"

# Thousands of sleepers cost next to nothing, but for that they begin and end: to
# sleep for longer takes no more.
sleep_for() {
	profile -w "$workloads/waits" "$1" 2000
	ends_with 0
	own=$(awk '$1 == "time" { sub(/.*profrun /, ""); print $1 }' err)
}
sleep_for 1
short=$own
sleep_for 5
near "$own" "$short" 5 1.5 || complain "takes $own s itself, not $short"

# A wait that is under way when counting begins and ends has its part in between.
profile -w -D 500 -d 1 "$workloads/idle" 2
ends_with 0
coverage=$(awk '$1 == "coverage" { print $2 }' err)
near "$coverage" 100 5 5 || complain "covers $coverage % of its time: $(cat err)"
lived=$(awk '$1 == "clock" { print $(NF - 1) }' err)
near "$lived" 1 0.1 1 || complain "has lived for $lived s: $(cat err)"

# Where few files can be open, all threads are watched nevertheless, as soon as they
# are there: 152 of them are a while in coming where others have the processors.
(
	# shellcheck disable=SC3045 # dash and bash have it
	ulimit -n 160
	profile -w "$workloads/waiters" 4 150 1
	ends_with 0
	threads=$(awk '$1 == "threads" { print $2 }' err)
	[ "$threads" = 152 ] || complain "has $threads threads: $(cat err)"
	if grep -q 'could not be watched' err; then
		complain "does not watch all of its threads: $(cat err)"
	fi
	exit "$bad"
) || bad=1

# Classic files have no kernel: what blocks is charged to who called.
profile -w --split -o prof "$workloads/idle" 0.5
ends_with 0
[ -s prof.libc.so.6 ] || [ -s prof.idle ] || complain 'no file'
if grep -q 'kernel' err; then complain "has a kernel: $(cat err)"; fi
exit "$bad"
