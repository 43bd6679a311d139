#!/bin/sh
# Threads, processes and programs that come and go, in crowds: none is lost,
# nothing hangs, nothing grows with those that have ended, and short ones are
# counted by their time.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
careless=$abs_top_builddir/tests/support/careless
watched=$abs_top_builddir/tests/support/watched

# figure NAME: of sampled.
figure() { awk -v name="$1" '$1 == name { print $2 }' err; }

# run_sampled TRIGGER RATE PROGRAM...
run_sampled() {
	what="$*"
	status=0
	"$sampled" "$@" >out 2>err || status=$?
	[ "$status" != 77 ] || exit 77
	ends_with 0
}

# has FIGURE -eq|-lt|-gt VALUE
has() {
	test "$(figure "$1")" "$2" "$3" ||
		complain "$1 is $(figure "$1"), not $2 $3: $(cat err)"
}

# Of the signals that may be pending, timers of ended threads take a sixteenth.
# (Those of all processes count, so others may be denied theirs by less.)
prlimit --pid $$ --sigpending=16000: 2>/dev/null || : # it is less already

# Few timers are kept, and no memory, however many have ended.  (Sanitizers keep
# what is freed, unless they are told not to.)
ASAN_OPTIONS=${ASAN_OPTIONS-}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0
export ASAN_OPTIONS
for trigger in timer interrupt; do
	run_sampled $trigger 250 "$workloads/churn" 0.03 0.1
	little=$(figure own_kb)
	run_sampled $trigger 250 "$workloads/churn" 0.3 0.1
	has threads -eq $((1 + $(value lives)))
	has own_kb -lt $((little + 1024))
	[ "$(value timers)" -lt 1100 ] || complain "leaves $(value timers) timers"
done
run_sampled timer 1000 "$workloads/crowd" 600 threads 0.2
has threads -eq 601
run_sampled interrupt 1000 "$workloads/crowd" 600 threads 0.1
has threads -eq 601

# counted RATE LOW HIGH: ticks, as a part of the CPU time.
counted() {
	part=$(sum ticks "$(figure ticks)" |
		quotient "$(sum expected "$(product "$1e-9" "$(figure cpu_ns)")")")
	echo "$what: $part of its ticks"
	is_between "$2" "$3" "$part"
}
# Shorter than the kernel's tick, and a little longer, at rates below and above
# it.  Where others have the processors, a thread gets its turn from one tick
# and may have ended before the next: of the shorter ones few are met then.
short_ones() {
	run_sampled timer "$1" "$workloads/churn" "$2" "$3"
	counted "$1" "$4" 1.6
}
for rate in 100 250 1000; do
	once_more short_ones $rate 0.6 1 0.1
	once_more short_ones $rate 1 6 0.5
done

# Each process and each of its ends is told of once; none is told of wrongly.
what='churn of processes'
"$watched" 250 "$workloads/churn" 0.2 1 2 process >out 2>err || complain "ends with $?"
lives=$(value lives)
[ "$(grep -c '^fork' err)" = "$lives" ] || complain "not $lives forks"
[ "$(grep -c '^exit' err)" = $((lives + 1)) ] || complain "not $lives exits"
! grep '^wrong' err >&2 || complain 'tells wrongly'
what='churn of threads'
for every in '' -e; do
	"$watched" $every 250 "$workloads/churn" 0.2 1 2 >out 2>err || complain "ends with $?"
	[ "$(grep -c '^end' err)" = $(($(value lives) + 1)) ] || complain 'not as many ends'
	! grep '^wrong' err >&2 || complain "tells wrongly ($every)"
done
what='a row of forks'
"$watched" 250 "$workloads/crowd" 60 forks 0.1 >out 2>err || complain "ends with $?"
[ "$(grep -c '^fork' err)" = 60 ] || complain "not 60 forks"
[ "$(grep -c '^exit' err)" = 61 ] || complain "not 61 exits"

# Programs one after the other, by a thread that is not the first, too.
execs() {
	run_sampled $trigger 250 "$workloads/crowd" 40 execs 0.6
	has programs -eq 41
	[ "$(value timers)" -le 1 ] || complain "leaves $(value timers) timers"
	counted 250 0.3 1.6
}
for trigger in timer interrupt; do once_more execs; done

# The first thread has ended, others live: one waits for it in vain.
what='a tracer that waits for each stop'
status=0
timeout -s KILL 2 "$careless" blocking "$workloads/crowd" 100 leader >out 2>err ||
	status=$?
[ "$status" != 0 ] || complain 'gets to the end: this test cannot fail'
for trigger in timer interrupt; do
	run_sampled $trigger 1000 timeout -s KILL 30 "$workloads/crowd" 100 leader 0.1
done
leader() {
	profile -F 250 "$workloads/deaths" leader 0.3
	ends_with 7
	is_between 25 75 "$(sum share "$(share after_leader deaths)" |
		quotient "$(sum runs 1)")"
}
once_more leader

# While a parent waits in vfork for its child, its other threads are looked at.
vfork() {
	run_sampled $trigger 250 "$workloads/crowd" 1 vfork 0.5
	counted 250 0.3 1.5
}
for trigger in timer interrupt; do once_more vfork; done
exit "$bad"
