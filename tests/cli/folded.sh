#!/bin/sh
# -f folded: the stacks of a trace and of a run, a line each, with all ticks.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2016,SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

stacked=$abs_top_builddir/tests/support/stacked
sum() { awk '{ n += $NF } END { print n + 0 }' "$1"; }
export_folded() {
	what="profrun export -f folded $*"
	status=0
	"$PROFRUN" export -f folded "$@" >out 2>err || status=$?
}

# --- Of a trace

"$stacked" profrun.trace <<'END'
complete outer alpha beta 40
complete outer alpha beta gamma_ray 60
complete outer alpha space::first 20 kernel read
complete outer alpha 5 kernel write
complete outer alpha alpha 7
none beta 3
END
cat >expected <<'END'
stacked;beta 3
stacked;outer;alpha;alpha 7
stacked;outer;alpha;beta 40
stacked;outer;alpha;beta;gamma_ray 60
stacked;outer;alpha;space::first;read_[k] 20
stacked;outer;alpha;write_[k] 5
END
export_folded
ends_with 0
sort out | cmp -s - expected || complain "prints: $(cat out)"
export_folded -q -o some.folded
ends_with 0
[ ! -s out ] || complain "prints: $(cat out)"
sort some.folded | cmp -s - expected || complain "writes: $(cat some.folded)"
export_folded --full-names
grep -q ';void space::first<int>(char);read_\[k\] 20$' out || complain "prints: $(cat out)"
export_folded --time=0-0.015
[ "$(sum out)" = 40 ] || complain "--time: $(cat out)"
export_folded --focus=beta
ends_with 125
[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
export_folded -q -o full
ends_with 125
[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"

# Without a stack each tick has a frame.
printf '%s\n' 'none beta 3' 'none alpha 4' | "$stacked" flat.trace
export_folded flat.trace
ends_with 0
[ "$(sort out | tr '\n' ' ')" = 'stacked;alpha 4 stacked;beta 3 ' ] ||
	complain "without stacks: $(cat out)"

# --- Of a run

profile -f folded,pcsample,gmon "$workloads/shares" 0.4
ends_with 0
grep -q '^  profrun.folded    # ' err || complain "does not tell of the file: $(cat err)"
grep -q '^  stacks  ' err || complain "takes no stacks: $(cat err)"
[ "$(sum profrun.folded)" = "$(ticks)" ] ||
	complain "$(sum profrun.folded) ticks of $(ticks)"
grep -Evq '^shares;.*[^ ] [0-9]+$' profrun.folded &&
	complain "has other lines: $(cat profrun.folded)"
grep -q 'main;four ' profrun.folded || complain "no main;four: $(cat profrun.folded)"
sort profrun.folded >run
export_folded profrun.trace
sort out | cmp -s - run || complain "the trace has other stacks: $(diff out profrun.folded)"

# Each program's stacks are its own.
profile -q -F 250 -f folded -o programs sh -c '
	"$0" 0.3 & awk "BEGIN { for (i = 0; i < 2000000; i++) n += i % 7 }"; wait' \
	"$workloads/shares"
for program in shares "$(basename "$(readlink -f "$(command -v awk)")")"; do
	grep -q "^$program;" programs ||
		complain "no $program: $(cut -d';' -f1 programs | sort | uniq -c)"
done
grep -v '^shares;' programs | grep -q ';main;four ' &&
	complain "another has four: $(cat programs)"
profile -q -f folded -o 'f.%n.%p' sh -c '"$0" 0.2; exec "$0" 0.2' "$workloads/shares"
ends_with 0
# The shell, what it has executed, and its child.
[ "$(cat f.* | grep -c '^shares;.*;four ')" -ge 2 ] || complain "files: $(grep . f.*)"
profile -q -f gmon,folded -o both "$workloads/shares" 0.2
ends_with 0
[ "$(sum both.folded)" = "$("$PROFRUN" report --csv both | awk -F, 'NR > 1 { n += $1 } END { print n }')" ] ||
	complain "both: $(sum both.folded) ticks"
profile -q -f folded -o full "$workloads/shares" 0.1
ends_with 125
profile -q -f folded -o null true
ends_with 0

# What concerns gmon.out alone is refused.
for option in --split --all-symbols --inherit-counts; do
	export_folded $option -o 'x.%p'
	ends_with 125
	[ "$(cat err)" = "profrun: export: $option: concerns gmon.out alone; give -f gmon" ] ||
		complain "says: $(cat err)"
	[ ! -e 'x.%p' ] || complain 'writes x.%p'
done
exit "$bad"
