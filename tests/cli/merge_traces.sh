#!/bin/sh
# profrun merge takes a trace for the gmon.outs that export makes of it: in any
# order, among others, without a file of its own.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# merge ARGUMENT...: its summary in err, its status in $status.
merge() {
	what="profrun merge $*"
	status=0
	timeout 60 "$PROFRUN" merge "$@" >out 2>err || status=$?
}
# same NAME NAME: two sums are equal, with their lists
same() {
	cmp "$1.out" "$2.out" || complain "$1.out and $2.out differ"
	cmp "$1.syms" "$2.syms" || complain "$1.syms and $2.syms differ"
}

# --- One process.
profile -f gmon,pcsample -o one.out "$workloads/shares" 0.5
ends_with 0
mv one.out.trace trace
for pair in 'gmons one.out one.out' 'mixed trace one.out' \
	'turned one.out trace' 'traces trace trace'; do
	# shellcheck disable=SC2086
	set -- $pair
	merge -q -o "$1.out" "$2" "$3"
	ends_with 0
	[ ! -s err ] || complain "-q says: $(cat err)"
	same gmons "$1"
done
merge -o sum.out trace one.out
grep -q "ticks  *$((2 * $("$PROFRUN" report --csv trace |
	awk -F, 'NR > 1 { n += $1 } END { print n }'))),"  err ||
	complain "counts: $(cat err)"
grep -q ' trace .*shares$' err || complain "does not name the trace: $(cat err)"

# Several ranks.
cp trace rank.0
cp trace rank.1
merge -o ranks.out rank.0 rank.1
same gmons ranks
grep -q 'ranks  *2' err || complain "sees no ranks: $(cat err)"

# --- A program that forks, and one that it runs: what fits is added, and the
# rest is counted.
profile -f gmon,pcsample -o all.out sh -c '
	work() { i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; }
	work
	(work; :) &
	"$0" 0.3 &
	wait' "$workloads/shares"
ends_with 0
merge -o sum.out all.out.trace
ends_with 0
grep -q 'warning: all.out.trace: [1-9][0-9]* ticks* of 1 other program,' err ||
	complain "leaves out in silence: $(cat err)"
set -- all.out
for file in all.out.[0-9]*; do
	case $file in
	*.syms) ;;
	*) ! "$PROFRUN" merge -q -o /dev/null all.out "$file" 2>/dev/null ||
		set -- "$@" "$file" ;;
	esac
done
[ $# -ge 2 ] || complain "only $*: no child of the shell had a tick"
merge -q -o gmons.out "$@"
same gmons sum
# Each tick of the trace is in the sum, or in the warning.
merge -o sum.out all.out.trace
all=$("$PROFRUN" report --csv all.out.trace |
	awk -F, 'NR > 1 { n += $1 } END { print n }')
awk -v all="$all" '/ticks* of/ { n += $4 } $1 == "ticks" { n += $2 }
	END { exit n != all }' err || complain "not $all ticks: $(cat err)"

# --- What is refused leaves nothing.
refuses() {
	pattern=$1
	shift
	merge -o refused.out "$@"
	ends_with 1
	[ "$(grep -vc warning err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -q -e "$pattern" err || complain "says: $(cat err)"
	for left in refused.* .profrun.*; do
		[ ! -e "$left" ] || complain "leaves $left"
	done
}
refuses 'all.out.trace.*: of another program than trace: .*, not .*/shares' \
	trace all.out.trace
refuses 'trace: of another program than all.out: .*/shares (' all.out trace
profile -q -F 1000 -f pcsample -o fast "$workloads/shares" 0.1
refuses 'fast: rate 1000, 100 before' trace fast
printf 'ticks 1000 1\n' |
	"$abs_top_builddir/tests/core/gmon_from_text" 100 8 little >plain
refuses 'trace: a list of symbols.*unlike' plain trace
{ printf '\211pctrace\002'; tail -c +10 trace; } >version
refuses 'version: ' version

# --- Half a trace is used, with a warning.
size=$(wc -c <trace)
head -c "$((size - 20))" trace >half
merge -o half.out half
ends_with 0
grep -q 'warning: half: was cut' err || complain "does not warn: $(cat err)"
"$PROFRUN" export -q -o cut.out half 2>err
merge -q -o one.sum cut.out
cmp half.out one.sum || complain 'half a trace is not what export makes of it'

# --- No names where the files are not the program's.
mkdir -p root"$workloads"
cp /bin/sh root"$workloads/shares"
merge --symfs=root -o named.out trace
ends_with 0
grep -q 'not the file that was recorded' err || complain "$(cat err)"
exit "$bad"
