#!/bin/sh
# A stripped file is cut where its functions are: nm(1) of the file before it
# was stripped is the judge.
set -eu
# shellcheck disable=SC2154 # set by make
print_texts=$abs_top_builddir/tests/image/print_texts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v strip >/dev/null || {
	echo 'strip is missing'
	exit 77
}

cat >"$work/static.c" <<'EOF'
#define FUNCTION static __attribute__((noinline, used)) int
FUNCTION fn_add(int a, int b) { return a + b; }
FUNCTION fn_mask(int a) { return a & 0xff00ff; }
FUNCTION fn_loop(int a)
{
	int sum = 0;
	while (a > 1) { sum += a; a >>= 1; }
	return sum;
}
FUNCTION fn_calls(int a) { return fn_add(fn_mask(a), fn_loop(a)) + 1; }
FUNCTION fn_last(int a) { return fn_calls(a) * 5 + fn_calls(a + 1); }
__attribute__((noinline)) int exported(int a);
int exported(int a) { return fn_last(a) + fn_add(a, 3); }
#ifndef BARE
int main(int argc, char **argv) { (void)argv; return exported(argc); }
#endif
EOF

# wanted_of FILE: the start of each of our functions, where it ends at least (an
# odd end a byte before: the next function may have it) and before which address,
# as padding of less than 16 bytes is the function's, too; and its name
wanted_of() {
	$NM -S --defined-only "$1" |
		awk 'NF == 4 && $4 ~ /^(fn_[a-z]*|exported)$/ {
			print $1, $2, $4 }' |
		while read -r vaddr size name; do
			lo=$((0x$vaddr - 0x$vaddr % 2))
			hi=$((0x$vaddr + 0x$size))
			printf '%016x %016x %016x %s\n' $lo $((hi - hi % 2)) \
				$((hi + hi % 2 + 16)) "$name"
		done
}

# compare WHAT: $work/stripped has a piece for each function in $work/wanted
compare() {
	"$print_texts" "$work/stripped" >"$work/pieces" 2>"$work/warnings"
	n=0
	while read -r lo before behind name; do
		kind=U
		# A program need not export what it could.
		[ "$name" != exported ] || kind='[UF]'
		end=$(sed -n "s/^$lo \([0-9a-f]*\) [0-9a-f]* $kind .*/\1/p" \
			"$work/pieces")
		[ "$end" ] && [ $((0x$end)) -ge $((0x$before)) ] &&
			[ $((0x$end)) -lt $((0x$behind)) ] || {
			echo "$1: no piece of $name, $lo $behind, in:" >&2
			cat "$work/pieces" >&2
			exit 1
		}
		n=$((n + 1))
	done <"$work/wanted"
	if [ "$n" -ne 6 ] || [ -s "$work/warnings" ]; then
		echo "$1: $n functions" >&2
		cat "$work/warnings" >&2
		exit 1
	fi
	n_compared=$((n_compared + 1))
}

# drop_sections FILE: e_shoff, e_shnum and e_shstrndx of an ELF64 file
drop_sections() {
	dd if=/dev/zero of="$1" bs=1 seek=40 count=8 conv=notrunc 2>/dev/null
	dd if=/dev/zero of="$1" bs=1 seek=60 count=4 conv=notrunc 2>/dev/null
}

# try WHAT STRIP COMMAND...: builds a file by COMMAND, strips it and compares
n_compared=0
try() {
	what=$1
	strip=$2
	shift 2
	"$@" -O1 -fasynchronous-unwind-tables -o "$work/full" \
		"$work/static.c" 2>/dev/null || return 0
	$strip -s -o "$work/stripped" "$work/full" 2>/dev/null || return 0
	wanted_of "$work/full" >"$work/wanted"
	compare "$what"
	# The program headers lead to .eh_frame where there is a header for it.
	class=$(od -An -tu1 -j4 -N1 "$work/full" | tr -d ' ')
	if [ "$class" = 2 ] &&
		objdump -p "$work/full" 2>/dev/null | grep -q EH_FRAME; then
		drop_sections "$work/stripped"
		compare "$what, without section headers"
	fi
}

for how in '-no-pie' '-pie -fPIE' '-shared -fPIC' '-static' \
	'-pie -fPIE -fuse-ld=gold' '-pie -fPIE -fuse-ld=lld' \
	'-pie -fPIE -ffunction-sections -Wl,--gc-sections' \
	'-no-pie -mcmodel=large'; do
	# shellcheck disable=SC2086
	try "$how" strip $CC $how
done
[ "$n_compared" -gt 2 ]
echo "$n_compared files of this machine"

# Other machines, of both classes and byte orders, where there are tools.
for cc in 'aarch64-linux-gnu-gcc' 'gcc -m32' \
	'clang --target=aarch64-linux-gnu -fuse-ld=lld' \
	'clang --target=i386-linux-gnu -fuse-ld=lld' \
	'clang --target=powerpc-linux-gnu -fuse-ld=lld' \
	'clang --target=powerpc64le-linux-gnu -fuse-ld=lld' \
	'clang --target=mips-linux-gnu -fuse-ld=lld' \
	'clang --target=mips64-linux-gnuabi64 -fuse-ld=lld' \
	'clang --target=riscv64-linux-gnu -mno-relax -fuse-ld=lld'; do
	was=$n_compared
	# shellcheck disable=SC2086
	try "$cc" llvm-strip $cc -DBARE -ffreestanding -nostdlib -shared -fPIC \
		-Wl,--eh-frame-hdr
	echo "$cc: $((n_compared - was))"
done
