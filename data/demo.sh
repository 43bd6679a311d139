#!/bin/sh
# demo.sh - a first profile: the C compiler that is installed here, at work.
#
# "make demo" runs it.  The compiler is a program nobody built for this: stripped,
# without -pg.  It compiles a generated file, twice: once for one gmon.out of the
# whole process, once for classic files, one for each object.
set -eu
profrun=${PROFRUN:-profrun}
compiler=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() {
	say "\$ $*"
	"$@"
}

# gcc's own passes are a program apart; other compilers are their own.
program=$("${compiler%% *}" -print-prog-name=cc1 2>/dev/null) || program=
case $program in
/*) options='-quiet -O2 work.c -o work.s' ;;
*)
	program=$(command -v "${compiler%% *}")
	options='-O2 -S work.c -o work.s'
	;;
esac

awk 'BEGIN {
	for (i = 0; i < 900; i++) {
		printf "int f%d(int n, int *a) { int s = %d;", i, i
		printf " for (int k = 0; k < n; k++)"
		printf " { s += a[k] * %d; if (s > k) s ^= a[s & 7]; }", i + 3
		printf " switch (s & 7) { case 0: s++; case 3: return a[1];"
		printf " case 5: s *= n; } return s; }\n"
	}
}' >work.c

# shellcheck disable=SC2086
show "$profrun" "$program" $options
say "gprof reads the whole process: the program, its libraries, system calls"
# shellcheck disable=SC2086
show gprof -b -p -S gmon.syms "$program" gmon.out | head -n 17

say "The same as classic files, one for each object"
# shellcheck disable=SC2086
"$profrun" -q --split "$program" $options
ls gmon.out.*
name=gmon.out.$(basename "$program")
say "gprof reads the program alone"
show gprof -b -p -S "$name.syms" "$program" "$name" | head -n 17
