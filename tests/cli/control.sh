#!/bin/sh
# When to look: for a while, after a while, between two signals.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# -d: the program goes on, untraced and without timers, and the files are there.
# shellcheck disable=SC2016
profile -d 0.3 sh -c '"$0" 1; until [ -s gmon.out ] && [ -s gmon.syms ]
	do sleep 0.05; done
	cat /proc/$$/timers; grep -c "^TracerPid:.0$" /proc/$$/status; exit 9' \
	"$workloads/shares"
ends_with 9
[ "$(tail -n 1 out)" = 1 ] || complain "is still traced: $(cat out)"
[ "$(wc -l <out)" = 7 ] || complain "has timers, or another result: $(cat out)"
for_a_while() {
	profile -d 0.3 "$workloads/shares" 0.8
	ends_with 0
	is_between 0.01 0.7 "$(cpu)" || complain "$(cpu) s of CPU time"
	is_between 0.79 0.9 "$(value cpu_seconds)" || complain "the program: $(cat out)"
	covers 50 130
}
once_more for_a_while
for end in 'segv 139' 'term 143' 'kill 137' 'abort 134' 'leader 7' 'exec 7'; do
	profile -q -d 0.1 "$workloads/deaths" "${end% *}" 0.3 7
	ends_with "${end#* }"
	[ -s gmon.out ] || complain 'writes no profile'
done
# What cannot be written does not make it leave the program to itself.
if [ -w full ]; then
	what='-d, and a full disk'
	status=0
	"$PROFRUN" -q -d 0.1 -f pcsample -o full "$workloads/shares" 0.6 >out 2>err ||
		status=$?
	ends_with 125
	[ -s out ] || complain "is left before its end: $(cat err)"
fi
profile -q -d 10000 true
ends_with 0
profile -q -d 0.3 "$workloads/blocked" 1
ends_with 0
for name in eintr returned; do
	[ "$(awk -v n="$name" '$1 == n && $2 == "total" { print $3 }' out)" = 0 ] ||
		complain "$(grep "^$name .* [^0]" out)"
done
profile -q -F 1000 -d 0.2 "$workloads/threads" 8 0.6
ends_with 0

# A signal to profrun reaches the program that it has let go.
what='a signal after -d'
rm -f gmon.*
"$PROFRUN" -q -d 0.1 sh -c 'trap "exit 6" TERM; until [ -s gmon.out ]
	do sleep 0.05; done; echo >ready; while :; do sleep 0.05; done' &
profrun=$!
until [ -e ready ]; do sleep 0.05; done
kill -TERM "$profrun"
status=0
wait "$profrun" || status=$?
[ "$status" = 6 ] || complain "ends with $status"

# -D: neither ticks nor CPU time before it.
after_a_while() {
	profile -v -D 500 "$workloads/shares" 1.5
	ends_with 0
	is_between 0.1 1.499 "$(cpu)" || complain "$(cpu) s of CPU time"
	grep -Eq '^ *[1-9][0-9]*  ticks while counting was off' err ||
		complain "no tick fell before: $(cat err)"
	covers 70 120
}
once_more after_a_while
profile -D 100000 "$workloads/shares" 0.2
ends_with 0
[ "$(ticks)" = 0 ] || complain "$(ticks) ticks"
grep -q 'the run ended before -D was over' err || complain "says: $(cat err)"
grep -q '^  counted   [0-9.]* s of the wall time$' err || complain "says: $(cat err)"
# What did not count has not waited.
profile -D 100000 "$workloads/shares" 1.2
! grep -q 'where it waits' err || complain "says: $(cat err)"
in_between() {
	profile -D 200 -d 0.3 "$workloads/shares" 0.8
	covers 50 130
}
once_more in_between

# --toggle-signal: off at the first, on at the second; with -v that is said.
# toggled SIGNAL OPTION...: a program that switches its tracer off for a while.
toggled() {
	signal=$1
	shift
	# shellcheck disable=SC2016
	profile "$@" --toggle-signal="$signal" sh -c '
		"$0" 0.2 && kill -"$1" $PPID && "$0" 0.5 &&
		kill -"$1" $PPID && "$0" 0.2' "$workloads/shares" "$signal"
	ends_with 0
}
for signal in USR2 URG 35; do
	toggled $signal -v
	grep -q '^profrun: counting is off' err || complain "says: $(cat err)"
	grep -q '^profrun: counting is on' err || complain "says: $(cat err)"
done
toggled USR2
! grep -q 'counting is' err || complain "says: $(cat err)"
grep -q '^  counted   [0-9.]* s of the wall time$' err || complain "says: $(cat err)"
profile --toggle-signal=USR2 sh -c 'kill -USR2 $PPID; i=0
	while [ $i -lt 300000 ]; do i=$((i + 1)); done'
ends_with 0
[ "$(ticks)" -le 5 ] || complain "$(ticks) ticks"
exit "$bad"
