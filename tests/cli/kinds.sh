#!/bin/sh
# Programs of every kind: however they were linked, the functions are found, and
# gprof reads what was written.
# "CC" may be several words.
# shellcheck disable=SC2086
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77
source=$abs_top_srcdir/tests/workloads

# reads_both PROGRAM: gprof, with and without the list.
reads() {
	gprof -b -p "$@" gmon.out >flat 2>gprof.err || complain "gprof $*: $(cat gprof.err)"
	[ ! -s gprof.err ] || complain "gprof $*: $(cat gprof.err)"
}

# has_shares PROGRAM OBJECT: as 200 samples show them.
has_shares() {
	profile -F 250 "$1" 0.8
	ends_with 0
	are_near "$2" one two three four
}

# build NAME COMPILER OPTION...: false if this machine cannot link it so.
build() {
	name=$1
	shift
	"$@" -O2 -D_GNU_SOURCE -I"$source" -o "$name" "$source/shares.c" \
		-lpthread 2>build.err || {
		echo "$name: not built: $(head -n 1 build.err)" >&2
		return 1
	}
}
check_kind() {
	build "$@" || return 0
	once_more has_shares "./$1" "$1"
	reads "./$1"
	reads -S gmon.syms "./$1"
}
check_kind pie $CC -fPIE -pie
check_kind fixed $CC -no-pie
check_kind static $CC -static
check_kind static_pie $CC -static-pie
if command -v musl-gcc >/dev/null; then
	check_kind musl musl-gcc -static
fi

# Stripped: no names, but all of the time is the program's, in pieces, besides that
# of its start.
build stripped $CC -no-pie -s
profile ./stripped 0.5
ends_with 0
reads -S gmon.syms ./stripped
own=$(awk '$3 == ".." && $NF == "stripped" { sum += $1 } END { print sum + 0 }' err)
awk -v own="$own" 'BEGIN { exit !(own > 85) }' || complain "own share $own"

# In libraries that come and go, perhaps at the same address.
in_libraries() {
	profile -F 250 "$workloads/dlopened" "$workloads/.libs/in_first.so" \
		"$workloads/.libs/in_second.so" 0.8
	ends_with 0
	right=0
	are_near in_first.so in_first || right=1
	are_near in_second.so in_second || right=1
	return $right
}
once_more in_libraries
reads -S gmon.syms "$workloads/dlopened"

# In code made at run time.
in_jit() {
	profile -F 250 "$workloads/jitted" 0.8
	[ "$status" != 77 ] || return 0
	ends_with 0
	rm -f "$(value map)"
	are_near '[jit]' jit_one
}
once_more in_jit
[ "$status" = 77 ] || reads -S gmon.syms "$workloads/jitted"

# Fifty threads, each of the length of four ticks.  On a busy machine the
# scheduler keeps such threads from meeting the kernel's tick, or has them meet it
# for time that others had: the coverage says so.
in_threads() {
	profile "$workloads/churn" 2 40 50
	ends_with 0
	reads -S gmon.syms "$workloads/churn"
	is_between 0.5 1.5 "$(sum ticks "$(ticks)" |
		quotient "$(sum expected "$(product 100 "$(value cpu_seconds)")")")"
}
once_more in_threads

# One that sleeps: no ticks, and the files say so.  (It starts and ends in a ms,
# which has a tick in one of a hundred runs.)
sleeps() {
	profile -F 10 sleep 0.1
	ends_with 0
	[ "$(ticks)" = 0 ]
}
once_more sleeps
reads -S gmon.syms "$(command -v sleep)"
grep -q 'no time accumulated' flat || complain "gprof says $(cat flat)"
exit "$bad"
