#!/bin/sh
# Threads have rows in the summary, and files of their own if they are wanted.
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77

# rows: the lines "ticks tid" of the threads in err.
rows() {
	awk '
		/PID      TID  thread$/ { inside = 1; next }
		!NF { inside = 0 }
		inside && $3 == ".." { print $5, $7 }' err
}

profile -t "$workloads/threads" 4 0.6
ends_with 0
[ "$(rows | grep -c .)" -ge 4 ] || complain "not four threads: $(cat err)"
sum=$(rows | awk '{ s += $1 } END { print s + 0 }')
[ "$sum" = "$(ticks)" ] || complain "the threads have $sum of $(ticks) ticks"
[ -s gmon.out ] || complain 'no gmon.out'

# A file for each thread, and each has its ticks.
profile -t -o x.%t.out "$workloads/threads" 4 0.6
ends_with 0
rows >threads
while read -r n tid; do
	found=$(gprof -b -p -S "x.$tid.syms" "$workloads/threads" "x.$tid.out" \
		2>gprof.err | hundredths)
	[ "$found" = "$n" ] ||
		complain "x.$tid.out has $found of $n ticks: $(cat gprof.err)"
done <threads
[ "$(grep -c . threads)" -ge 4 ] || complain "not four threads: $(cat err)"

# The program's file is there even if no thread has ticks.
profile -q -o y.%t.out true
ends_with 0
set -- y.*.out
[ -s "$1" ] || complain 'no file'
exit "$bad"
