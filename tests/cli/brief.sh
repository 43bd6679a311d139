#!/bin/sh
# Threads that run for a moment each time are stopped from outside as they go to
# sleep: what is told of them is doubted.  Those that only compute are believed,
# however short the slices are which the stops themselves make.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

doubts() {
	profile --trigger=interrupt -F "$1" "$workloads/bursts" 0.5 0.05 0.15
	ends_with 0
	grep -q 'of the ticks cannot be believed: ' err
}
believes() {
	profile --trigger=interrupt -F "$1" "$workloads/shares" 0.5
	ends_with 0
	! grep -q 'of the ticks cannot be believed: ' err
}
for hz in 100 1000 4000; do
	once_more doubts $hz
	once_more believes $hz
done
exit "$bad"
