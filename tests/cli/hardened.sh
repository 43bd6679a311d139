#!/bin/sh
# What was built to be hard to exploit is so: all relocations are done and made
# read-only before anything is read, the program lies anywhere, and its stack and
# its copies are checked where the compiler has that.
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
# What the compiler makes of these flags in a program that has a use for it, profrun
# has, too.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/probe.c" <<'EOF'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	char text[64];
	strcpy(text, argv[argc - 1]);
	return puts(text) < 0;
}
EOF
# shellcheck disable=SC2086
${CC:-cc} ${CFLAGS-} ${HARDEN_CFLAGS-} -o "$work/probe" "$work/probe.c" ||
	exit "$bad"
for name in '__stack_chk_fail' '__[a-z]*_chk\>'; do
	! LC_ALL=C readelf -W --dyn-syms "$work/probe" | grep -q "UND $name" ||
		has --dyn-syms "UND $name"
done
exit "$bad"
