#!/bin/sh
# syscalls.tbl has the numbers of the kernel's headers that are installed.
# Headers that are newer than the table may have more.
set -eu
: "${abs_top_srcdir:?}" "${CC:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
done=0

# Names and numbers of the header in $1.c; names in capitals are no calls.
from_header() {
	$CC -E -dM "$1.c" | awk '
	$1 == "#define" && $2 ~ /^__NR_[a-z0-9_]+$/ &&
	$2 !~ /^__NR_(syscalls|arch_specific_syscall)$/ {
		print "@ =" substr($2, 6), $2
	}' >"$1.names"
	cat "$1.names" >>"$1.c"
	# An expression, where a call has its number from another's name.
	$CC -E -P "$1.c" | sed -n 's/^@ =\([a-z0-9_]*\) \([0-9 +()]*\)$/\1 \2/p' |
		while read -r name number; do
			echo "$name $(($number))"
		done | sort
}

# check NAME COLUMN: the header in $work/NAME.c is the table's COLUMN.
check() {
	echo x | cat "$work/$1.c" - | $CC -E - >/dev/null 2>&1 || return 0
	from_header "$work/$1" >"$work/$1.header"
	[ "$(wc -l <"$work/$1.header")" -gt 250 ]
	awk -v column="$2" '!/^#/ && $column != "-" { print $1, $column }' \
		"$abs_top_srcdir/lib/image/syscalls.tbl" | sort \
		>"$work/$1.table"
	newest=$(awk '$2 > n { n = $2 } END { print n }' "$work/$1.table")
	awk -v newest="$newest" '$2 <= newest' "$work/$1.header" \
		>"$work/$1.known"
	missing=$(comm -13 "$work/$1.table" "$work/$1.known")
	if [ -n "$missing" ]; then
		echo "of $1, syscalls.tbl does not have: $missing" >&2
		exit 1
	fi
	done=1
}

echo '#include <asm/unistd_64.h>' >"$work/x86_64.c"
echo '#include <asm/unistd_32.h>' >"$work/i386.c"
cat >"$work/aarch64.c" <<-END
	#define __ARCH_WANT_RENAMEAT
	#define __ARCH_WANT_NEW_STAT
	#define __ARCH_WANT_SET_GET_RLIMIT
	#define __ARCH_WANT_TIME32_SYSCALLS
	#define __ARCH_WANT_SYS_CLONE3
	#define __ARCH_WANT_MEMFD_SECRET
	#include <asm-generic/unistd.h>
END
echo '#define __NR_SYSCALL_BASE 0' >"$work/arm.c"
echo '#include "/usr/arm-linux-gnueabihf/include/asm/unistd-eabi.h"' >>"$work/arm.c"
# On other machines unistd_64.h is their own.
case $($CC -dumpmachine) in
x86_64-*)
	check x86_64 2
	check i386 3
	;;
esac
check aarch64 4
check arm 5
[ $done = 1 ] || exit 77
