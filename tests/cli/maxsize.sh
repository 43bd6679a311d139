#!/bin/sh
# --max-size: a trace that has reached its limit is begun again, the one before it
# stays, and either can be read alone.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# samples FILE: how many it has.
samples() { "$PROFRUN" export -f text "$1" 2>>errors | wc -l; }
reads() {
	for file in profrun.trace profrun.trace.old; do
		"$PROFRUN" report "$file" >out 2>err || complain "$file: $(cat err)"
		[ ! -s err ] || complain "$file: $(cat err)"
		grep -q " four  *shares$" out || complain "$file: $(cat out)"
		[ "$(wc -c <"$file")" -le $((2 << 16)) ] ||
			complain "$file: $(wc -c <"$file") bytes"
	done
}

# Programs and processes that were told of before the limit are known after it.
# shellcheck disable=SC2016
profile -f pcsample -F 10000 --max-size=64k sh -c '"$0" 1; "$0" 3' "$workloads/shares"
ends_with 0
[ -e profrun.trace.old ] || {
	# A machine without perf has no more samples than the kernel has ticks.
	[ "$(samples profrun.trace)" -lt 20000 ] || complain 'has no limit'
	skip 'the samples are too few for the limit'
}
cp err summary
reads
before=$(sed -n 's/.*trace.old    # what was before: \([0-9]*\) sample.*/\1/p' summary)
: >errors
[ "$before" = "$(samples profrun.trace.old)" ] ||
	complain "$(samples profrun.trace.old) samples, not $before"
[ ! -s errors ] || complain "$(cat errors)"

# Each sample that was taken stands in a file, or is told to be dropped.
profile -v -f pcsample -F 10000 --max-size=64k "$workloads/shares" 3
all=$(awk '$2 == "samples" && $3 == "they" { print $1 }' err)
dropped=$(sed -n 's/.*; older ones dropped: \([0-9]*\)$/\1/p' err)
found=$(($(samples profrun.trace) + $(samples profrun.trace.old) + ${dropped:-0}))
[ "$found" = "$all" ] || complain "$found of $all: $(cat err)"
[ -z "$(find . -name '.profrun.*')" ] || complain 'leaves a file'

# What can have no limit.
for words in '--max-size=1M' '--max-size=1k -f pcsample' '--max-size=x -f pcsample' \
	'--max-size=1Mx -f pcsample' '--max-size= -f pcsample' \
	'--max-size=99999999999999999999 -f pcsample' \
	'--max-size=9999999999T -f pcsample' \
	'--max-size=1M -f pcsample -o null' '--samples=3' '--samples=3 -f pcsample'; do
	# shellcheck disable=SC2086
	profile $words true
	ends_with 125
	[ "$(wc -l <err)" = 1 ] || complain "says: $(cat err)"
done
exit "$bad"
