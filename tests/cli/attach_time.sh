#!/bin/sh
# Of processes that run already all CPU time is seen, to their end.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/attaching.sh"

# A busy thread, for a while.
a_while() {
	attach -d 1.5
	covers 60 125
}
begin shares 100
once_more a_while
grep -qx "profrun: watching $pid (shares), 1 thread; it ends after 1.5 s or by \\^C" err ||
	complain "says not whom it watches: $(cat err)"
grep -Eq "^  attached  to $pid \(shares\) for 1\.[0-9]* s\$" err ||
	complain "says: $(cat err)"
grep -Eq ' (two|three|four)  *shares$' err || complain "names nothing: $(cat err)"
is_free "$pid"
kill "$pid"
finish 143

# Threads that begin meanwhile, too; until the program's end.
to_its_end() {
	begin churn 2 5
	attach
	finish 0
	awk '$1 == "threads" { n = $2 } END { exit !(n > 20) }' err ||
		complain "sees few threads: $(cat err)"
	covers 30 125
}
once_more to_its_end

# A first thread that has ended: the others are seen to their end, or to another
# program.
has_lost_leader() { grep -q '^State:.Z' "/proc/$pid/status"; }
without_leader() {
	begin deaths "$1" 1 7
	await has_lost_leader
	attach -F 250
	finish 7
	grep -q ' after_leader  *deaths$' err || complain "names nothing: $(cat err)"
	[ "$1" = leader ] || grep -q ' after_exec  *deaths$' err ||
		complain "loses the next program: $(cat err)"
	covers 60 125 250
}
once_more without_leader leader
once_more without_leader leader_exec

# A thousand sleepers beside one that works.
among_sleepers() {
	begin waiters 9 1000 1
	await has_threads 1002
	attach -d 1
	after 0
	undisturbed
	covers 50 125
}
once_more among_sleepers
exit "$bad"
