#!/bin/sh
# gprof(1) is the judge: with the list of symbols it tells every function its
# ticks, those that its own table leaves out, those of other objects and of the
# kernel included.
set -eu
LC_ALL=C
export LC_ALL

command -v gprof >/dev/null || {
	echo 'gprof is missing' >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check HOW: gprof with the list of symbols finds what it should.
check() {
	sort -o "$work/expected" "$work/expected"
	# 100 Hz: two decimals of a second are ticks.
	gprof -b -p -S "$work/gmon.syms" "$work/prog" "$work/gmon.out" \
		>"$work/flat" 2>"$work/err"
	awk '$1 ~ /^[0-9.]+$/ && NF == 4 {
		printf "%d %s\n", $3 * 100 + 0.5, $4
	}' "$work/flat" | sort >"$work/found"
	if [ -s "$work/err" ] ||
		! diff -u "$work/expected" "$work/found" >&2; then
		echo "with $1:" >&2
		cat "$work/err" "$work/flat" >&2
		exit 1
	fi
}

export PRF_TEST_DIR="$work"
"$abs_top_builddir/tests/view/write_whole"
check 'the symbols that gprof needs'
needed=$(wc -l <"$work/gmon.syms")

PRF_ALL=1 "$abs_top_builddir/tests/view/write_whole"
check 'all symbols'
[ "$needed" -lt "$(wc -l <"$work/gmon.syms")" ] || {
	echo 'the list with all symbols is no longer' >&2
	exit 1
}
