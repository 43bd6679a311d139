#!/bin/sh
# Stacks of a small program at any of its instructions are what its calls and
# returns have made: with call frame information, without, and without symbols.
set -eu
# shellcheck disable=SC2154 # set by make
stepped=$abs_top_builddir/tests/unwind/stepped
# shellcheck disable=SC2154
source=$abs_top_srcdir/tests/unwind/shadowed.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

build() {
	name=$1
	shift
	"$@" -O2 -o "$name" "$source" >build.log 2>&1
}

# step NAME BY LEAST: so many of 10,000 stacks are true at least.
step() {
	rc=0
	"$stepped" "$2" 11 "./$1" >out || rc=$?
	[ "$rc" -ne 77 ] || exit 77
	[ "$rc" -eq 0 ] || exit 99
	awk -v name="$1" -v by="$2" -v least="$3" '
	$1 == "compared" {
		print name, by ": " $0
		seen = 1
		if ($2 < 500 || $4 * 10000 < $2 * least || $6 * 10000 < $2 * least)
			bad = 1
	}
	END { exit bad || !seen }' out || {
		echo "$1 by $2: fewer than $3 of 10,000" >&2
		bad=1
	}
}

cc=${CC:-cc}
none="-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions"
bad=0
# shellcheck disable=SC2086 # these are several words
build dynamic $cc || exit 77
step dynamic auto 9990
# shellcheck disable=SC2086
build without $cc $none
strip without 2>strip.log || :
step without auto 9900
# shellcheck disable=SC2086
if build static $cc -static; then
	step static cfi 9900
fi
if command -v musl-gcc >/dev/null && build musl musl-gcc -static; then
	step musl auto 9900
	strip musl 2>strip.log || :
	step musl auto 9500
fi
exit "$bad"
