#!/bin/sh
# What is recorded as a trace becomes the files that the run has written, byte
# for byte; what is no trace is one line and exit status 1.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# same_files DIRECTORY: the gmon files of the run and of the export are equal
same_files() {
	mkdir -p "$1"
	mv gmon.* "$1"
	"$PROFRUN" export -q profrun.trace 2>export.err ||
		complain "export: $(cat export.err)"
	[ "$(echo gmon.*)" = "$(cd "$1" && echo gmon.*)" ] ||
		complain "exports $(echo gmon.*), not $(cd "$1" && echo gmon.*)"
	for file in "$1"/gmon.*; do
		cmp -s "$file" "${file##*/}" || complain "${file##*/} differs"
	done
}

profile -f gmon,pcsample "$workloads/shares" 0.5
ends_with 0
same_files alone
[ "$("$PROFRUN" export -f text profrun.trace |
	awk '$5 == "user" && $6 ~ /^(one|two|three|four)\+0x/ { n++ } END { print n + 0 }')" -gt 5 ] ||
	complain "text: $("$PROFRUN" export -f text profrun.trace | head -3)"

profile -f gmon,pcsample,raw sh -c 'i=0
	while [ $i -lt 300000 ]; do i=$((i + 1)); done
	"$0" 0.3 & "$0" 0.3 & wait; exec "$0" 0.2' "$workloads/shares"
ends_with 0
same_files children

mkdir again
(cd again && "$PROFRUN" export -q -f raw ../profrun.trace)
cmp pcsamples.raw again/pcsamples.raw || complain 'raw samples differ'
cmp pcsamples.raw.maps again/pcsamples.raw.maps || complain 'raw maps differ'
[ "$(wc -c <pcsamples.raw)" -ge 80 ] || complain 'hardly any raw samples'

# All is in the figures, and in the table.
figure() {
	"$PROFRUN" export -f samples profrun.trace |
		sed -n 's/^.*{"name":"'"$1"'","value":\([0-9]*\)}.*/\1/p'
}
[ "$(figure ticks)" = "$(ticks)" ] || complain "figure of ticks: $(figure ticks)"
for key in function binary object program process thread; do
	sum=$("$PROFRUN" report --csv -s "$key" profrun.trace |
		awk -F, 'NR > 1 { n += $1 } END { print n }')
	[ "$sum" = "$(ticks)" ] || complain "report -s $key has $sum of $(ticks)"
done
"$PROFRUN" report --csv gmon.out | grep -q '"four","shares"' ||
	complain "report of gmon.out: $("$PROFRUN" report gmon.out)"
for key in binary object; do
	"$PROFRUN" report --csv -s "$key" gmon.out | grep -q '/shares"' ||
		complain "report -s $key of gmon.out"
done
# The numbers of one process are those of its own file.
[ "$("$PROFRUN" export -f text --time=0-0.000001 profrun.trace 2>/dev/null |
	wc -l)" = 0 ] || complain '--time keeps what is later'
# Of what has no samples nothing is written, and nothing replaced.
for format in gmon raw text samples flame pprof speedscope firefox callgrind folded \
	json perf-script; do
	what="profrun export -f $format --tid=4194305"
	status=0
	echo earlier >earlier
	"$PROFRUN" export -q -f "$format" -o earlier --tid=4194305 profrun.trace \
		2>err || status=$?
	ends_with 1
	grep -q ': no samples of thread 4194305; the trace has [1-9]' err ||
		complain "$(cat err)"
	[ "$(cat earlier)" = earlier ] || complain 'replaces a file'
	[ "$(echo earlier*)" = earlier ] || complain "leaves $(echo earlier*)"
done

# file(1) knows a trace.
if command -v file >/dev/null; then
	file -m "$abs_top_srcdir/data/pctrace.magic" profrun.trace |
		grep -q 'profrun pcsample trace, version 3' ||
		complain "$(file -m "$abs_top_srcdir/data/pctrace.magic" profrun.trace)"
fi

# The files of each process, and of each thread, are those of the run, too.
for what_each in p t; do
	mkdir "run.$what_each" "export.$what_each"
	pattern=x.%$what_each
	profile -f gmon,pcsample -o "run.$what_each/$pattern" sh -c 'i=0
		while [ $i -lt 300000 ]; do i=$((i + 1)); done
		"$0" 0.3 & "$0" 0.3 & wait; exec "$0" 0.2' "$workloads/shares"
	ends_with 0
	mv "run.$what_each"/*.trace "$what_each.trace"
	"$PROFRUN" export -q -o "export.$what_each/$pattern" "$what_each.trace"
	[ "$(find "run.$what_each" -name 'x.*' | wc -l)" -ge 6 ] ||
		complain "few files: $(ls "run.$what_each")"
	diff -r "run.$what_each" "export.$what_each" >difference ||
		complain "the export differs: $(cat difference)"
done

# A look at a sleeper can stand for many ticks; how certain they are is kept, so
# that the errors are those of the run.  Its summary has the first functions, in 80
# columns, where long names are cut; names of binaries are as long as there is
# room.
table() { awk '/self %/ { on = 1 } !NF { on = 0 } on { print $1, $2, $3, $4, $5, $6 }' "$1" | sort; }
profile -w -f gmon,pcsample "$workloads/waits" 1 3
ends_with 0
mkdir wall
mv profrun.trace wall
cp err wall
"$PROFRUN" report wall/profrun.trace >wall/report
table wall/report >wall/reported
table err | grep -v -e '[.][.][.]' -e ' more function' >wall/shown
[ "$(wc -l <wall/shown)" -ge 4 ] &&
	[ -z "$(comm -23 wall/shown wall/reported)" ] ||
	complain "not the errors of the run: $(cat wall/reported err)"
(cd wall && "$PROFRUN" export -q profrun.trace)
cmp -s gmon.out wall/gmon.out || complain 'gmon.out of the wall clock differs'
# What is made of it is told to be of the wall clock, too.
"$PROFRUN" export -f json -o - gmon.out >out
grep -q '"clock":"wall"' out || complain "another clock: $(head -c 300 out)"
grep -q '"command":"[^"]*waits 1 3"' out ||
	complain "another command: $(head -c 300 out)"
grep -q '"program":"[^"]*/waits"' out || complain "another program: $(head -c 300 out)"
"$PROFRUN" export -f folded -o - gmon.out >out
! grep -v '^waits;' out || complain 'of another program'
for format in gmon raw; do
	status=0
	"$PROFRUN" export -f $format -o - wall/profrun.trace >out 2>err || status=$?
	ends_with 125
	grep -q "^profrun: export: -o -: -f $format writes files" err ||
		complain "says: $(cat err)"
	[ ! -s out ] && [ ! -e - ] || complain 'writes something'
done
rm -r wall

# --samples stores so many and no more.
profile -f raw --samples=3 "$workloads/shares" 0.3
[ "$(wc -c <pcsamples.raw)" = 24 ] || complain "--samples=3: $(wc -c <pcsamples.raw) bytes"

# A disk that is full costs its own file alone.
profile -f pcsample -o full "$workloads/shares" 0.1
ends_with 125
grep -q 'full.*No space left' err || complain "$(cat err)"

# Several files have no place beside a device, or where a FIFO is; one has.
mkfifo pipe
for formats in gmon,pcsample gmon,raw pcsample,raw gmon,pcsample,raw; do
	for place in null full pipe; do
		profile -f "$formats" -o "$place" touch ran
		ends_with 125
		[ "$(wc -l <err)" = 1 ] &&
			grep -q "^profrun: -f: $place is no file" err ||
			complain "$(cat err)"
		[ ! -e ran ] || complain 'runs the program in vain'
	done
done
for left in null.* full.* pipe.*; do
	[ ! -e "$left" ] || complain "leaves $left"
done
rm pipe
for format in gmon pcsample raw; do
	profile -q -f "$format" -o null "$workloads/shares" 0.1
	ends_with 0
done

# A program whose file is another by now has no names, and one line says so.
cp "$workloads/shares" copy
profile -q -f pcsample ./copy 0.3
cp /bin/sh copy
"$PROFRUN" export -f text profrun.trace >text 2>err || complain 'another file: fails'
grep -q 'four+' text && complain 'names from another file'
[ "$(grep -c 'not the file that was recorded' err)" = 1 ] || complain "$(cat err)"

# What is no trace.
refused() {
	what=$1
	for command in export report; do
		status=0
		timeout 60 "$PROFRUN" "$command" "$1" >out 2>err || status=$?
		ends_with 1
		[ "$(wc -l <err)" = 1 ] && grep -qF "$1" err ||
			complain "$command: $(cat err)"
	done
}
: >empty
mkfifo fifo
mkdir directory
truncate -s 10G sparse
head -c 7 profrun.trace >short
{ printf '\211pctrace\177'; tail -c +10 profrun.trace; } >version
for file in empty fifo directory /dev/zero sparse short version /bin/sh nosuch; do
	refused "$file"
done

# What is half a trace is used.
what='a cut trace'
size=$(wc -c <profrun.trace)
head -c "$((size - 20))" profrun.trace >half
"$PROFRUN" report half >out 2>err || complain "$(cat err)"
grep -q 'was cut' err || complain "does not warn: $(cat err)"
[ "$(wc -l <out)" -gt 1 ] || complain 'uses nothing'
exit "$bad"
