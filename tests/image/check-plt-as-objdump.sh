#!/bin/sh
# Linkage stubs have the names and places that objdump(1) finds for them.
set -eu
print_texts=$abs_top_builddir/tests/image/print_texts
command -v objdump >/dev/null || {
	echo 'objdump is missing'
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/calls.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int (*volatile pointer)(const char *) = puts;
	char *copy = malloc(strlen(argv[0]) + 1);
	strcpy(copy, argv[0]);
	pointer(copy);
	puts(copy);
	free(copy);
	return argc > 1 ? atoi(argv[1]) : 0;
}
EOF

n_compared=0
for how in '-pie -fPIE' '-no-pie' '-pie -fPIE -Wl,-z,lazy' \
	'-pie -fPIE -Wl,-z,now' '-fcf-protection -Wl,-z,ibtplt -Wl,-z,lazy' \
	'-fcf-protection -Wl,-z,ibtplt -Wl,-z,now' '-fuse-ld=gold' \
	'-fuse-ld=lld'; do
	# shellcheck disable=SC2086
	$CC -O1 -fno-builtin $how -o "$work/calls" "$work/calls.c" \
		2>/dev/null || continue
	"$print_texts" "$work/calls" | awk '$4 == "P" { print $1, $5 }' |
		sort >"$work/have"
	objdump -d "$work/calls" | awk '/^[0-9a-f]+ <.*@plt>:$/ {
		sub(/@[A-Z][^>]*@plt/, "@plt"); gsub(/[<>:]/, "")
		print $1, $2 }' | sort >"$work/want"
	# objdump knows one half of a lazy pair only.
	comm -13 "$work/have" "$work/want" >"$work/lost"
	if [ -s "$work/lost" ]; then
		echo "with $how:" >&2
		cat "$work/lost" >&2
		exit 1
	fi
	grep -q ' puts@plt$' "$work/have" || {
		echo "with $how: no puts@plt" >&2
		exit 1
	}
	[ ! -s "$work/want" ] || n_compared=$((n_compared + 1))
done
[ "$n_compared" -gt 0 ]
echo "$n_compared ways of linking"
