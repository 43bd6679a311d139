#!/bin/sh
# profrun merge adds what gprof adds, beyond where gprof -s wraps; files of
# several layouts become one; what cannot be added is refused in one line, and
# leaves nothing.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
from_text=$abs_top_builddir/tests/core/gmon_from_text

# merge ARGUMENT...: its summary in err, its status in $status.
merge() {
	what="profrun merge $*"
	status=0
	timeout 60 "$PROFRUN" merge "$@" >out 2>err || status=$?
}
# refuses STATUS PATTERN ARGUMENT...: in one line, and leaves nothing.
refuses() {
	wanted=$1 pattern=$2
	shift 2
	merge -o refused.out "$@"
	ends_with "$wanted"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -q -e "$pattern" err || complain "says: $(cat err)"
	for left in refused.* .profrun.*; do
		[ ! -e "$left" ] || complain "leaves $left"
	done
}

# --- Without lists, gprof -s as judge below 65536 and not above.
list='# gmon.syms 1
# object 1000 9000 0 BUILD-ID /bin/app
0000000000001000 T first
0000000000005000 T second
0000000000009000 T [end]'
for i in 0 1 2; do
	printf 'ticks 1000 40000\nticks 500%s 3\narc 1000 5008 9\n' "$i" |
		"$from_text" 100 8 little >"plain.$i"
done
merge -o plain.out plain.0 plain.1 plain.2
ends_with 0
grep -q 'ticks  *120009,' err || complain "counts: $(cat err)"
[ ! -e plain.syms ] || complain 'makes a list of nothing'
merge -q -o turned.out plain.2 plain.0 plain.1
cmp plain.out turned.out || complain 'the order of files matters'
[ ! -s err ] || complain "-q says: $(cat err)"

# --- With lists.
for i in 0 1 2; do
	cp "plain.$i" "gmon.out.$i"
	echo "$list" | sed s/BUILD-ID/abcd/ >"gmon.out.$i.syms"
done
merge -o all.out gmon.out.0 gmon.out.1 gmon.out.2
ends_with 0
grep -q 'ranks  *3' err || complain "sees no ranks: $(cat err)"
grep -q ' 99\.99  99\.9-100\.0  *40000 rank 0  *40000  *40000 rank 2  *first  *app' err ||
	complain "shows no spread: $(cat err)"
echo "$list" | sed 's/BUILD-ID/abcd/; s/syms 1/syms 2/; s,/bin/app,& 1d4c9,
	1a\
# rate 100' |
	cmp - all.syms ||
	complain 'writes another list'
# A pattern of the shell finds the lists, too.
merge -q -o pattern.out gmon.out*
ends_with 0
cmp pattern.out all.out && cmp pattern.syms all.syms ||
	complain 'lists among the files change the sum'
refuses 1 'no files to add, only lists' gmon.out.*.syms
# Files of different programs: each has its place, with all of its ticks.
echo "$list" | sed 's/BUILD-ID/ef01/; s,/bin/app,/bin/other,' >gmon.out.2.syms
merge -o programs.out gmon.out.0 gmon.out.1 gmon.out.2
ends_with 0
grep -q 'ticks  *120009,' err || complain "counts: $(cat err)"
grep -q ' 66\.66  66\.[0-9]-67\.[0-9]  *0 rank 2 .*  first  *app$' err &&
	grep -q ' 33\.33  3[23]\.[0-9]-33\.[0-9]  *0 rank .* 40000 rank 2  *first  *other$' err ||
	complain "mixes the programs: $(cat err)"
"$PROFRUN" report --csv -s binary programs.out >rows
grep -q '^80006,.*"/bin/app"$' rows && grep -q '^40003,.*"/bin/other"$' rows ||
	complain "mixes the programs: $(cat rows)"
merge -q -o turned.out gmon.out.2 gmon.out.1 gmon.out.0
cmp programs.out turned.out && cmp programs.syms turned.syms ||
	complain 'the order of programs matters'
merge -q -o half.out gmon.out.2 gmon.out.0
merge -q -o turned.out half.out gmon.out.1
cmp programs.out turned.out && cmp programs.syms turned.syms ||
	complain 'a sum of sums is another'
echo "$list" | sed s/BUILD-ID/abcd/ >gmon.out.2.syms

# A list that is there would be taken for one of the files.
refuses 1 'unlike the files before' gmon.out.0 plain.0
cp all.syms kept.syms
merge -o kept.out plain.0
ends_with 125
[ ! -e kept.out ] || complain 'writes a file beside the list of another'

# A gmon.out of something else is no sum of ours to be replaced; anything that is
# no profile was named for it.
cp plain.0 gmon.out
merge -o gmon.out plain.0 plain.1
ends_with 125
[ "$(cat err)" = 'profrun: gmon.out: was written by something else; remove it, or name another file' ] ||
	complain "says: $(cat err)"
cmp gmon.out plain.0 || complain "replaces another's gmon.out"
for was in plain.out words; do
	[ $was = words ] && echo words >gmon.out || cp $was gmon.out
	merge -q -o gmon.out plain.0 plain.1 plain.2
	ends_with 0
	cmp gmon.out plain.out || complain "does not replace $was"
done
rm gmon.out

# What was made read-only is kept, the file and the list (but root may write all).
if [ "$(id -u)" != 0 ]; then
	for file in all.out all.syms; do
		cp $file was
		chmod 444 $file
		merge -o all.out gmon.out.0
		ends_with 125
		[ "$(cat err)" = "profrun: $file: Permission denied" ] ||
			complain "says: $(cat err)"
		cmp was $file || complain "replaces $file, which is read-only"
		chmod 644 $file
	done
fi

# --- What is refused.
printf 'ticks 1000 1\n' | "$from_text" 250 8 little >rate
refuses 1 'rate: rate 250, 100 before' plain.0 rate
for clock in cpu '' wall; do
	echo complete outer 10 |
		"$abs_top_builddir/tests/support/stacked" "told$clock" "$clock" made
	merge -q -o "told$clock.out" "told$clock"
	ends_with 0
done
for end in '' .out; do
	text="toldwall$end: counts wall time, before it was cpu time"
	refuses 1 "$text" "toldcpu$end" "toldwall$end"
	refuses 1 "$text" "toldcpu$end" "told$end" "toldwall$end"
done
printf 'ticks 1000 1\n' | "$from_text" 100 4 big >machine
refuses 1 'machine: .*another machine' plain.0 machine
echo "$list" | sed s/BUILD-ID/ef01/ >gmon.out.2.syms
echo "$list" | sed '$d' >gmon.out.2.syms
refuses 1 'gmon.out.2: .*line ' gmon.out.0 gmon.out.2
: >empty
refuses 1 'empty: ' plain.0 empty
head -c 1500 plain.0 >half
refuses 1 'half: offset ' plain.0 half
refuses 1 'missing: ' plain.0 missing
mkdir directory
refuses 1 'directory: is a directory' directory
mkfifo fifo
refuses 1 'fifo: is no regular file' fifo
refuses 1 '/dev/zero: is no regular file' /dev/zero
if truncate -s 10G sparse 2>/dev/null; then
	refuses 1 'sparse: 10737418240 bytes' sparse
	truncate -s 64M sparse
	refuses 1 'sparse: ' sparse
fi
refuses 125 'no files' -q
refuses 125 'merge: .*--colour' --colour plain.0
merge plain.0
ends_with 125
refuses 125 'merge: .*--colour' plain.0 --colour
for at in 0 5 21 24 33 41 60 300; do
	{
		head -c "$at" plain.0
		printf '\377'
		tail -c +$((at + 2)) plain.0
	} >flipped
	merge -q -o flipped.out flipped
	[ "$status" -le 1 ] || complain "byte $at: status $status"
done

# --- A thousand files.
mkdir many
i=0
while [ $i -lt 1000 ]; do
	cp plain.0 many/gmon.out.$i
	echo "$list" >many/gmon.out.$i.syms
	i=$((i + 1))
done
sed -i s/BUILD-ID/-/ many/*.syms
merge -o many.out many/*[0-9]
ends_with 0
grep -q 'ticks  *40003000,' err || complain "counts: $(cat err)"
grep -q 'ranks  *1000' err || complain "sees: $(cat err)"
[ "$bad" = 0 ] || exit "$bad"

# --- Of large ones each is read into the memory of the one before: 100 more need
# no 100 pages more for each.  (What sanitizers free they keep for a while.)
what='profrun merge of large files'
if [ -z "$SAN_CFLAGS" ] && command -v python3 >/dev/null; then
	python3 - "$PROFRUN" >faults <<'END'
import os, resource, struct, subprocess, sys
n = 500000  # counters of 2 bytes
head = b"gmon" + struct.pack("<I", 1) + bytes(12)
record = struct.pack("<BQQII15sc", 0, 0x1000, 0x1000 + 2 * n, n, 100, b"seconds", b"s")
counters = bytearray(2 * n)
counters[::5000] = bytes([1]) * (2 * n // 5000)
with open("large.0", "wb") as out:
    out.write(head + record + counters)
names = ["large.0"]
for i in range(1, 110):
    names.append("large.%d" % i)
    os.link("large.0", names[-1])
faults = []
for part in names[:10], names:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    subprocess.run([sys.argv[1], "merge", "-q", "-o", "large.out", *part], check=True)
    faults.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before)
print((faults[1] - faults[0]) // 100)
END
	[ "$(cat faults)" -lt 100 ] ||
		complain "a file of 1 MB more needs $(cat faults) pages more"
fi

# --- glibc's own files.
command -v gprof >/dev/null || exit "$bad"
cat >prog.c <<'END'
volatile long count;
__attribute__((noinline)) void work(long n) { while (n--) count += n; }
int main(int argc, char **argv) { (void)argv; work(30000000L * argc); }
END
if ${CC:-cc} -pg -O1 -o prog prog.c 2>/dev/null && ./prog && [ -e gmon.out ]
then
	mv gmon.out one
	./prog more
	mv gmon.out two
	gprof -s prog one two
	merge -o both.out two one
	ends_with 0
	for file in gmon.sum both.out; do
		gprof -b prog $file | sort >$file.text
	done
	cmp gmon.sum.text both.out.text || complain 'is not what gprof adds'
fi

# --- Our own, with gprof as judge of both readings.
${CC:-cc} -O1 -o prog prog.c
profile -o a.out.0 -F 1000 ./prog
profile -o a.out.1 -F 500 ./prog
refuses 1 'rate 500, 1000 before' a.out.0 a.out.1
profile -o a.out.1 -F 1000 ./prog more
merge -o a.sum a.out.0 a.out.1
ends_with 0
gprof -bp prog a.sum >first.text
gprof -bp -S a.sum.syms prog a.sum >second.text
for text in first.text second.text; do
	grep -q ' work' "$text" || complain "gprof shows no work: $(cat $text)"
done

# The example of the manual.
runs_example merge
grep -Eq ' (da|ba)?sh$' out || complain "the sum has no sh: $(cat out)"
exit "$bad"
