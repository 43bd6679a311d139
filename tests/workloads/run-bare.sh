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
	shift
	title=$*
	status=0
	"$workloads/$@" >"$work/out" || status=$?
	[ "$status" = "$wanted" ] || fail "$title: exit status $status"
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

# Shares are of fixed amounts of work, so the bounds can be narrow.
run 0 shares 0.1
between one 8 12
between two 17 23
between three 26 34
between four 35 45
run 0 threads 4 0.1
between thread_4 0.04 0.06
between together 0.04 0.06
run 0 threads 16 0.1 equal
between own_16 0.002 0.006
for way in poll nanosleep futex; do
	run 0 idle 0.02 "$way"
	is calls 1
	is eintr 0
	between wall_seconds 0.02 10
	between cpu_seconds 0 0.02
done
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
between in_second 55 80

run 0 signals 0.01
between types 60 62
for name in lost changed extra disordered; do is "$name" 0; done
for way in libc raw; do
	run 0 masked 0.05 "$way"
	is received 0
	between polls 10 1000000
done

for way in return exit _exit leader exec thread_exec; do
	run 7 deaths "$way" 0.01 7
	between cpu_seconds 0.01 10
done
between exec_seconds 0.02 10
run 134 deaths abort 0.01
run 139 deaths segv 0.01
run 143 deaths term 0.01
run 137 deaths kill 0.01

case $(uname -m) in
x86_64)
	run 0 jitted 0.1
	between jit_one 20 30
	between jit_two 65 80
	map=$(sed -n 's/^map //p' "$work/out")
	grep -q ' jit_two$' "$map" || fail "jitted: no map"
	rm -f "$map"
	;;
esac
exit "$bad"
