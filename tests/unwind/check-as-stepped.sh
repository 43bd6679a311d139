#!/bin/sh
# Stacks of a small program at any of its instructions are what its calls and
# returns have made: with call frame information, without, and without symbols.
# STEPPED=all, which make bench-stepped says, compares at each instruction, and more
# programs.
set -eu
# shellcheck disable=SC2154 # set by make
stepped=$abs_top_builddir/tests/unwind/stepped
# shellcheck disable=SC2154
source=$abs_top_srcdir/tests/unwind/shadowed.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# __memset_chk() of glibc goes on into memset() through padding that has no CFI.
build() {
	name=$1
	shift
	"$@" -O2 -U_FORTIFY_SOURCE -o "$name" "$source" >build.log 2>&1
}

# step NAME BY LEAST [ARG...]: so many of 10,000 stacks are true at least.
step() {
	name=$1
	by=$2
	least=$3
	shift 3
	rc=0
	"$stepped" "$by" "$every" "./$name" "$@" >out </dev/null || rc=$?
	[ "$rc" -ne 77 ] || exit 77
	[ "$rc" -eq 0 ] || exit 99
	awk -v name="$name" -v by="$by" -v least="$least" '
	$1 == "compared" {
		print name, by ": " $0
		seen = 1
		if ($2 < 500 || $4 * 10000 < $2 * least || $6 * 10000 < $2 * least)
			bad = 1
	}
	END { exit bad || !seen }' out || {
		echo "$name by $by: fewer than $least of 10,000" >&2
		bad=1
	}
}

# step_stripped NAME LEAST
step_stripped() {
	strip "$1" 2>strip.log || :
	step "$1" auto "$2"
}

cc=${CC:-cc}
none="-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions"
every=11
[ "${STEPPED:-}" != all ] || every=1
bad=0
# On aarch64 _start has a register that is no return address, and the instructions of a
# function without CFI are not read.
case $(uname -m) in
aarch64) whole=9990 without=9800 ;;
*) whole=9999 without=9900 ;;
esac
# shellcheck disable=SC2086 # these are several words
build dynamic $cc || exit 77
step dynamic auto $whole
# shellcheck disable=SC2086
build without $cc $none
step_stripped without $without
# No table leads to its CFI.  (That of a program that is static and not PIE is first
# handed to libgcc, which sorts it, by code that has none.)
# shellcheck disable=SC2086
if build static-pie $cc -static-pie -Wl,--no-eh-frame-hdr; then
	step static-pie cfi 9900
fi
# shellcheck disable=SC2086
if build static $cc -static; then
	step_stripped static $whole
fi
# A return address may be signed: code for aarch64 that says so runs anywhere.
case $(uname -m) in
aarch64)
	# shellcheck disable=SC2086
	build signed $cc -mbranch-protection=standard
	step signed auto $whole
	step_stripped signed $whole
	if grep -q '^Features.* sve' /proc/cpuinfo; then
		# shellcheck disable=SC2086
		build vectors $cc -march=armv8-a+sve
		step vectors auto $whole
	fi
	;;
esac
if command -v musl-gcc >/dev/null && build musl musl-gcc -static; then
	step musl auto 9900
	step_stripped musl 9900
fi
[ "${STEPPED:-}" = all ] || exit "$bad"

step_stripped dynamic 9999
# shellcheck disable=SC2086
build framed $cc $none -fno-omit-frame-pointer && step framed auto 9900
# shellcheck disable=SC2086
build static-without $cc $none -static && step static-without auto 9500
# shellcheck disable=SC2086
build debug-frame $cc $none -g && step debug-frame auto 9999
if command -v clang >/dev/null && build clang clang; then
	step clang auto 9999
	# shellcheck disable=SC2086
	build clang-without clang $none && step_stripped clang-without 9500
fi
every=11
for name in perl sqlite3 xz; do
	path=$(command -v $name) || continue
	ln -sf "$path" $name
done
[ ! -e perl ] || step perl auto 9999 -e 'my %h = map { $_ => 1 } 1 .. 20; print keys %h, "\n"'
[ ! -e sqlite3 ] || step sqlite3 auto 9999 :memory: 'select hex(1) union select 2'
[ ! -e xz ] || step xz auto 9999 --robot --version
exit "$bad"
