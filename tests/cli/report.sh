#!/bin/sh
# report: the newest profile, its header, which lines are shown, what there is
# nothing of, and gmon.outs of others with the names of their programs.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# report WORDS...: to out; what it complains of to err.
report() {
	what="profrun report $*"
	status=0
	"$PROFRUN" report "$@" >out 2>err || status=$?
}
# says_only TEXT: it fails with 1 and says that.
says_only() {
	ends_with 1
	[ ! -s out ] || complain "prints: $(cat out)"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -qF -e "$1" err || complain "says: $(cat err)"
}
has() { grep -Eq -e "$1" out || complain "no '$1': $(cat out err)"; }

report
says_only 'no profile here'

# --- The newest

# Of one run the trace, and whatever -o has called it.
profile -g -f gmon,pcsample,pprof "$workloads/shares" 0.1
ends_with 0
for option in '-s process' -t --tree '--time 0-100'; do
	# shellcheck disable=SC2086
	report $option
	ends_with 0
	has '^  file      profrun.trace, the newest profile here$'
done
profile -o prof.out "$workloads/shares" 0.1
report
has '^  file      prof.out, the newest profile here$'
profile -g -o own "$workloads/shares" 0.1
report --tree
has '^  file      own.pb.gz, the newest profile here$'
rm -f gmon.* profrun.* prof.* own*

profile -f gmon,pcsample -o x.trace -F 1000 "$workloads/shares" 0.3
ends_with 0
mv x.trace gmon.out
mv x.trace.syms gmon.syms
mv x.trace.trace profrun.trace
touch -d '2020-01-01 00:00:00' gmon.out
report
ends_with 0
has '^  file      profrun.trace, the newest profile here$'
has '^  command   .*shares 0.3$'
has '^  recorded  20[0-9-]* [0-9:]* on '
has '^  samples   [0-9]+ \([0-9.]+ per CPU second\), [0-9]+ late, [0-9]+ lost$'
has '^  coverage  [0-9.]+ % of the CPU time$'
has ' four  *shares$'
cp out whole
touch -d '2019-01-01 00:00:00' profrun.trace
report
has '^  file      gmon.out, the newest profile here$'
has '^  command   .*/shares 0.3$'
has '^  program   .*/shares$'
grep '^  recorded' whole >recorded
grep -qF "$(grep '^  recorded' out)" recorded ||
	complain "tells another time than the trace: $(cat out)"
has '^  ticks     [0-9]+ at 1000 Hz of CPU time$'
grep '^# ' gmon.syms >lines
for line in 'command [^ ]*/shares%200[.]3' 'begun 20[0-9T:-]*Z' 'rate 1000' 'clock cpu'; do
	grep -q "^# $line\$" lines || complain "no '$line': $(cat lines)"
done
# A list that does not tell, as older ones; and what another program may say.
cp gmon.syms told.syms
grep -v '^# [bc]' told.syms >gmon.syms
report
has '^  written   2020-01-01 00:00:00$'
has '^  ticks     [0-9]+ at 1000 Hz$'
grep -q command out && complain "knows a command: $(cat out)"
sed 's/^# command .*/# command evil%1b[31m%0aliar/' told.syms >gmon.syms
report
has '^  command   evil[^[:cntrl:]]*liar$'
if command -v gprof >flat 2>&1; then
	gprof -b -p -S gmon.syms "$workloads/shares" gmon.out >flat 2>err ||
		complain "gprof fails: $(cat err)"
	grep -q ' four$' flat || complain "gprof sees: $(cat flat)"
fi
cp gmon.syms evil.syms
# Of two runs what they agree in.
cp gmon.out one.out
cp told.syms one.syms
cp gmon.out two.out
sed 's/^# begun .*/# begun 2001-02-03T04:05:06Z/' told.syms >two.syms
"$PROFRUN" merge -q -o both.out one.out two.out
report both.out
has '^  command   .*/shares 0.3$'
has '^  written   '
has ' Hz of CPU time$'
cp evil.syms two.syms
"$PROFRUN" merge -q -o both.out one.out two.out
report both.out
has '^  recorded  20'
grep -q command out && complain "knows a command: $(cat out)"
rm -f one.* two.* both.* evil.syms
mv told.syms gmon.syms
touch -d '2020-01-01 00:00:00' gmon.out
report --csv
grep -q '^profrun: report of gmon.out, the newest' err || complain "says: $(cat err)"
report --json
ends_with 0
[ ! -s err ] || complain "says: $(cat err)"
has '"file":"gmon.out"'
has '"name":"four","binary":"shares"'
is_valid report
report gmon.out
has '^  file      gmon.out$'

# --- Which lines

report -n 1 profrun.trace
[ "$(grep -c ' shares$' out)" = 1 ] || complain "prints: $(cat out)"
has ' in [0-9]+ more lines?$'
# What does not match is none of these.
csv_ticks() {
	"$PROFRUN" report --csv "$@" profrun.trace |
		awk -F, 'NR > 1 { n += $1 } END { print n }'
}
report --focus shares -n 1 profrun.trace
awk -v ticks="$(csv_ticks)" -v all="$(csv_ticks --focus shares)" '
	/ shares$/ { shown = $1 }
	/ in [0-9]+ more lines?$/ { rest = $1 }
	END {
		gap = shown + rest - 100 * all / ticks
		exit !(rest > 0 && gap < 0.02 && gap > -0.02)
	}' out || complain "does not add up: $(cat out)"
report --csv -n 1 profrun.trace
[ "$(wc -l <out)" = 2 ] || complain "prints: $(cat out)"
report --focus '^(two|three)$' profrun.trace
[ "$(grep -c ' shares$' out)" = 2 ] || complain "prints: $(cat out)"
# The shares are still those of the whole.
shares_of() { awk '/ (two|three)  *shares$/ { print $1, $(NF - 1) }' "$1"; }
[ "$(shares_of out)" = "$(shares_of whole)" ] ||
	complain "not as before: $(cat out whole)"
report --ignore shares profrun.trace
grep -q ' shares$' out && complain "prints: $(cat out)"
report --focus nosuch profrun.trace
says_only 'no function is left'
report --focus 'a(' profrun.trace
[ "$status" = 125 ] || complain "status $status"
report -n 0 profrun.trace
[ "$status" = 125 ] || complain "status $status"

# Of single samples, too; without a file of the newest trace.
what='profrun export --focus'
listed() { "$PROFRUN" export -q -f text "$@" | wc -l; }
[ "$(listed --focus '^(two|three)$')" = "$("$PROFRUN" export -f text \
	profrun.trace | grep -Ec ' (two|three)\+')" ] || complain 'lists others'
[ "$(listed --focus two)" -gt 0 ] || complain 'lists none'
status=0
"$PROFRUN" export -q -f text --ignore . -o none profrun.trace 2>err || status=$?
ends_with 1
grep -q 'no sample is left by --focus and --ignore; there are [1-9]' err ||
	complain "$(cat err)"
[ ! -e none ] || complain 'writes a list of none'
"$PROFRUN" export -f text --focus two 2>err >out
grep -qx 'profrun: export of profrun.trace, the newest trace here' err ||
	complain "says: $(cat err)"
"$PROFRUN" export --focus two profrun.trace 2>/dev/null && complain 'filters a gmon.out'

# --- What there is nothing of

report --pid 4194305 profrun.trace
says_only 'no samples of process 4194305; the trace has '
report --tid 4194305 --time 0-1 profrun.trace
says_only 'no samples of thread 4194305 in that time; the trace has '
report --pid 1 gmon.out
says_only 'a gmon.out has no samples of a process to choose, a trace has'
report -S nosuch profrun.trace
says_only 'a trace has names of its own; leave out -S nosuch'
report "$workloads/shares" profrun.trace
says_only 'a trace has names of its own; leave out '"$workloads/shares"
"$PROFRUN" export -q -f pprof -o shares.pb.gz profrun.trace
report "$workloads/shares" shares.pb.gz
says_only 'a pprof file has names of its own; leave out '"$workloads/shares"
for words in 'export -f json' 'export -f flame' 'annotate four'; do
	what="profrun $words --pid 1"
	status=0
	# shellcheck disable=SC2086
	"$PROFRUN" $words --pid 1 gmon.out >out 2>err || status=$?
	ends_with 1
	grep -q 'gmon.out: a gmon.out has no samples of a process' err ||
		complain "says: $(cat err)"
	[ ! -s out ] && [ ! -e profrun.html ] || complain 'writes something'
done
report one two
says_only 'one: is no program'

# --- The gmon.out of a program that was compiled with -pg

command -v gprof >/dev/null && command -v nm >/dev/null || exit "$bad"
cat >busy.c <<'END'
volatile unsigned long turns;
#define BUSY(name, n) \
	__attribute__((noinline, noclone)) void name(void) \
	{ for (unsigned long i = 0; i < n; i++) turns += i; }
BUSY(most, 200000000)
BUSY(some, 50000000)
__attribute__((noinline, noclone)) void quick(void) { turns++; }
int main(void) { for (int i = 0; i < 1234; i++) quick(); most(); some(); return 0; }
END
${CC:-cc} -O1 -pg -o busy busy.c 2>/dev/null && rm gmon.out gmon.syms && ./busy &&
	[ -s gmon.out ] || exit "$bad"
# "ticks name", by gprof and by report.
gprof -b -p ./busy gmon.out | awk '
	$NF ~ /^(most|some)$/ { printf "%.0f %s\n", $3 * 100, $NF }' | sort >true
table() { awk -F, '/most|some/ { gsub(/"/, "", $6); print $1, $6 }' out | sort; }
is_true() {
	ends_with 0
	table >found
	cmp -s found true || complain "$(cat found), and gprof $(cat true)"
}
[ -s true ] || complain 'gprof reads nothing'
report --csv gmon.out
says_only 'give its program: profrun report PROGRAM gmon.out'
report --csv ./busy gmon.out
is_true
# Calls, as gprof has them.
gprof -b -p ./busy gmon.out | awk '
	$NF ~ /^(most|some|quick)$/ { print $4, $NF }' | sort >called
awk -F, '/"(most|some|quick)"/ { gsub(/"/, "", $6); print $NF, $6 }' out | sort >found
grep -q '^1234 quick$' called && ! cmp found called &&
	complain "calls are $(cat found), and to gprof $(cat called)"
report ./busy gmon.out
has ' self s  calls  function '
has '  [0-9.]+   1234  quick  *busy$'
[ "$(awk 'length > 80' out | wc -l)" = 0 ] || complain "is too wide: $(cat out)"
report -s binary ./busy gmon.out
grep -q calls out && complain "binaries have calls: $(cat out)"
report --csv ./busy
is_true
nm busy >names
report --csv -S names gmon.out
is_true
nm -S --defined-only busy >names
report --csv -S names gmon.out
is_true
mv gmon.out renamed
report --csv ./busy renamed
is_true
report ./busy
says_only 'there is no gmon.out here'
echo nonsense >names
report -S names renamed
says_only 'names: line 1'

# --- Ours with another name: the list of the directory, or the program.

profile -q "$workloads/shares" 0.2
report --csv gmon.out
ends_with 0
cp out true
mv gmon.out renamed
report --csv renamed
cmp -s out true || complain "$(cat out), not $(cat true)"

# --- Its program named, too: itself, a twin, or another.

mv renamed gmon.out
report --csv "$workloads/shares" gmon.out
cmp -s out true || complain "$(cat out err), not $(cat true)"
report /bin/sh
says_only '/bin/sh: is none of the binaries that gmon.syms names'
if command -v strip >/dev/null && strip -o stripped "$workloads/shares"; then
	profile -q ./stripped 0.2
	report gmon.out
	grep -q ' four ' out && complain 'knows names that were stripped'
	if readelf -n stripped 2>/dev/null | grep -q 'Build ID'; then
		report "$workloads/shares" gmon.out
		has ' four  *shares$'
		has '^  names     .*/shares$'
	fi
	profile -q "$workloads/shares" 0.2
fi
mv gmon.out renamed
rm gmon.syms
report renamed
says_only 'give its program'
report --csv "$workloads/shares" renamed
grep -q '"four","shares"' out || complain "$(cat out err)"
exit "$bad"
