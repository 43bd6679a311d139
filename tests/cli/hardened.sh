#!/bin/sh
# What was built to be hard to exploit is so: all relocations are done and made
# read-only before anything is read, and the program lies anywhere.
set -eu
: "${abs_top_builddir:?}" "${PROFRUN:?}"
[ "${HARDEN_LDFLAGS-}" ] && command -v readelf >/dev/null || exit 77
bad=0
program=$abs_top_builddir/src/.libs/profrun
[ -e "$program" ] || program=$PROFRUN
has() {
	LC_ALL=C readelf -W "$1" "$program" | grep -q "$2" && return
	echo "$program: no $2" >&2
	bad=1
}
has -l GNU_RELRO
has -d 'FLAGS_1.*NOW'
has -h 'DYN'
exit "$bad"
