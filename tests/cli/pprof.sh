#!/bin/sh
# -f pprof: what other readers of such files find in them, and what report does.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
stacked=$abs_top_builddir/tests/support/stacked

run() {
	what="profrun $*"
	status=0
	"$PROFRUN" "$@" >out 2>err || status=$?
}
says_one_line() {
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
}
# self and total of all functions of FILE, as report has them.
figures() {
	"$PROFRUN" report --csv --children --full-names "$1" 2>/dev/null |
		awk -F'"' 'NR > 1 {
			split($1, before, ",")
			split($5, behind, ",")
			print before[1], behind[2], $2
		}' | sort
}

# --- Of a run: also the ranks below one profrun, whatever its file is called.
run -q -f pprof sh -c 'for rank in 3 4; do OMPI_COMM_WORLD_RANK=$rank "$0" 0.2; done' \
	"$workloads/shares"
[ "$status" = 0 ] || complain "fails: $(cat err)"
zcat profrun.pb.gz | grep -aq rank || complain 'no label for ranks'
"$PROFRUN" report -s rank profrun.pb.gz >ranks
for rank in 3 4; do
	grep -Eq "[0-9] +(rank )?$rank\$" ranks || complain "no rank $rank: $(cat ranks)"
done
rm profrun.pb.gz

# --- Of a trace

"$stacked" profrun.trace <<'END'
complete outer alpha beta 40
complete outer alpha beta gamma_ray 60
complete outer alpha space::first 20 kernel read
complete outer alpha 5 kernel write
complete outer alpha alpha 7
no-cfi ?beta gamma_ray 4
none beta 3
END
cat >expected <<'END'
0 132 outer
0 20 void space::first<int>(char)
20 20 [kernel]:read
43 107 beta
5 5 [kernel]:write
64 64 gamma_ray
7 132 alpha
END
run export -f pprof
ends_with 0
[ -s profrun.pb.gz ] || complain "leaves no profrun.pb.gz"

if command -v python3 >/dev/null; then
	what='an independent reader'
	python3 "$abs_top_srcdir/tests/cli/pprof_sums.py" profrun.pb.gz >found ||
		complain "cannot read it"
	grep '^[0-9]' found | sort | cmp -s - expected || complain "finds $(cat found)"
	grep -q '^sums 139 1390000000$' found || complain "finds $(cat found)"
	grep -q '^comment profrun [0-9]' found || complain "finds $(cat found)"
	grep -q '^comment stacks complete: 132 ticks$' found || complain "finds $(cat found)"
	grep -q '^comment stacks with a guessed frame: 4 ticks$' found ||
		complain "finds $(cat found)"
else
	echo 'without python3 no independent reader is asked' >&2
fi

# HOME: go would write there.
pprof() {
	HOME=$work PPROF_TMPDIR=$work go tool pprof -symbolize=none "$@" profrun.pb.gz \
		2>pprof.err
}
if pprof -top -nodefraction=0 >top; then
	what='go tool pprof'
	# flat, flat%, sum%, cum, cum%, name
	awk '/^ *flat/ { begun = 1; next }
		begun {
			flat = ticks($1)
			sum = ticks($4)
			$1 = $2 = $3 = $4 = $5 = ""
			sub(/^ +/, "")
			print flat, sum, $0
		}
		function ticks(time) {
			return time ~ /ms$/ ? time / 10 : time ~ /s$/ ? time * 100 : time
		}' top | sort >found
	cmp -s found expected || complain "-top: $(cat top)"
	pprof -peek '^beta$' >peek || complain "-peek: $(cat pprof.err)"
	grep -q ' 93.46% *|  *alpha' peek || complain "-peek: $(cat peek)"
	pprof -raw >raw || complain "-raw: $(cat pprof.err)"
	grep -q '/stacked .*\[FN\]' raw || complain "-raw: $(cat raw)"
else
	echo 'without go tool pprof that is not asked' >&2
fi

# --- Read again

figures profrun.trace >before
figures profrun.pb.gz >after
what='report of both'
[ -s before ] || complain "prints nothing"
cmp -s before after || complain "differ: $(diff before after)"
for format in folded pprof; do
	run export -q -f "$format" -o "trace.$format" profrun.trace
	ends_with 0
	run export -q -f "$format" -o "again.$format" profrun.pb.gz
	ends_with 0
done
what='export of both'
sort again.folded >again
sort trace.folded | cmp -s - again || complain "differ: $(diff trace.folded again.folded)"
figures again.pprof | cmp -s - before || complain "twice: $(figures again.pprof)"

gunzip -c profrun.pb.gz >plain.pb
what='report of a plain file'
figures plain.pb | cmp -s - before || complain "prints: $(figures plain.pb)"

run merge -o sum.out profrun.pb.gz again.pprof profrun.trace
ends_with 0
run report --csv sum.out
what='report of a sum'
awk -F, 'NR > 1 { n += $1 } END { exit n != 3 * 139 }' out || complain "has $(cat out)"

# --- Broken

size=$(wc -c <profrun.pb.gz)
head -c $((size - 9)) profrun.pb.gz >cut.pb.gz
run report cut.pb.gz
ends_with 1
says_one_line
grep -q 'cut.pb.gz: ends too early' err || complain "says: $(cat err)"
run merge -o other.out cut.pb.gz
[ "$status" != 0 ] || complain "status 0"
says_one_line
head -c 100000000 /dev/zero | gzip >bomb.pb.gz
run report bomb.pb.gz
ends_with 1
says_one_line
grep -q 'which no profile does' err || complain "says: $(cat err)"
run report --pid=1 profrun.pb.gz
ends_with 1
says_one_line
run export -q -f pprof -o full profrun.pb.gz
ends_with 125
says_one_line

# --- Of a run

mkdir run
cd run
profile -g "$workloads/shares" 0.3
ends_with 0
[ -s profrun.pb.gz ] || complain "leaves no profrun.pb.gz"
expected_ticks=$(ticks)
"$PROFRUN" report --csv --children >out 2>err
grep -q 'report of profrun.pb.gz' err || complain "the newest is: $(cat err)"
found=$(awk -F, 'NR > 1 { n += $1 } END { print n }' out)
[ "$found" = "$expected_ticks" ] || complain "$found of $expected_ticks ticks"
"$PROFRUN" report --tree >out 2>err || complain "no tree: $(cat err)"
rm -f profrun.pb.gz

profile -q -g -f gmon "$workloads/shares" 0.1
profile -q -g -o gmon.out "$workloads/shares" 0.1
profile -q "$workloads/shares" 0.1
for file in *.pb.gz; do
	[ ! -e "$file" ] || complain "leaves $file"
done
profile -q -f gmon,pprof -o both "$workloads/shares" 0.1
[ -s both ] || complain "leaves no gmon.out"
[ -s both.pb.gz ] || complain "leaves no pprof file"
exit "$bad"
