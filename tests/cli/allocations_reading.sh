#!/bin/sh
# The commands that read profiles, and allocations fail: what they write is the
# same, or they say what is missing.
set -eu
. "$abs_top_srcdir/tests/cli/walk.sh"

"$PROFRUN" -q -F 250 -f gmon,pcsample -o made "$workloads/shares" 0.3 >out 2>err || {
	cat err >&2
	grep -q 'ptrace is refused' err && exit 77
	exit 1
}

# Most of what they allocate they allocate alike, to read: with steps that have no
# factor in common, each command fails elsewhere in that.
is_same() { diff -r good new >/dev/null; }
walk 7 export -f gmon -o written ../made.trace
walk 3 export -f raw -o written ../made.trace
walk 11 export -f text ../made.trace
walk 13 export -f samples ../made.trace
walk 17 report ../made.trace
walk 19 report ../made
walk 23 diff ../made ../made.trace
walk 7 merge -o sum ../made ../made
walk 13 merge -o sum ../made ../made.trace

"$abs_top_builddir/tests/support/stacked" stacks <<'END'
complete outer alpha beta 40
complete outer alpha gamma_ray 20 kernel read
no-cfi ?gamma_ray alpha ?alpha 3
END
walk 11 report --children ../stacks
walk 13 report --tree ../stacks
walk 17 diff --children --json ../stacks ../stacks
walk 19 diff -f flame -o written ../stacks ../stacks
for format in folded:7 flame:11 pprof:13 speedscope:17 firefox:19 callgrind:11 \
	perf-script:13 json:17; do
	walk ${format#*:} export -f ${format%:*} -o written ../stacks
done
exit "$bad"
