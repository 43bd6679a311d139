#!/bin/sh
# A program in step with the kernel's tick is told of, and one that works in
# bursts of its own is not.
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# Only what need not wait for a processor can be in step with anything.
chrt -f 10 true 2>/dev/null || {
	echo 'real-time priority is not allowed here' >&2
	exit 77
}
# first PROGRAM...: before all others.
is_told() {
	profile --trigger=timer -f gmon,pcsample -o told.out chrt -f 10 "$@"
	ends_with 0
	grep -q '^  in step  *[0-9]* % of the time' err
}
# In one of three runs.
told=0
for run in 1 2 3; do
	echo "run $run"
	is_told "$workloads/instep" 2 && told=1 && break
done
[ $told = 1 ] || complain "is told in no run: $(cat err)"
"$PROFRUN" report told.out.trace >out
grep -q '^  in step  *[0-9]* % of the time' out ||
	complain "report does not tell: $(cat out)"

# By chance it may be told once.
told=0
for run in 1 2 3; do
	is_told "$workloads/bursts" 2 2 3 && told=$((told + 1))
	[ $run -lt 2 ] || [ $told -gt 0 ] || break
done
[ $told -lt 2 ] || complain "is told in $told of $run runs: $(cat err)"
exit "$bad"
