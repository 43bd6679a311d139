#!/bin/sh
# Every format has the same figures: self and total of the hottest functions of real
# programs, by the tools themselves where they are to be had.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2016,SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
. "$abs_top_srcdir/tests/cli/every_reader.sh"

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

# Functions of two binaries that are called alike are two.
what='system calls and who makes them'
profile -q -F 250 -f callgrind -o dd.callgrind \
	dd if=/dev/zero of=/dev/null bs=1 count=1000000
ends_with 0
if command -v callgrind_annotate >/dev/null; then
	callgrind_annotate --auto=no --inclusive=yes --threshold=100 dd.callgrind >annotated
	sed -n 's/.*:\[kernel\]:read .*/[kernel]:read/p; t
		s/.*:read \[.*/read/p' annotated | sort >names
	[ "$(cat names)" = '[kernel]:read
read' ] || complain "callgrind_annotate: $(cat annotated)"
fi

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
