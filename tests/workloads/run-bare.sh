#!/bin/sh
# Each workload runs by itself, untraced: it ends as it should, and its own
# account of the run is what tests under profrun will hold profrun to.
set -eu
workloads=$abs_top_builddir/tests/workloads
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

fail() {
	echo "$*" >&2
	sed 's/^/	/' "$work/out" >&2
	bad=1
}

# run STATUS WORKLOAD [ARG...]: leaves what it prints in $work/out.
run() {
	wanted=$1
	program=$workloads/$2
	shift 2
	title="${program##*/} $*"
	status=0
	"$program" "$@" >"$work/out" || status=$?
	[ "$status" = "$wanted" ] || fail "$title: exit status $status"
}

# The same, for a workload that may be refused; false if it is.
run_or_refused() {
	title=$*
	program=$workloads/$1
	shift
	status=0
	"$program" "$@" >"$work/out" || status=$?
	[ "$status" != 77 ] || return 1
	[ "$status" = 0 ] || fail "$title: exit status $status"
}

# is NAME... VALUE: a line of the last run.
is() {
	grep -qxF -- "$*" "$work/out" || fail "$title: not '$*'"
}

# between NAME LOW HIGH: the value of NAME in the last run.
between() {
	awk -v name="$1" -v low="$2" -v high="$3" '
		$1 == name { seen = $2 >= low && $2 <= high }
		END { exit !seen }' "$work/out" ||
		fail "$title: $1 is not in $2..$3"
}

# The bounds leave room for a machine that is busy with other things.
run 0 shares 0.1
between one 5 15
between two 14 26
between three 22 38
between four 30 50
run 0 threads 4 0.1
between thread_4 0.04 0.08
between together 0.03 0.07
run 0 threads 16 0.3 equal
between own_16 0.003 0.03
run 0 uneven 20
is heavy 75
between cpu_seconds 0.002 2
run 0 faults 0.05
between faults 4096 100000000
for way in poll nanosleep futex; do
	run 0 idle 0.02 "$way"
	is calls 1
	is eintr 0
	between wall_seconds 0.02 10
	between cpu_seconds 0 0.02
done
run 0 waits 1 3
is eintr 0
# Without a processor it does not come to its sleeps.
waited=$(awk '$1 == "no_processor" { print int($2) }' "$work/out")
[ "$waited" -ge 30 ] || between sleeps 1 99
between wall_seconds 1 20
between thread_seconds 4 80
run 0 callshare getpid 0.1
between the_call 1 90
run 0 callshare zero 0.1
between the_call 1 90
run 0 syscalls 0.1
between getrandom 5 90
run 0 churn 0.05 2
between lives 10 25
run 0 churn 0.05 2 50
is lives 50
run 0 churn 0.05 2 5 process
between cpu_seconds 0.05 0.5
run 0 dlopened "$workloads/.libs/in_first.so" "$workloads/.libs/in_second.so" 0.1
between in_first 15 35
between in_second 55 85

for way in fork clone clone3 clone_silent vfork posix_spawn tree daemon; do
	run 7 births "$way" 0.01
	between child 1 10000000
done
for way in exec thread_exec; do
	run 3 births "$way" 0.01
	between burnt 0.01 0.5
done
run 0 waiters 0.1 10 1
for name in early eintr woken; do is "$name" 0; done

run 0 heard
for name in lost changed extra disordered; do
	is $name 0
done
run 0 signals 0.01
between types 60 62
for name in lost changed extra disordered; do is "$name" 0; done
run 0 storm 0.05 2000
for name in lost changed misplaced; do is "$name" 0; done
between sent 10 200
run 0 receives 0.01
is wrong total 0
run 0 ticked 0.1
run 0 timeouts 0.1 20
is early total 0
is wrong total 0
run 0 crowd 50 threads 0.01
is timers 0
run 0 crowd 50 leader 0.01
run 0 crowd 5 execs 0.01
run 0 crowd 5 forks 0.01
between cpu_seconds 0.01 1
run 0 crowd 2 vfork 0.01
for way in plain dumpable ptracer no_new_privs; do
	run_or_refused hides 0.02 $way || :
done
for way in libc raw; do
	run 0 masked 0.05 "$way"
	is received 0
	between polls 10 1000000
done

for way in return exit _exit leader leader_exec exec thread_exec; do
	run 7 deaths "$way" 0.01 7
	between cpu_seconds 0.01 10
done
between exec_seconds 0.02 10
run 0 deletes 0.01
run 0 traceme 3
run 134 deaths abort 0.01
run 139 deaths segv 0.01
run 143 deaths term 0.01
run 137 deaths kill 0.01

run 0 longsys 0.005
is short total 0
is eintr total 0
run 0 longsys 0.005 read_zero getrandom
[ "$(grep -c '^calls ' "$work/out")" = 3 ] || fail "$title: not just these"
run 0 evloop 0.05
is short total 0
is eintr total 0
run 0 blocked 0.05
is returned total 0
is eintr total 0
calls=$(sed -n 's/^calls total //p' "$work/out")
refused=$(sed -n 's/^refused total //p' "$work/out")
is asleep total $((calls - refused))
[ "$refused" -lt 30 ] || fail "$title: most waits are refused"
run 0 ignored 2
is woken total 0
run 0 ignored 2 stopped
is slept total 0
for way in ppoll epoll_pwait sigsuspend; do
	for sender in thread process; do
		run 0 lostwake 0.05 "$way" "$sender"
		is lost 0
		is spurious 0
		between rounds 1 1000000
	done
done
for way in list no_restart no_timers strict; do
	if run_or_refused seccompy 0.05 "$way"; then
		is survived 1
		[ "$way" = strict ] || is eintr 0
	fi
done
if run_or_refused seccompy 0.05 no_restart poked; then is eintr 0; fi

run 0 urged 0.1
is lost 0
run 0 uring 0.1
grep -q '^refused' "$work/out" || is eintr total 0
if run_or_refused jitted 0.1; then
	between jit_one 15 35
	between jit_two 55 85
	map=$(sed -n 's/^map //p' "$work/out")
	grep -q ' jit_two$' "$map" || fail "$title: no map"
	rm -f "$map"
fi
exit "$bad"
