#!/bin/sh
# A run whose allocations fail: the program runs to its end, or does not begin.
set -eu
. "$abs_top_srcdir/tests/cli/walk.sh"

"$PROFRUN" -q -o made true >out 2>err || {
	cat err >&2
	grep -q 'ptrace is refused' err && exit 77
	exit 1
}

# Ticks are never the same, but the files are.
is_same() {
	(cd good && echo ./*) >names
	(cd new && echo ./*) | cmp -s - names &&
		[ -z "$(find new -name 'gmon.*' -size 0)" ]
}
walk 5 -f gmon,pcsample,raw "$workloads/deaths" exit 0.05 0
exit "$bad"
