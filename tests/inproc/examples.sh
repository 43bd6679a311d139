#!/bin/sh
# Programs written as for another system compile without a warning against the
# compat headers, profile themselves, and gprof reads what they leave.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

# run: adds what gprof says of $example to much and little.
run() {
	(cd $example.d && ./$example >output) || {
		echo "$example fails" >&2
		bad=1
		return 1
	}
	runs=$((runs + 1))
	much="$much + $(seconds much $example.d/$example $example.d/gmon.out)"
	little="$little + $(seconds little $example.d/$example $example.d/gmon.out)"
}

# Of 0.6 s of CPU time much() has the larger part.  A busy machine may meet it
# just where it looks at its clock: a miss is judged by two or three runs together.
is_right() {
	awk "BEGIN {
		much = ($much) / $runs
		little = ($little) / $runs
		exit !(much > 0.2 && little > 0.02 && much > little &&
			much + little > 0.4 && much + little < 0.8)
	}"
}

for example in svr4 freebsd solaris_pcsample hpux_sprofil; do
	mkdir $example.d
	compile $example.d/$example "$abs_top_srcdir/examples/$example.c" \
		"$abs_top_srcdir/examples/work.c" \
		-I"$abs_top_srcdir/examples" -I"$work/usr/include" || {
		echo "$example does not compile" >&2
		bad=1
		continue
	}
	much=0 little=0 runs=0
	run || continue
	is_right || run || continue
	is_right || run || continue
	is_right || {
		echo "$example: $much s and $little s in $runs runs" >&2
		bad=1
	}
done
exit "$bad"
