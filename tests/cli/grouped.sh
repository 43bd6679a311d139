#!/bin/sh
# A program in very many groups: its status in /proc is long, and it is profiled,
# attached to and dumped as any other.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

"$workloads/grouped" 1200 true || exit 77

# is_had: by a timer, and by nothing else.
is_had() {
	ends_with 0
	[ "$(ticks)" -gt 0 ] || complain "has no ticks: $(cat err)"
	! grep 'cannot be read\|from outside' err >why ||
		complain "not by a timer: $(cat why)"
}
profile --trigger=timer -F 250 "$workloads/grouped" 1200 "$workloads/shares" 0.5
is_had

"$workloads/grouped" 1200 "$workloads/shares" 60 >null &
pid=$!
trap 'kill -KILL $pid 2>/dev/null || true; rm -rf "$work"' EXIT
is_shares() { [ "$(cat /proc/$pid/comm)" = shares ]; }
await is_shares
profile --trigger=timer -F 250 -d 1 -p $pid
is_had

what="profrun dump $pid"
status=0
"$PROFRUN" dump $pid >out 2>err || status=$?
ends_with 0
grep -q main out || complain "tells nothing: $(cat out err)"
exit "$bad"
