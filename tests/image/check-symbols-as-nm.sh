#!/bin/sh
# Every function that nm(1) shows, in programs linked in each of the usual
# ways, has a piece at its address, which has one of the names that nm shows.
set -eu
print_texts=$abs_top_builddir/tests/image/print_texts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/odd.c" <<'EOF'
#include <stdio.h>
static int local(int x) { return x * 3 + 1; }
int with_alias(int x) { return local(x) + 2; }
int weak_alias(int) __attribute__((weak, alias("with_alias")));
int __other_alias(int) __attribute__((alias("with_alias")));
static int chosen(int x) { return x + 5; }
static int (*resolve(void))(int) { return chosen; }
int indirect(int) __attribute__((ifunc("resolve")));
int with_dot(int x) __asm__("with.dot");
int with_dot(int x) { return x ^ 1; }
static int local_dot(int x) __asm__("local.dot.0");
static __attribute__((noinline, used)) int local_dot(int x) { return x ^ 2; }
static int local_dollar(int x) __asm__("local$dollar");
static __attribute__((noinline, used)) int local_dollar(int x) { return x + 9; }
__asm__(".text\n"
	".p2align 4\n"
	"untyped_label: .skip 16\n"
	".globl global_label\n"
	"global_label: .skip 16\n"
	".type unsized, @function\n"
	"unsized: .skip 8\n"
	".p2align 4\n"
	".type outer, @function\n"
	"outer: .skip 16\n"
	".type inner, @function\n"
	"inner: .skip 8\n"
	".size inner, .-inner\n"
	".skip 8\n"
	".size outer, .-outer\n"
	".section .text.elsewhere,\"ax\",@progbits\n"
	".p2align 4\n"
	".type last, @function\n"
	"last: .skip 8\n"
	".size last, .-last\n"
	".text\n");
int main(int argc, char **argv)
{
	(void)argv;
	return printf("%d\n", local_dollar(local_dot(with_dot(indirect(
		weak_alias(argc) + __other_alias(argc)))))) < 0;
}
EOF
$CC -O1 -o "$work/probe" "$work/odd.c" 2>/dev/null || {
	echo "$CC cannot build the probe: $($CC -O1 -o "$work/probe" \
		"$work/odd.c" 2>&1 | head -3)"
	exit 77
}

# compare FILE
compare() {
	"$print_texts" "$1" >"$work/pieces"
	$NM -n -S --defined-only "$1" >"$work/nm"
	# shellcheck disable=SC2016
	awk '
	function fail(why) { print FILENAME ": " $0 ": " why; bad = 1 }
	function number(hex, n, i) {
		for (i = 1; i <= length(hex); i++)
			n = n * 16 + index("123456789abcdef", substr(hex, i, 1))
		return n
	}
	FILENAME ~ /pieces$/ {
		named[$3] = $5
		if (!first) { first = $1 }
		last = $2
		next
	}
	# Functions, with a size or without; labels of the linker are not.
	NF == 4 { address = $1; type = $3; name = $4 }
	NF == 3 { address = $1; type = $2; name = $3 }
	type !~ /^[tTwWi]$/ { next }
	name ~ /^(_?etext|__etext)$/ { next }
	# nm calls weak data W as well; its addresses are not those of text.
	address < first || address >= last { next }
	{ n++ }
	NF == 4 && number(address) + number($2) > sized_end {
		sized_end = number(address) + number($2)
	}
	# A label inside of a function that has a size belongs to that.
	!(address in named) && NF == 3 && number(address) < sized_end { next }
	!(address in named) { fail("no piece"); next }
	named[address] == name { found[address] = 1 }
	{ wanted[address] = name }
	END {
		for (address in wanted)
			if (!(address in found)) {
				print wanted[address] " is called " named[address]
				bad = 1
			}
		if (n < 10) { print "only " n " symbols"; exit 1 }
		exit bad
	}' "$work/pieces" "$work/nm" || {
		echo "in $1" >&2
		exit 1
	}
}

# size_of NAME: of the first piece so called
size_of() {
	awk -v name="$1" '$5 == name && $1 == $3 { print $1, $2; exit }' \
		"$work/pieces" |
		while read -r lo hi; do echo $((0x$hi - 0x$lo)); done
}

# has_size NAME BYTES: and less than 16 more, the padding behind it
has_size() {
	size=$(size_of "$1")
	[ "$size" -ge "$2" ] && [ "$size" -lt $(($2 + 16)) ] || {
		echo "$how: $1 has $size bytes, not $2"
		exit 1
	}
}

built=0
for how in '-no-pie' '-pie -fPIE' '-static' '-static-pie -fPIE' \
	'-pie -fPIE -Wl,-z,now' '-pie -fPIE -fuse-ld=lld' \
	'-pie -fPIE -fuse-ld=gold' '-shared -fPIC'; do
	# shellcheck disable=SC2086
	$CC -O1 $how -o "$work/odd" "$work/odd.c" 2>/dev/null || continue
	built=$((built + 1))
	compare "$work/odd"
	[ "$(size_of outer)" = 16 ]
	[ "$(size_of inner)" = 8 ]
	[ "$(size_of untyped_label)" = 16 ]
	has_size global_label 16
	has_size last 8
	grep -q ' F with_alias$' "$work/pieces"
done
[ "$built" -gt 2 ]

# A shared library that is stripped has what nm -D shows.
$CC -O1 -shared -fPIC -o "$work/lib.so" "$work/odd.c" -Wl,-s
compare_dynamic() {
	"$print_texts" "$1" >"$work/pieces"
	$NM -D --defined-only "$1" >"$work/nm"
	# shellcheck disable=SC2016
	awk '
	FILENAME ~ /pieces$/ { named[$3] = $5; next }
	$2 !~ /[TWi]/ { next }
	{ sub(/@.*/, "", $3); wanted[$1] = $3; n++ }
	named[$1] == $3 { found[$1] = 1 }
	END {
		for (address in wanted)
			if (!(address in found)) {
				print wanted[address] " is lost"
				bad = 1
			}
		exit bad || !n
	}' "$work/pieces" "$work/nm"
}
compare_dynamic "$work/lib.so"
echo "$built ways of linking"
