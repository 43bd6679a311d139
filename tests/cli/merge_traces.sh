#!/bin/sh
# profrun merge takes a trace for the gmon.out that export makes of it: in any
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

# --- A program that forks, and others that it runs: all of it is in the sum, as
# it is in the run's own file, and in those of its processes together.
work='
	work() { i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; }
	work
	(work; :) &
	"$0" 0.3 &
	wait'
profile -f gmon,pcsample -o all.out sh -c "$work" "$workloads/shares"
ends_with 0
all=$(ticks)
merge -o sum.out all.out.trace
ends_with 0
grep -q "ticks  *$all," err || complain "not $all ticks: $(cat err)"
cmp all.out sum.out || complain 'the sum of one trace is not what the run wrote'
cmp all.syms sum.syms || complain 'nor are its symbols'
"$PROFRUN" export -q -o each.%p.out all.out.trace
# (What a process was before it ran another program has a file of its own, of a
# name that ends in a number.)
set --
for file in each.*; do
	case $file in
	*.syms) ;;
	*) set -- "$@" "$file" ;;
	esac
done
[ $# -ge 3 ] || complain "only $*: no child of the shell had a tick"
merge -q -o gmons.out "$@"
for file in sum gmons; do
	"$PROFRUN" report --csv $file.out | sort >$file.csv
done
cmp sum.csv gmons.csv || complain 'its processes together are something else'

# Two runs of different programs.
merge -o both.out trace all.out.trace
ends_with 0
one=$("$PROFRUN" report --csv trace | awk -F, 'NR > 1 { n += $1 } END { print n }')
grep -q "ticks  *$((one + all))," err || complain "not $one + $all: $(cat err)"
for pair in 'turned all.out.trace trace' 'mixed all.out.trace one.out' \
	'gmons one.out all.out'; do
	# shellcheck disable=SC2086
	set -- $pair
	merge -q -o "$1.out" "$2" "$3"
	same both "$1"
done
for file in both turned; do
	"$PROFRUN" report --csv $file.out | sort >$file.csv
done
cmp both.csv turned.csv || complain 'the order of programs matters'

# Copies of one program are one, as they are in the sum.
mkdir here there
for place in here there; do
	cp "$workloads/shares" $place/shares
	profile -q -f pcsample -o $place.trace $place/shares 0.1
done
merge -o copies.out here.trace there.trace
ends_with 0
awk '$NF == "shares" { print $(NF - 1) }' err | sort | uniq -d | grep . >twice &&
	complain "has twice $(cat twice): $(cat err)"
awk '$NF == "shares" { n++ } END { exit !n }' err ||
	complain "has no function of shares: $(cat err)"

# So are those that have stood at one path, one after the other, and are gone:
# nobody knows more of them than that.
for time in 1 2; do
	cp "$workloads/shares" program
	profile -q -f pcsample -o time$time.trace ./program 0.2
	mv program kept$time
done
for time in 1 2; do
	"$PROFRUN" export -q -o time$time.out time$time.trace
done
merge -q -o times.out time1.out time2.out time1.out
for files in 'time2.out time1.trace time1.trace' \
	'time1.trace time2.trace time1.out' \
	'time2.trace time1.trace time1.trace'; do
	# shellcheck disable=SC2086
	merge -q -o turned.out $files
	same times turned
done

# --- All symbols, where they are wanted.
merge -q --all-symbols -o many.out trace
"$PROFRUN" export -q --all-symbols -o wide.out trace
cmp many.syms wide.syms || complain 'the symbols of a trace are not all there'
[ "$(wc -l <many.syms)" -gt "$((2 * $(wc -l <one.syms)))" ] ||
	complain "not more symbols: $(wc -l one.syms many.syms)"
cmp many.out wide.out || complain 'symbols move the ticks'
merge -q -o few.out many.out
cmp few.syms one.syms || complain 'symbols without ticks stay'

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
profile -q -F 1000 -f pcsample -o fast "$workloads/shares" 0.1
refuses 'fast: rate 1000, 100 before' trace fast
printf 'ticks 1000 1\n' |
	"$abs_top_builddir/tests/core/gmon_from_text" 100 8 little >plain
refuses 'trace: a list of symbols.*unlike' plain trace
{ printf '\211pctrace\177'; tail -c +10 trace; } >version
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
