#!/bin/sh
# diff: what has changed between profiles, on traces that are made and on real
# ones; what it refuses, and how it ends.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# compare WORDS...: to out; what it complains of to err.
compare() {
	what="profrun diff $*"
	status=0
	"$PROFRUN" diff "$@" >out 2>err || status=$?
}
# says STATUS TEXT: it fails with one line.
says() {
	ends_with "$1"
	[ ! -s out ] || complain "prints: $(cat out)"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -qF -e "$2" err || complain "says: $(cat err)"
}
has() { grep -Eq -e "$1" out || complain "no '$1': $(cat out err)"; }
lacks() { ! grep -Eq -e "$1" out || complain "has '$1': $(cat out)"; }

# lines N LINE
lines() { awk -v n="$1" -v line="$2" 'BEGIN { while (n-- > 0) print line }'; }
# made FILE OUTER BETA GAMMA [FIRST]: a trace of so many samples; outer calls
# alpha, which calls beta.
made() {
	{
		lines "$2" 'complete outer 1'
		lines "$3" 'complete outer alpha beta 1'
		lines "$4" 'complete gamma_ray 1'
		lines "${5-0}" 'complete space::first 1'
	} >list
	"$abs_top_builddir/tests/support/stacked" "$1" <list
}
made old 900 300 300
made same 880 310 310
made slower 900 600 300
made other 900 0 300 200

# --- A table

compare old slower
ends_with 0
has '^  old       old: 1500 samples at 100 Hz, 15[.]0 s$'
has '^  new       slower: 1800 samples at 100 Hz, 18[.]0 s$'
has '^  The whole run took 20 % longer \(18[.]0 s instead of 15[.]0 s of CPU time\)[.]$'
has '^\*  20[.]00  33[.]33  [+]13[.]33  .* [+]3[.]000  beta  *stacked$'
has '^  3 functions compared, of which 3 had samples enough'
lacks '^\*.* (outer|gamma_ray) '
compare old other
has '^\*  20[.]00   gone  -20[.]00 .* beta '
has '^\*    new  14[.]29  [+]14[.]29 .* space::first '
compare --full-names old other
has ' void space::first<int>\(char\) '
# A file that is no trace tells what was run, too.
"$PROFRUN" export -q -f pprof -o old.pb.gz old
"$PROFRUN" export -q -o other.gmon other
compare old.pb.gz other.gmon
[ "$(grep -c '^ *stacked up$' out)" = 2 ] || complain "prints: $(cat out)"
compare old same
ends_with 0
lacks '^[*~]'
has ': 0 have$|: 0 have changed[.]$'

# --- With what they call

compare --children --csv old slower
ends_with 0
has '^slower,20,33.3333,.*,"alpha","stacked"$'
has '^slower,20,33.3333,.*,"beta","stacked"$'
has '^[a-z]*,80,83.3333,.*,"outer","stacked"$'

# --- Which lines

compare -n 1 old slower
has '^  and 2 more lines$'
compare --focus=gamma old slower
lacks ' beta '
has ' gamma_ray '
compare --ignore='beta|outer' --csv old slower
[ "$(wc -l <out)" = 2 ] || complain "prints: $(cat out)"
compare --focus=nobody old slower
says 2 'no function is left by --focus and --ignore'
for key in line binary program process thread; do
	compare -s $key old slower
	ends_with 0
	has "seconds  $key"
done

# --- The status

compare --exit-code old slower
ends_with 1
compare --exit-code --threshold=13 old slower
ends_with 1
compare --exit-code --threshold=14 old slower
ends_with 0
compare --exit-code --focus=gamma old slower
ends_with 0
compare --exit-code slower old
ends_with 0
compare --exit-code old same
ends_with 0

# --- Several runs

made old2 930 280 300
made old3 880 310 290
made slower2 890 620 310
made slower3 910 590 280
compare --old old old2 old3 --new slower slower2 slower3
ends_with 0
has '^\*.* beta '
has ' s of CPU time a run\)[.]$'
[ "$(grep -c 'samples at' out)" = 6 ] || complain "prints: $(cat out)"
compare --new slower slower2 --old old --old old2 --csv
ends_with 0
has '^slower,.*"beta"'
compare --old old old2 --new old3 same
lacks '^[*~]'

# --- For programs

compare --json old slower
ends_with 0
is_valid diff
has '^"more":0\}$'
compare --json -n 1 old slower
is_valid diff
has '^"more":2\}$'
compare --json -s binary --children old slower
[ "$status" = 125 ] || complain "--children of binaries: status $status"
compare --json -s binary --old old old2 --new other
is_valid diff

# --- What it refuses

compare
says 125 'give two profiles: profrun diff OLD NEW'
compare old
says 125 'give two profiles'
compare old same other
says 125 'more than two files; say which are which'
compare old --new same
says 125 'a file stands before --old and --new'
compare --new same
says 125 'give two profiles'
compare --threshold=2 old same
says 125 '--threshold is for --exit-code'
compare --exit-code --threshold=x old same
says 125 'give a number, 0 to 100'
compare -s color old same
says 125 '-s color: unknown'
compare old nowhere
says 2 'nowhere: No such file'
echo 'no profile' >text
compare old text
says 2 'text: '
compare --pid=1 old same
says 2 'old: no samples of process 1; the trace has '

# --- Real runs: a gmon.out with its list and a pprof file beside a trace

profile -q -f gmon,pcsample,pprof -o run -F 1000 "$workloads/shares" 1
ends_with 0
cp run.trace again.trace
compare run.trace again.trace
ends_with 0
lacks '^[*~]'
has '  four  *shares$'
for file in run run.pb.gz; do
	[ -s "$file" ] || continue
	compare run.trace "$file"
	ends_with 0
	lacks '^[*~]'
	has '^  The whole run took '
	compare -s process run.trace "$file"
	says 2 'does not tell of a process'
done
compare -s program run.trace run
says 2 'run: a gmon.out does not tell of a program'
# A pprof file has labels.
for key in program thread; do
	[ -s run.pb.gz ] || continue
	compare -s $key run.trace run.pb.gz
	ends_with 0
	has '^  100[.]00 100[.]00 .* shares$'
done
compare --children run.trace run
says 2 'has no stacks; record them with profrun -g'
profile -q -w -f pcsample,pprof -o wall -F 100 "$workloads/shares" 0.2
ends_with 0
compare run.trace wall.trace
says 2 'counts wall time, and run.trace cpu time: they do not compare'
[ ! -s wall.pb.gz ] || {
	compare run.trace wall.pb.gz
	says 2 'they do not compare'
}
compare wall.trace wall.trace
has 'of wall time\)[.]$'

# --- The examples of the manual

printf '#!/bin/sh\nexec %s 0.3 >/dev/null\n' "$workloads/shares" >program
chmod +x program
# Of equal runs --exit-code seldom says that one is slower, and not never.
runs_example diff 1
has '^  The whole run '
[ -s profrun-diff.html ] || complain 'its example writes no page'
exit "$bad"
