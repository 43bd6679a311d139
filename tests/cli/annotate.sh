#!/bin/sh
# annotate: the source and the instructions of a function with their shares, of a
# program whose hot lines are known; and what it says where there is nothing.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
# An object tells in which directory it was compiled, which is this one.
export CCACHE_DISABLE=1

mkdir made
cat >made/hot.c <<'EOF'
#include <time.h>
static volatile unsigned sink;
unsigned spin(unsigned n);
unsigned __attribute__((noinline)) spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i; /* line 7 */
	return sink;
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC * 3 / 10)
		spin(3000000);
	return 0;
}
EOF
# shellcheck disable=SC2086 # CC may have words
(cd made && ${CC:-cc} -g -O1 -Wl,--build-id -o ../hot hot.c) || {
	echo 'no compiler'
	exit 77
}
# The file is older than the program.
touch -d '2001-01-01' made/hot.c
profile -q -f gmon,pcsample -o run ./hot
ends_with 0

# annotated ARG...: the annotation in out, with a status of 0 and nothing said
annotated() {
	what="profrun annotate $*"
	status=0
	"$PROFRUN" annotate "$@" >out 2>err || status=$?
	ends_with 0
	[ ! -s err ] || complain "said: $(cat err)"
}
# share_of_line LINE: its share in out, as an integer
share_of_line() {
	awk -v line="$1" '$2 == ".." || $3 == ".." {
			if ($5 == line) sum += $1
		}
		END { print int(sum) }' out
}
has() {
	grep -Eq "$1" out || complain "no $1: $(cat out)"
}
has_not() {
	! grep -Eq "$1" out || complain "has $1: $(cat out)"
}

for file in run run.trace; do
	annotated spin "$file"
	has '  function  spin in hot, [0-9.]+ % of the ticks'
	has "  $work/made/hot.c\$"
	share=$(($(share_of_line 6) + $(share_of_line 7)))
	[ "$share" -ge 60 ] || complain "$share % in the loop: $(cat out)"
	has ' 7  .* line 7 '
	has '[0-9]  +[0-9a-f]+:  +[a-z]'
	has '^Skid: '
	# Instructions of a line have its ticks, all together.
	awk '$3 == ".." && $5 ~ /^[0-9]+$/ { lines += $1 }
		$3 == ".." && $5 ~ /^[0-9a-f]+:$/ { code += $1 }
		END { exit !(lines > 0 && lines - code < 0.5 &&
			code - lines < 0.5) }' out ||
		complain "instructions are not their lines: $(cat out)"
	annotated hot.c "$file"
	share=$(($(share_of_line 6) + $(share_of_line 7)))
	[ "$share" -ge 60 ] || complain "$share % in the loop: $(cat out)"
	has '[0-9]  +[0-9a-f]+:  +[a-z]'
done

# Which trigger took the samples is told by the trace, and by nothing else.
annotated spin run
has_not '^  trigger '
annotated --json spin run
has '"triggers":null'
annotated spin run.trace
has '^  trigger   (ring|timer|interrupt) 100 % of the ticks$'
profile -q -f pcsample --trigger=interrupt --clock=wall -o asked.trace ./hot
annotated spin asked.trace
has '^  trigger   interrupt [0-9.]+ %(, none [0-9.]+ %)? of the ticks$'
annotated --json spin asked.trace
is_valid annotate
has '"triggers":\[\{"name":"interrupt","ticks":[0-9]+\}'
# A trace that was cut has what was asked for.
head -c "$(($(wc -c <asked.trace) / 2))" asked.trace >cut.trace
what='profrun annotate of a trace that was cut'
"$PROFRUN" annotate spin cut.trace >out 2>err || complain "$(cat err)"
has '^  trigger   interrupt$'

# By the whole path, too, though the compiler was told another.
annotated "$work/made/hot.c" run
has "  $work/made/hot.c\$"
annotated ./hot.c run.trace
has "  $work/made/hot.c\$"

# For programs: lines and instructions have the same ticks.
for file in run run.trace; do
	annotated --csv spin "$file"
	[ "$(sed -n 1p out)" = kind,ticks,percent,low,high,seconds,file,line,vaddr,instruction,newer,binary ] ||
		complain "heading: $(sed -n 1p out)"
	awk -F, '$1 == "line" { lines += $2 } $1 == "instruction" { code += $2 }
		$1 == "line" && $7 ~ /\/hot[.]c"$/ && ($8 == 6 || $8 == 7) { loop += $3 }
		END { exit !(lines > 0 && lines == code && loop >= 60) }' out ||
		complain "prints: $(cat out)"
	annotated --json spin "$file"
	is_valid annotate
	has '"function":"spin"'
	annotated --json --all --no-source spin "$file"
	is_valid annotate
	has '"lines":\[\]'
	has '"text":"ret'
	annotated --json hot.c "$file"
	is_valid annotate
	has '"vaddr":"0x[0-9a-f]*",.*"binary":"/.*/hot",.*"line":[67],'
	annotated --csv hot.c "$file"
	awk -F, '$1 == "line" { lines += $2 } $1 == "instruction" { code += $2 }
		END { exit !(lines > 0 && lines == code) }' out ||
		complain "prints: $(cat out)"
done

# A tab leads to the same column behind characters of two bytes, or of two columns.
mkdir tabs
awk 'NR == 3 { $0 = "\303\266\t|" }
	NR == 5 { $0 = "\344\270\255\t|" }
	NR == 9 { $0 = "e\t|" }
	{ print }' made/hot.c >tabs/hot.c
touch -d '2001-01-01' tabs/hot.c
printf ' 3  \303\266       |\n 5  \344\270\255      |\n 9  e       |\n' >rows
what='profrun annotate, with tabs'
LC_ALL=C.UTF-8 "$PROFRUN" annotate --all --source=tabs spin run >out 2>err ||
	complain "$(cat err)"
while IFS= read -r row; do
	grep -qF -- "$row" out || complain "no '$row': $(cat out)"
done <rows

# All of it, and instructions alone.
annotated --all spin run
has ' 8  .*return sink'
has '^ +[0-9a-f]+:  +ret'
annotated --no-source --all spin run
has_not 'line 7'
has '^ +[0-9a-f]+:  +ret'

# The source is elsewhere, or changed.
mv made elsewhere
annotated spin run
has "  $work/made/hot\.c  \(not found\)\$"
[ "$(grep -c -e --source= out)" = 1 ] || complain "says: $(cat out)"
what='profrun annotate on a narrow terminal'
if command -v script >/dev/null; then
	deep=$work/a/rather/long/path/to/the/directory/of/the/source/of/it
	mkdir -p "$deep"
	cp elsewhere/hot.c "$deep"
	SHELL=/bin/sh script -q -e \
		-c "stty cols 80; '$PROFRUN' annotate --source='$deep' spin run" \
		>/dev/null </dev/null
	grep -q '^  \.\.\./.*/of/it/hot\.c' typescript ||
		complain "$(cat typescript)"
fi
annotated --source=elsewhere spin run
has '  elsewhere/hot\.c$'
has ' line 7 '
touch -d '+1 hour' elsewhere/hot.c
for wanted in spin hot.c; do
	annotated --source=elsewhere "$wanted" run
	has '  elsewhere/hot\.c  \(newer than the program'
	annotated --source=elsewhere --csv "$wanted" run
	has '^line,.*/hot\.c",[0-9]+,,,1,$'
	annotated --source=elsewhere --json "$wanted" run
	is_valid annotate
	has '^"newer":\["/.*/hot\.c"\]'
	annotated --csv "$wanted" run
	has '^line,.*/hot\.c",[0-9]+,,,0,$'
done

# Without debug information there are instructions.
cp hot whole
strip -g hot
annotated spin run
has_not 'hot\.c'
has '  instruction$'
has '[0-9]  +[0-9a-f]+:  +[a-z]'

# fails TEXT ARG...: one line, and a status of 1
fails() {
	text=$1
	shift
	what="profrun annotate $*"
	status=0
	"$PROFRUN" annotate "$@" >out 2>err || status=$?
	ends_with 1
	grep -Eqx "profrun: $text" err || complain "says: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || complain "says more: $(cat err)"
	[ ! -s out ] || complain "prints: $(cat out)"
}

# A file is meant where a function is called alike; part of a name will do, else.
sed 's/^unsigned spin(unsigned n);$/unsigned spin(unsigned n) __asm__("alike.cold.1");/' \
	elsewhere/hot.c >elsewhere/alike.c
# shellcheck disable=SC2086 # CC may have words
(cd elsewhere && ${CC:-cc} -g -O1 -Wl,--build-id -o ../alike alike.c)
profile -q -f pcsample -o alike.trace ./alike
what='profrun annotate alike.c'
"$PROFRUN" annotate alike.c alike.trace >out 2>err || complain "$(cat err)"
! grep -q '^  function ' out || complain "takes a function: $(cat out)"
has ' line 7 '
"$PROFRUN" annotate alike.cold alike.trace >out 2>err || complain "$(cat err)"
has '^  function  alike.cold.1 in alike,'
fails 'nobody: no function or source file of that name has ticks' nobody run
# A file of another tool that tells of inlined calls has names alone.
cat >elsewhere/inlined.c <<'EOF'
#include <time.h>
static volatile unsigned sink;
static inline __attribute__((always_inline)) void turn(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}
void __attribute__((noinline)) around(unsigned n)
{
	turn(n);
	turn(n + 1);
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC * 3 / 10)
		around(3000000);
	return 0;
}
EOF
# shellcheck disable=SC2086 # CC may have words
(cd elsewhere && ${CC:-cc} -g -O1 -Wl,--build-id -o ../inlined inlined.c)
profile -q -g -f pprof -o inlined.pb.gz ./inlined
gunzip -c inlined.pb.gz | LC_ALL=C sed 's/profrun /another /' >another.pb
for option in --all --csv --json; do
	fails 'inlined: its functions are known by their names alone, not where in them ticks fell' \
		$option turn another.pb
done
# An inlined function is annotated where it is inlined, with all that is made of it.
profile -q -f gmon,pcsample -o inlined.out ./inlined
for file in inlined.out inlined.out.trace; do
	"$PROFRUN" report --inlines --csv $file >inlines.csv
	ticks=$(awk -F, '$6 == "\"turn\"" { n += $1 } END { print n + 0 }' inlines.csv)
	for name in turn 'turn (inlined)'; do
		annotated "$name" $file
		has '  function  turn \(inlined\) in inlined, [0-9.]+ % of the ticks'
		has '  into      around, [0-9.]+ %$'
		has '  sink \+= i;$'
		has '[0-9]  +[0-9a-f]+:  +[a-z]'
		annotated --csv "$name" $file
		awk -F, -v ticks="$ticks" '$1 == "line" { lines += $2 }
			$1 == "instruction" { code += $2 }
			END { exit !(ticks > 0 && lines == ticks && code == ticks) }' out ||
			complain "has not $ticks ticks: $(cat out)"
	done
	annotated --json turn $file
	is_valid annotate
	has '"function":"turn",$'
	has '"inlined_into":\[\{"function":"around",'
	# Not all of what it is inlined into.
	annotated --csv --all turn $file
	inlined=$(grep -c '^instruction' out)
	annotated --csv --all around $file
	[ "$inlined" -lt "$(grep -c '^instruction' out)" ] ||
		complain "has all of around: $(cat out)"
done
fails 'around: no function or source file of that name has ticks' \
	'around (inlined)' inlined.out.trace
# Instructions of a file are in all programs that it is a part of.
# shellcheck disable=SC2086 # CC may have words
(cd elsewhere && ${CC:-cc} -g -O2 -Wl,--build-id -o ../other inlined.c)
profile -q -f pcsample -o both.trace sh -c './inlined; ./other'
annotated --csv inlined.c both.trace
awk -F, '$1 == "line" { lines += $2 }
	$1 == "instruction" { code += $2; ticks[$NF] += $2 }
	END { for (name in ticks)
			n += name ~ /\/(inlined|other)"$/ && ticks[name]
		exit !(lines > 0 && lines == code && n == 2) }' out ||
	complain "has not both programs: $(cat out)"
# Of a source file there are no instructions alone.
for option in --no-source '--no-source --csv' '--no-source --json'; do
	# shellcheck disable=SC2086 # two words are two
	fails 'inlined.c: is a source file; --no-source is of functions alone' \
		$option inlined.c inlined.out
done
# A function of the program, not the system call that has its name and more ticks.
cat >called.c <<'EOF'
#include <fcntl.h>
#include <time.h>
extern long pread(int fd, void *buffer, unsigned long n, long offset);
static char buffer[1 << 20];
static volatile unsigned sink;
static __attribute__((noinline)) void pread64(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i; /* of the program */
}
int main(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	while (clock() < CLOCKS_PER_SEC) {
		pread64(1500000);
		for (int i = 0; i < 60; i++)
			pread(fd, buffer, sizeof buffer, 0);
	}
	return 0;
}
EOF
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -o called called.c
profile -q -f gmon,pcsample -o called.out ./called
for file in called.out called.out.trace; do
	annotated pread64 $file
	has '  function  pread64 in called, '
	has ' of the program '
done
# Static functions of one name are one: both are shown.
cat >static.c <<'EOF'
static volatile unsigned sink;
static __attribute__((noinline)) void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i; /* of NAME */
}
void NAME(unsigned n)
{
	work(n);
	sink++;
}
EOF
cat >statics.c <<'EOF'
#include <time.h>
void one(unsigned n), two(unsigned n);
int main(void)
{
	while (clock() < CLOCKS_PER_SEC * 3 / 10) {
		one(3000000);
		two(3000000);
	}
	return 0;
}
EOF
for name in one two; do
	sed "s/NAME/$name/" static.c >static_$name.c
done
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -o statics statics.c static_one.c static_two.c
profile -q -f pcsample -o statics.trace ./statics
annotated work statics.trace
has ' of one '
has ' of two '
# Files of one relative path below two directories are two.
for half in one two; do
	mkdir -p "$half/src"
	cat >"$half/src/util.c" <<EOF
static volatile unsigned sink;
void $half(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i; /* of $half */
}
EOF
	(cd $half && ${CC:-cc} -g -O1 -c -o ../$half.o src/util.c)
done
cat >halves.c <<'EOF'
#include <time.h>
void one(unsigned n), two(unsigned n);
int main(void)
{
	while (clock() < CLOCKS_PER_SEC * 3 / 10) {
		one(3000000);
		two(3000000);
	}
	return 0;
}
EOF
${CC:-cc} -O1 -o halves halves.c one.o two.o
profile -q -f pcsample -o halves.trace ./halves
# ticks_in FILE: those that out has in its lines.
ticks_in() {
	awk -F, -v file="\"$1\"" -v kind="${2-line}" \
		'$1 == kind && $7 == file { n += $2 } END { print n + 0 }' out
}
annotated src/util.c halves.trace
has ' of one '
has ' of two '
annotated --csv src/util.c halves.trace
for half in one two; do
	eval "$half=$(ticks_in "$work/$half/src/util.c")"
	eval "[ \$$half -gt 0 ]" || complain "has nothing of $half: $(cat out)"
	eval "wanted=\$$half"
	[ "$(ticks_in "$work/$half/src/util.c" instruction)" = "$wanted" ] ||
		complain "has not $wanted ticks of instructions of $half: $(cat out)"
done
# shellcheck disable=SC2154
all=$((one + two))
[ "$(awk -F, '$1 == "line" { n += $2 } END { print n + 0 }' out)" = "$all" ] ||
	complain "has ticks elsewhere: $(cat out)"
annotated --csv one/src/util.c halves.trace
[ "$(ticks_in "$work/one/src/util.c")" = "$one" ] ||
	complain "has not $one ticks of one: $(cat out)"
[ "$(ticks_in "$work/two/src/util.c")" = 0 ] ||
	complain "has ticks of two: $(cat out)"

# A trace of a program that is another by now has no names of it: that is said.
# shellcheck disable=SC2086 # CC may have words
(cd elsewhere && ${CC:-cc} -g -O0 -Wl,--build-id -o ../hot hot.c)
what='profrun annotate of another program'
status=0
"$PROFRUN" annotate spin run.trace >out 2>err || status=$?
ends_with 1
grep -q 'hot: is not the file that was recorded' err || complain "says: $(cat err)"
grep -Eq 'spin: is not among the names .* in hot, which has [0-9]+ % ' err ||
	complain "says: $(cat err)"
[ "$(wc -l <err)" = 2 ] || complain "says more: $(cat err)"

rm hot
: >hot
fails '.*/hot: is another file by now; its instructions are not known' \
	spin run
# (The calls are long, so that no tick falls in the read of libc.)
profile -q -f pcsample -o calls.trace \
	dd if=/dev/zero of=null bs=4M count=500 iflag=fullblock
if "$PROFRUN" report --csv calls.trace 2>/dev/null |
	grep -q '"read","\[kernel\]"'; then
	fails 'read: is in \[kernel\], whose instructions are in no file' \
		read calls.trace
fi
what='profrun annotate'
status=0
"$PROFRUN" annotate >out 2>err || status=$?
ends_with 125
grep -q 'Give a function or a source file' err || complain "says: $(cat err)"

# The example of the manual.
mv whole hot
# (There the loop is in main.)
sed 's/^unsigned __attribute__((noinline))/inline &/; s/noinline/always_inline/' \
	elsewhere/hot.c >program.c
runs_example annotate
has ' line 7 '
exit "$bad"
