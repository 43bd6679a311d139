#!/bin/sh
# gprof reads what is written: the numbers, counts above 65535, files that are
# added, arcs, both pointer widths and both byte orders.
set -eu
LC_ALL=C
export LC_ALL
: "${abs_top_builddir:?}" "${CC:?}" "${NM:?}"
from_text=$abs_top_builddir/tests/core/gmon_from_text
for tool in gprof objcopy; do
	command -v $tool >/dev/null || {
		echo "$tool is missing" >&2
		exit 77
	}
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# --- What is profiled.  First a program:
cat >program.c <<'EOF'
__attribute__((noinline)) int f_much(int n) { return n * 7 + 3; }
__attribute__((noinline)) int f_little(int n) { return n * 5 + 1; }
int main(int argc, char **argv) { return f_much(argc) + f_little(!argv); }
EOF
$CC -O0 -o program program.c || {
	echo "$CC makes no programs" >&2
	exit 77
}
# An image of each class and byte order; no compiler is needed.  Its text is
# 8 KiB of nothing at 0x10000, with functions hot, cold and last.
head -c 8192 /dev/zero >text
for image in elf64-little elf32-little elf64-big elf32-big; do
	objcopy -I binary -O $image \
		--rename-section .data=.text,alloc,load,readonly,code,contents \
		--change-section-address .data=0x10000 \
		--add-symbol hot=.text:0,global,function \
		--add-symbol cold=.text:0x800,global,function \
		--add-symbol last=.text:0x1f00,global,function \
		text $image || {
		echo "objcopy cannot make $image" >&2
		exit 77
	}
done

bad=0
# expect WHAT EXPECTED GOT
expect() {
	[ "$2" = "$3" ] && return
	printf '%s: expected\n%s\nbut got\n%s\n' "$1" "$2" "$3" >&2
	bad=1
}

# The flat profile of IMAGE and FILES: "NAME SECONDS" and, with arcs, calls.
flat() { gprof -b -p "$@" | awk 'NF >= 4 && $1 ~ /^[0-9.]+$/ {
	print $NF, $3, (NF > 4 ? $4 : "-") }' | sort; }

# --- Each pointer width and byte order.
cat >list <<EOF
ticks 10006 200000
ticks 107fe 1
ticks 10800 70
ticks 10bff 5
arc 10004 10800 7
arc 107f0 10801 4294967299
EOF
# A unit beside each end of a function: hot has 200001 ticks, cold 75.
for format in elf64-little:8:little elf32-little:4:little \
	elf64-big:8:big elf32-big:4:big; do
	image=${format%%:*}
	args=${format#*:}
	"$from_text" 100 "${args%:*}" "${args#*:}" <list >"$image.gmon"

	expect "$image" "cold 0.75 4294967306
hot 2000.01 -" "$(flat "$image" "$image.gmon")"
	expect "$image, twice" "cold 1.50 8589934612
hot 4000.02 -" "$(flat "$image" "$image.gmon" "$image.gmon")"
done

# --- Two runs that were elsewhere, and one that was nowhere.
printf 'ticks 10002 3\nticks 10900 9\n' | "$from_text" 100 8 little >a
printf 'ticks 103fe 10\nticks 10400 20\nticks 10900 80000\n' |
	"$from_text" 100 8 little >b
"$from_text" 100 8 little </dev/null >nothing
for files in 'a b' 'b a' 'a nothing b' 'nothing a b'; do
	# shellcheck disable=SC2086
	expect "files $files" "cold 800.09 -
hot 0.33 -" "$(flat elf64-little $files)"
done
expect "nothing" "" "$(gprof -b elf64-little nothing 2>&1)"
expect "flat profile of nothing" "gprof: gmon.out file is missing histogram" \
	"$(gprof -b -p elf64-little nothing 2>&1)"

# --- The rate is that of the file.
printf 'ticks 10002 3\n' | "$from_text" 4 8 little >slow
expect "4 Hz" "hot 0.75 -" "$(flat elf64-little slow)"

# --- As much as gprof can add in 32 bits, in two counters of one block.
printf 'ticks 10002 4294967295\nticks 10802 1\n' |
	"$from_text" 1000 8 little >most
# 4294967.295 s is rounded to an even or an odd digit.
expect "2^32 - 1 ticks" "cold 0.00 -
hot 4294967.295 -" "$(flat elf64-little most |
	sed 's/4294967\.29 /4294967.295 /; s/4294967\.30 /4294967.295 /')"

# --- The functions of a program, at the addresses that its linker chose.
vaddr() { $NM program | awk -v name="$1" '$3 == name { print $1 }'; }
{
	echo "ticks $(vaddr f_much) 65536"
	echo "ticks $(vaddr f_little) 250"
	echo "ticks $(vaddr main) 2"
	echo "arc $(vaddr main) $(vaddr f_much) 65536"
	echo "arc $(vaddr main) $(vaddr f_little) 250"
} | sort -k1,1r -k2,2 >program.list
"$from_text" 100 8 little <program.list >program.gmon
expect "program" "f_little 2.50 250
f_much 655.36 65536
main 0.02 -" "$(flat program program.gmon)"
expect "callers of f_much" "main 65536/65536" "$(gprof -b -q program \
	program.gmon | awk '/\[1\].* main / { on = 1 } on && / f_much / {
		print "main", $3; exit }')"
exit "$bad"
