#!/bin/sh
# What a trace does not tell of its run, or tells in words that nobody knows, is not
# known in what is exported either.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# untold CLOCK COMMAND WORD: the JSON of such a trace says WORD of the clock.
untold() {
	what="a trace with the clock '$1' and the command '$2'"
	echo 'complete outer alpha 1' |
		"$abs_top_builddir/tests/support/stacked" made.trace "$1" "$2"
	"$PROFRUN" export -q -f json -o - made.trace >out 2>err ||
		complain "$(cat err)"
	is_valid profile
	grep -q "^\"clock\":$3,\$" out || complain "clock: $(grep clock out)"
}
untold cpu 'made up' '"cpu"'
grep -q '"command":"made up",$' out || complain "command: $(cat out)"
untold sundial 'made up' null
untold '' '' null
grep -q '"command":null,$' out || complain "command: $(cat out)"
# The title is then the program's name.
"$PROFRUN" export -q -f flame -o page.html made.trace 2>err || complain "$(cat err)"
grep -q '"title":"stacked",$' page.html ||
	complain "title: $(grep '"title":' page.html)"

# At its end a run tells what its trace does.
profile -q -f json,pcsample -o run "$workloads/shares" 0.3
ends_with 0
what='the JSON of a run and of its trace'
"$PROFRUN" export -q -f json -o trace.json run.trace 2>err || complain "$(cat err)"
for file in run.json trace.json; do
	grep -E '^"(begin_ns|duration_ns|lost_ticks)":' $file >$file.head
done
grep -Eq '^"duration_ns":([2-9][0-9]{8}|[1-9][0-9]{9,}),$' run.json.head || complain "$(cat run.json.head)"
sed 1d run.json.head >run.head
sed 1d trace.json.head | cmp -s - run.head ||
	complain "the trace has $(cat trace.json.head), the run $(cat run.json.head)"
# Firefox's times are those since the start of the run, whatever part is told.
what='when a run has started'
for part in 0-10000 0.001-10000; do
	"$PROFRUN" export -q -f firefox -o - --time=$part run.trace 2>err |
		grep -o '"startTime":[0-9][0-9.]*' || complain "$part: $(cat err)"
done | sort -u >starts
[ "$(wc -l <starts)" = 1 ] && grep -q '[1-9]' starts || complain "$(cat starts)"
what='a second of a trace'
{
	yes 'complete outer alpha 1' | head -n 200
	printf '%s\n' 'figure wall_ns 2000000000' 'figure ticks.lost.gone 12'
} | "$abs_top_builddir/tests/support/stacked" made.trace
"$PROFRUN" export -q -f json -o - --time=0.5-1.5 made.trace >out 2>err || complain "$(cat err)"
grep -q '^"duration_ns":1000000000,$' out || complain "$(cat out)"
grep -q '^"lost_ticks":12,$' out || complain "$(cat out)"
exit "$bad"
