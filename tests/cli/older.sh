#!/bin/sh
# What older kernels lack is done without: each request that they do not know is
# refused, and then all that a kernel does not know; a run is as right as it is with it.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
refusing=$abs_top_builddir/tests/support/refusing

# without REQUEST OPTION... PROGRAM...
without() {
	what="without $*"
	status=0
	request=$1
	shift
	rm -f gmon.*
	timeout -s KILL 60 "$refusing" "$request" "$PROFRUN" "$@" >out 2>err ||
		status=$?
	if [ "$status" = 77 ] || grep -q 'ptrace is refused' err; then
		cat err >&2
		exit 77
	fi
	ends_with 0
}

# part FUNCTION: its self %, with stacks or without.
part() {
	awk -v name="$1" 'NF > 1 && $(NF - 1) == name { sum += $1 } END { print sum + 0 }' err
}

# are_found REQUEST OPTION...: both libraries, one of which is where the other was.
# (A mapping that replaces another is seen with the next reading, at most a second
# later.)
are_found() {
	without "$@" "$workloads/dlopened" "$workloads/.libs/in_first.so" \
		"$workloads/.libs/in_second.so" 2.5
	is_between 20 100 "$(part in_second)" && is_between 5 80 "$(part in_first)"
}

for request in PROCMAP_QUERY GET_RSEQ_CONFIGURATION; do
	for options in "--trigger=timer" "-g"; do
		once_more are_found $request "$options"
	done
	"$workloads/shares" 600 >/dev/null &
	pid=$!
	without $request -p $pid -d 1
	kill $pid
	[ "$(ticks)" -gt 0 ] || complain "no ticks: $(cat err)"
	awk '$6 ~ /^(one|two|three|four)$/ { n++ } END { exit !n }' err ||
		complain "no function: $(cat err)"
done

# has_shares KERNEL OPTION...: the functions have the shares that they have.
has_shares() {
	without "$@" -F 250 "$workloads/shares" 0.5
	near=0
	for name in one two three four; do
		is_near "$name" "$(part "$name")" "$(value "$name")" "$(ticks)" ||
			near=1
	done
	return $near
}
# has_calls KERNEL: the system calls have names.
has_calls() {
	without "$1" -F 250 "$workloads/syscalls" 0.3
	grep -q ' read  *\[kernel\]' err
}

# (Linux 5.10 knows no call that matters here and that 5.9 does not know.)
triggers="$(silent_triggers) interrupt"
for kernel in linux-4.18 linux-5.9; do
	what="a filter as of $kernel"
	status=0
	"$refusing" $kernel "$PROFRUN" check >out 2>err || status=$?
	[ "$status" != 77 ] || break
	grep -q '^mappings .*once a second' out || complain "refuses nothing: $(cat out)"
	for trigger in $triggers; do
		once_more has_shares $kernel "--trigger=$trigger"
	done
	once_more has_shares $kernel -g
	without $kernel -w sleep 0.3
	grep -q 'nanosleep  *\[kernel\]' err || complain "no call: $(cat err)"
	once_more are_found $kernel -g
	once_more has_calls $kernel
	"$workloads/shares" 600 >/dev/null &
	pid=$!
	without $kernel -g -p $pid -d 1
	[ "$(ticks)" -gt 0 ] || complain "no ticks: $(cat err)"
	without $kernel dump $pid
	grep -Eq '\<(one|two|three|four)\>' out || complain "no function: $(cat out)"
	kill $pid
	without $kernel report
	grep -Eq ' (one|two|three|four) ' out || complain "no function: $(cat out)"
done

what='profrun check on an older kernel'
status=0
"$refusing" PROCMAP_QUERY "$PROFRUN" check >out 2>err || status=$?
grep -q '^mappings .*once a second' out || complain "says: $(cat out err)"

# Timers of old kernels interrupt calls: it is said.  (Linux calls itself 2.6 for
# those who want that.)
what='a kernel whose timers do not wait'
if setarch "$(uname -m)" --uname-2.6 true 2>err; then
	as_old="setarch $(uname -m) --uname-2.6"
	$as_old "$PROFRUN" check >out 2>&1 || :
	tr -s ' \n' ' ' <out |
		grep -q 'timer no a timer .* kernel is older than Linux 5\.' ||
		complain "check says: $(cat out)"
	# shellcheck disable=SC2086 # words
	"$refusing" perf_event_open $as_old "$PROFRUN" -o null \
		"$workloads/shares" 0.3 >out 2>err ||
		complain "ends with $?: $(cat err)"
	grep -q 'warning: .* may be short: CPU timers of this kernel' err ||
		complain "says: $(cat err)"
	$as_old "$PROFRUN" --trigger=timer -o null "$workloads/shares" 0.3 \
		>out 2>err || complain "ends with $?: $(cat err)"
	! grep 'may be short' err >&2 || complain 'warns of what was asked for'
fi

exit "$bad"
