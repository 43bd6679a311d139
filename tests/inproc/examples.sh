#!/bin/sh
# Programs written as for another system compile without a warning against the
# compat headers, profile themselves, and gprof reads what they leave.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

for example in svr4 freebsd solaris_pcsample hpux_sprofil; do
	mkdir $example.d
	compile $example.d/$example "$abs_top_srcdir/examples/$example.c" \
		"$abs_top_srcdir/examples/work.c" \
		-I"$abs_top_srcdir/examples" -I"$work/usr/include" || {
		echo "$example does not compile" >&2
		bad=1
		continue
	}
	(cd $example.d && ./$example >output) || {
		echo "$example fails" >&2
		bad=1
		continue
	}
	much=$(seconds much $example.d/$example $example.d/gmon.out)
	little=$(seconds little $example.d/$example $example.d/gmon.out)
	holds "$example: much" "$much > 0.2"
	holds "$example: little" "$little > 0.02"
	holds "$example: more" "$much > $little"
	holds "$example: all" "$much + $little > 0.4 && $much + $little < 0.8"
done
exit "$bad"
