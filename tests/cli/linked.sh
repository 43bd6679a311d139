#!/bin/sh
# libbfd and libopcodes have no stable ABI: where configure has found the static
# ones, the program needs no shared one.
set -eu
: "${abs_top_builddir:?}" "${PROFRUN:?}"
command -v readelf >/dev/null || exit 77
grep -q "^BFD_LIBS='.*-l:libbfd.a" "$abs_top_builddir/config.log" || exit 77
program=$abs_top_builddir/src/.libs/profrun
[ -e "$program" ] || program=$PROFRUN
needed=$(LC_ALL=C readelf -W -d "$program" | grep NEEDED)
case $needed in
*libbfd* | *libopcodes*)
	echo "$program needs $needed" >&2
	exit 1
	;;
*libelf*) ;;
*)
	echo "$program: not its libraries: $needed" >&2
	exit 1
	;;
esac
