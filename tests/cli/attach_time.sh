#!/bin/sh
# Of processes that run already all CPU time is seen, to their end.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/attaching.sh"

# covers LEAST MOST [HZ]
covers() {
	awk -v found="$(coverage "${3-100}")" -v lo="$1" -v hi="$2" \
		'BEGIN { exit !(found >= lo && found <= hi) }' ||
		complain "does not cover $1 to $2 %: $(cat err)"
}

# A busy thread, for a while.
begin shares 100
attach -d 1.5
grep -qx "profrun: watching $pid (shares), 1 thread; it ends after 1.5 s, or by \\^C, and writes gmon.out" err ||
	complain "says not whom it watches: $(cat err)"
covers 60 125
grep -Eq "^  attached  to $pid \(shares\) for 1\.[0-9]* s\$" err ||
	complain "says: $(cat err)"
grep -Eq ' (two|three|four)  *shares$' err || complain "names nothing: $(cat err)"
is_free "$pid"
kill "$pid"
finish 143

# Threads that begin meanwhile, too; until the program's end.
begin churn 2 5
attach
finish 0
awk '$1 == "threads" { n = $2 } END { exit !(n > 20) }' err || complain "sees few threads: $(cat err)"
covers 30 125

# A first thread that has ended: the others are seen to their end, or to another
# program.
has_lost_leader() { grep -q '^State:.Z' "/proc/$pid/status"; }
for way in leader leader_exec; do
	begin deaths $way 2 7
	await has_lost_leader
	attach -F 250
	finish 7
	covers 60 125 250
	grep -q ' after_leader  *deaths$' err || complain "names nothing: $(cat err)"
	[ $way = leader ] || grep -q ' after_exec  *deaths$' err ||
		complain "loses the next program: $(cat err)"
done

# A thousand sleepers beside one that works.
begin waiters 6 1000 1
await has_threads 1002
attach -d 1
covers 50 125
after 0
undisturbed
exit "$bad"
