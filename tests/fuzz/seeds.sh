#!/bin/sh
# seeds.sh DIRECTORY - makes what the fuzz targets begin with: a folder of small
# good files for each.  Nothing of it is kept in the tree.
set -eu
: "${top:?}" "${CC:=cc}"
for target in cfi cpuprofile elf gmon lines maps pctrace perfmap pprof profile ring stacks syms written; do
	mkdir -p "$1/$target"
done
cd "$1"

# Objects as compilers and strip leave them.
cat >elf.c <<'EOF'
int f(int n) { return n + 1; }
static int g(int n) { return f(n) * 2; }
int (*pointer)(int) = g;
EOF
$CC -O1 -shared -fPIC -nostdlib -w -o elf/shared elf.c 2>/dev/null || :
$CC -O1 -nostdlib -static -Wl,-e,f -w -o elf/static elf.c 2>/dev/null || :
$CC -O1 -nostdlib -static-pie -fPIE -Wl,-e,f -w -o elf/static-pie elf.c \
	2>/dev/null || :
# Those of other machines; one file of them needs no compiler.
"$top/tests/fuzz/foreign" elf/s390x >foreign.log
rm -f foreign.log
for machine in aarch64 s390x; do
	$machine-linux-gnu-gcc -O1 -shared -fPIC -nostdlib -w \
		-Wl,-z,max-page-size=4096 -o elf/$machine.gcc elf.c \
		2>/dev/null || :
done
# Those of other languages, without what makes them long.
cat >elf.rs <<'EOF'
#![no_std]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
trait Twice { fn twice(self) -> i32; }
impl Twice for i32 { #[inline(never)] fn twice(self) -> i32 { self * 2 } }
#[no_mangle]
pub extern "C" fn f(n: i32) -> i32 { n.twice() + 1 }
EOF
rustc --crate-type cdylib -C panic=abort -C opt-level=1 -g \
	-C link-arg=-nostdlib -o lines/rust elf.rs 2>/dev/null || :
[ ! -e lines/rust ] || strip -g -o elf/rust lines/rust || :
cat >elf.go <<'EOF'
package main

func main() { println(1) }
EOF
if go build -o go.whole elf.go 2>/dev/null &&
	objcopy --strip-all -K main.main -K runtime.text -K runtime.etext \
		go.whole go.bare; then
	objcopy --only-keep-debug -R .gopclntab -R .rodata go.bare elf/go || :
fi
rm -f elf.rs elf.go go.*
for file in shared static static-pie; do
	[ -e elf/$file ] || continue
	strip -o elf/$file.stripped elf/$file || :
	strip --strip-section-headers -o elf/$file.headless elf/$file \
		2>/dev/null || :
done
rm -f elf.c

# The same for unwinding, also with CFI in .debug_frame alone, and with what
# compilers seldom write.
cat >cfi.s <<'EOF'
	.text
	.globl f
f:	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	nop
	.cfi_restore_state
	.cfi_escape 0x0f,3,0x77,8,6
	nop
	.cfi_escape 0x10,6,2,0x38,0x1c
	nop
	.cfi_escape 0x16,3,2,0x38,0x22
	nop
	.cfi_endproc
g:	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_def_cfa 7, 16
	.cfi_undefined 16
	nop
	.cfi_endproc
EOF
{ printf '\t.cfi_sections .debug_frame\n' && cat cfi.s; } >debug.s
for source in cfi debug; do
	$CC -shared -nostdlib -w -o cfi/$source $source.s 2>/dev/null || :
done
for file in elf/*; do
	[ ! -e "$file" ] || cp "$file" cfi
done
rm -f cfi.s debug.s

# Lines and inlined functions, in the forms that there are.
cat >lines.c <<'EOF'
static inline __attribute__((always_inline)) int inner(int n)
{
	return n * 3;
}
int outer(int n)
{
	return inner(n) +
	       inner(n + 1);
}
EOF
for how in gdwarf-3 gdwarf-4 gdwarf-5 gz; do
	$CC -g -$how -O1 -shared -fPIC -nostdlib -w -o lines/$how lines.c \
		2>/dev/null || :
done
rm -f lines.c

for width in 4 8; do
	for order in little big; do
		printf 'ticks 1000 3\nticks 5008 70000\narc 1000 5008 9\n' |
			"$top/tests/core/gmon_from_text" 100 $width $order \
				>gmon/$width$order
	done
done

cat /proc/self/maps >maps/self 2>/dev/null || :
printf '%s\n' '400000-401000 r-xp 00001000 08:01 77 /bin/a b (deleted)' \
	'7f0000000000-7f0000001000 r-xp 00000000 00:00 0 [vdso]' >maps/made

"$top/tests/core/write_trace" any 30 pctrace/any any.txt
"$top/tests/core/write_trace" run 300 pctrace/run run.txt
head -c 2000 pctrace/any >pctrace/any.cut
# What is in the second block: behind the file's header and the first block.
number_at() { od -An -tu4 -j"$1" -N4 pctrace/run | tr -d ' '; }
second=$((16 + 40 + $(number_at 20)))
tail -c +$((second + 41)) pctrace/run | head -c "$(number_at $((second + 4)))" \
	>pctrace/records
rm -f any.txt run.txt
cp pctrace/* written
# With stacks, and without any.
printf '%s\n' 'complete outer alpha beta 40' 'none beta 3' \
	'complete outer alpha alpha 7 kernel write' |
	"$top/tests/support/stacked" written/stacks
printf 'none beta 182\n' | "$top/tests/support/stacked" written/flat

printf '1000 20 f\n1010 8 g h\nffffffffffffff00 100 end\n' >perfmap/made

# Where it begins; then what perf_event_open(2) calls SAMPLE, LOST and COMM.
{
	printf '\376'
	printf '\011\0\0\0\002\0\110\0\007\0\0\0\010\0\0\0'
	printf '\001\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0'
	printf 'register%.0s' 1 2 3 4
	printf '\002\0\0\0\0\0\030\0identity\014\0\0\0\0\0\0\0'
	printf '\003\0\0\0\0\040\020\0idenname'
} >ring/made
# A SAMPLE with a stack, of which not all could be read.
{
	printf '\377'
	printf '\011\0\0\0\002\0\150\0\007\0\0\0\010\0\0\0'
	printf '\001\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0'
	printf 'register%.0s' 1 2 3 4
	printf '\020\0\0\0\0\0\0\0a stack of 16 by\010\0\0\0\0\0\0\0'
} >ring/stack
# A SAMPLE of the second event of a group.
{
	printf '\374'
	printf '\011\0\0\0\002\0\130\0\007\0\0\0\010\0\0\0'
	printf '\001\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0'
	printf '\003\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0'
	printf 'register%.0s' 1 2 3 4
} >ring/group

# As gmon.syms(5) shows it, and with system calls and code without a name.
cat >syms/made <<'EOF'
# gmon.syms 1
# object 1000 2000 0 0123456789abcdef /home/me/prog
# object 100000 101000 ff000 - /home/me/my%20lib.so
# object 200000 200020 200000 - [jit]
# object 300000 300040 300000 - [kernel]
0000000000001000 T main
0000000000001400 T [prog+0x1400]
0000000000100000 T work
0000000000200000 T a
0000000000200010 T b
0000000000300000 T [kernel]:read
0000000000300020 T [kernel]:syscall_900
0000000000300030 T [kernel]:syscall_-1
0000000000300040 T [end]
EOF

# A gmon.out that goes with that list, and the list behind it; one with odd
# addresses; and files that have none.
for order in little big; do
	{
		printf '%s\n' 'ticks 1100 7' 'ticks 1400 70000' \
			'ticks 100000 1' 'ticks 200010 5' 'ticks 300000 9' \
			'arc 1104 100000 3' 'arc 100010 300000 4' \
			'arc 200000 200010 5' |
			"$top/tests/core/gmon_from_text" 100 8 $order
		cat syms/made
	} >profile/$order
	cp gmon/4$order gmon/8$order profile
done
{
	printf 'ticks 1100 7\nticks 1104 2\narc 1101 1105 1\n' |
		"$top/tests/core/gmon_from_text" 100 8 little
	cat <<'EOF'
# gmon.syms 1
# object 1101 2001 0 - /home/me/prog
0000000000001101 T f
0000000000001105 T g
0000000000001106 T h
0000000000002001 T [end]
EOF
} >profile/odd

# Copies of stacks of two machines, of which all words are addresses of text.
for how in 0 1 2; do
	for machine in 0 1; do
		LC_ALL=C awk -v how=$how -v machine=$machine 'BEGIN {
			printf "%c%c%c", 64 + 3 * 2 + how, 4 + machine, 1
			for (i = 0; i < 300; i++)
				printf "%c%c%c%c%c%c%c%c", 1 + i * 7 % 120,
					1 + i % 120, 1, 1, 1, 1, 1, 1
		}' >stacks/$how$machine
	done
done

# A CPU profile of gperftools with one stack, and what was mapped.
{
	printf '\0\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\020\047\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\007\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0'
	printf '\020\020\0\0\0\0\0\0\040\020\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '1000-2000 r-xp 0 08:01 5 /bin/prog\n'
} >cpuprofile/made

# A pprof file of one sample, plain and compressed; and one with an inlined call.
{
	printf '\012\004\010\001\020\002'                 # cpu in nanoseconds
	printf '\022\006\012\001\001\022\001\003'         # a sample
	printf '\032\012\010\001\020\200\040\030\200\100\050\003' # a mapping
	printf '\042\013\010\001\020\001\030\220\040\042\002\010\001' # a location
	printf '\052\004\010\001\020\004'                 # a function
	printf '\062\000\062\003cpu\062\013nanoseconds\062\002/p\062\001f'
	printf '\132\004\010\001\020\002\140\200\255\342\004' # the period
} >pprof/plain
gzip -nc pprof/plain >pprof/packed
{
	cat pprof/plain
	printf '\042\014\010\002\020\001\042\002\010\001\042\002\010\001'
	printf '\022\007\012\002\002\001\022\001\005'
} >pprof/inlined
