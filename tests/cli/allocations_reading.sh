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

is_same() { diff -r good new >/dev/null; }
for format in gmon raw; do
	walk 3 export -f $format -o written ../made.trace
done
for format in text samples; do
	walk 3 export -f $format ../made.trace
done
walk 3 report ../made.trace
walk 3 report ../made
walk 3 diff ../made ../made.trace
walk 3 merge -o sum ../made ../made
walk 3 merge -o sum ../made ../made.trace

"$abs_top_builddir/tests/support/stacked" stacks <<'END'
complete outer alpha beta 40
complete outer alpha gamma_ray 20 kernel 0
no-cfi ?gamma_ray alpha ?alpha 3
END
for form in --children --tree; do
	walk 3 report $form ../stacks
done
walk 3 diff --children --json ../stacks ../stacks
walk 3 diff -f flame -o written ../stacks ../stacks
for format in folded flame pprof speedscope firefox callgrind perf-script json; do
	walk 3 export -f $format -o written ../stacks
done
exit "$bad"
