#!/bin/sh
# Every format has the same figures: self and total of the hottest functions of real
# programs, by the tools themselves where they are to be had.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2016,SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
if ! command -v python3 >/dev/null; then
	echo 'there is no python3' >&2
	exit 77
fi
# The tools' own settings are not the tester's.
export HOME="$work" PPROF_TMPDIR="$work"
command -v callgrind_annotate >/dev/null ||
	echo 'without callgrind_annotate that is not asked' >&2
can_browse=
command -v node >/dev/null && for name in chromium chromium-browser google-chrome; do
	[ -n "$can_browse" ] || can_browse=$(command -v $name) || :
done
[ -n "$can_browse" ] || echo 'without Chromium and node the page is only read' >&2
go tool pprof -h >/dev/null 2>pprof.err || [ "$(wc -l <pprof.err)" -gt 10 ] ||
	echo 'without go tool pprof that is not asked' >&2

compare() { # TOOL FILE
	python3 "$abs_top_srcdir/tests/cli/format_sums.py" report.csv "$1" "$2" >differs 2>&1 ||
		complain "$1 differs: $(cat differs)"
}
# all_of FILE: each format of the trace or profile that FILE is.
all_of() {
	"$PROFRUN" report --children --csv --full-names "$1" >report.csv 2>err ||
		complain "$(cat err)"
	for format in folded flame speedscope firefox json perf-script callgrind pprof; do
		"$PROFRUN" export -q --full-names -f $format -o "f.$format" "$1" ||
			complain "no $format"
	done
	for format in folded flame speedscope firefox json perf-script; do
		compare $format f.$format
	done
	if [ -n "$can_browse" ]; then
		printf '%s\n' 'press [data-sort="total"]' 'save #rows rows.total' \
			'press [data-sort="self"]' 'save #rows rows.self' >steps
		cp f.flame f.html
		rm -f rows.*
		timeout -s KILL 120 node "$abs_top_srcdir/tests/cli/page_driver.js" \
			"$can_browse" "$work/f.html" steps >browsed 2>&1 || :
		if [ -f rows.self ]; then
			{ cat rows.total; echo; cat rows.self; } >rows
			compare table rows
		else
			echo "no browser: $(cat browsed)" >&2
		fi
	fi
	if command -v callgrind_annotate >/dev/null; then
		for inclusive in no yes; do
			callgrind_annotate --auto=no --threshold=100 --inclusive=$inclusive \
				f.callgrind 2>err || complain "callgrind_annotate: $(cat err)"
			[ ! -s err ] || complain "callgrind_annotate says: $(cat err)"
			printf '\f'
		done >annotated
		compare callgrind_annotate annotated
	fi
	if go tool pprof -noinlines -symbolize=none -unit=ms -nodefraction=0 -top f.pprof >top 2>pprof.err; then
		compare 'go tool pprof' top
	fi
}

cat >work.py <<'END'
import json, re, threading
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def work():
    fib(21)
    json.loads(json.dumps([{"a": i, "b": str(i)} for i in range(30000)]))
    re.sub("[a-c]+", "", "abcd" * 100000)
threads = [threading.Thread(target=work) for _ in range(2)]
[thread.start() for thread in threads]
work()
[thread.join() for thread in threads]
END
# Not a profile of the tester's shell functions around python3.
python=$(python3 -c 'import sys; print(sys.executable)')
profile -q -F 250 -f pcsample -g -o python.trace "$python" work.py
ends_with 0
what='python3'
all_of python.trace

# As a pprof file has them: no times, one profile.
what='python3, of a pprof file'
mv f.pprof python.pb.gz
all_of python.pb.gz

profile -q -F 250 -f pcsample -g -o shell.trace sh -c '
	"$0" 0.2 & i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done
	awk "BEGIN { for (i = 0; i < 300000; i++) s = s i % 7; print length(s) }" | sort; wait' \
	"$workloads/shares"
ends_with 0
what='a pipeline'
all_of shell.trace

# Without stacks a function has itself alone.
profile -q -F 250 -f gmon "$workloads/shares" 0.3
ends_with 0
what='gmon.out'
for format in speedscope firefox json perf-script callgrind; do
	"$PROFRUN" export -q -f $format -o "f.$format" gmon.out || complain "no $format"
done
"$PROFRUN" report --csv gmon.out 2>err | awk -F, '
	NR == 1 { print $0 ",total_ticks"; next } { print $0 "," $1 }' >report.csv
for format in speedscope firefox json perf-script; do
	compare $format f.$format
done
exit "$bad"
