#!/bin/sh
# A reader that was written after pctrace(5) alone, in another language, finds
# the same events; and file(1) knows a trace by data/pctrace.magic.
set -eu
: "${abs_top_srcdir:?}" "${abs_top_builddir:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
done=0

for kind in any run; do
	"$abs_top_builddir/tests/core/write_trace" $kind 3000 \
		"$work/$kind.pct" "$work/$kind.txt"
done
if python3 -c 'import zlib' 2>/dev/null; then
	for kind in any run; do
		PYTHONDONTWRITEBYTECODE=1 python3 \
			"$abs_top_srcdir/tests/core/read_pctrace.py" \
			"$work/$kind.pct" >"$work/$kind.got"
		cmp "$work/$kind.txt" "$work/$kind.got" >&2
	done
	done=1
fi
if command -v file >/dev/null; then
	got=$(file -b -m "$abs_top_srcdir/data/pctrace.magic" "$work/run.pct")
	[ "$got" = "profrun pcsample trace, version 3" ] || {
		echo "file(1) calls a trace \"$got\"" >&2
		exit 1
	}
	done=1
fi
[ $done = 1 ] || exit 77
