#!/bin/sh
# Samples that the kernel takes: where they are refused, profrun says so; where
# they are allowed, ticks are CPU time at any rate and of any thread, the program
# gets no signal, and what it maps, calls and starts has its name.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# Refused: one line, and the program is not run.
what='profrun --trigger=ring, refused'
status=0
"$abs_top_builddir/tests/support/refusing" perf_event_open \
	"$PROFRUN" --trigger=ring touch ran >out 2>err || status=$?
[ "$status" != 77 ] || exit 77
ends_with 125
[ ! -e ran ] || complain 'has run the program'
[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
grep -q '^profrun: trigger ring: .*seccomp' err || complain "says: $(cat err)"
profile -g --trigger=ring touch ran
ends_with 125
grep -q '^profrun: trigger ring: .*-g' err || complain "says: $(cat err)"

silent_triggers | grep -qx ring || exit "$bad"

is_close() {
	awk -v a="$1" -v b="$2" -v part="$3" \
		'BEGIN { exit !(a < b * (1 + part) && a > b * (1 - part)) }'
}
# ticks_are_cpu_time HZ WORKLOAD ARGUMENT...
ticks_are_cpu_time() {
	hz=$1 workload=$2
	shift 2
	profile --trigger=ring -F "$hz" "$workloads/$workload" "$@"
	ends_with 0
	per_second=$(sum ticks "$(ticks)" |
		quotient "$(sum cpu_seconds "$(value cpu_seconds)")")
	echo "$what: $per_second ticks a second"
	is_close "$per_second" "$hz" 0.04
}
once_more ticks_are_cpu_time 1000 shares 1
once_more ticks_are_cpu_time 10000 shares 1
once_more ticks_are_cpu_time 1000 syscalls 1

# Threads of half a millisecond have their part.
short_threads_count() {
	profile --trigger=ring -F 1000 "$workloads/churn" 1 0.5
	ends_with 0
	is_close "$(sum ticks "$(ticks)")" \
		"$(sum expected "$(product 1000 "$(value cpu_seconds)")")" 0.2
}
once_more short_threads_count

# A thread that blocks all signals, by the system call, and waits for any.
masked_thread_counts() {
	profile --trigger=ring -F 1000 "$workloads/masked" 1 raw
	ends_with 0
	[ "$(value received)" = 0 ] || complain "signals: $(cat out)"
	is_close "$(sum ticks "$(ticks)")" \
		"$(sum expected "$(product 1000 "$(value cpu_seconds)")")" 0.04
}
once_more masked_thread_counts

# In step with the kernel's tick: both halves are seen.  (Where processors are
# waited for, they are so only nearly as they are.)
is_seen_as_it_is() {
	profile --trigger=ring -F 250 "$workloads/periodic" 3 "$1"
	ends_with 0
	found=$(awk -v a="$(share first_half)" -v b="$(share second_half)" \
		'BEGIN { print (a + b > 0 ? 100 * a / (a + b) : 0) }')
	echo "offset $1: found $found, true $(value first_half)"
	is_close "$(sum found "$found")" "$(sum true "$(value first_half)")" 0.35
}
once_more is_seen_as_it_is 0
once_more is_seen_as_it_is 0.25

# A system call has its name; user time alone has none.
profile --trigger=ring -F 1000 "$workloads/syscalls" 1
awk -v read="$(share read '[kernel]')" 'BEGIN { exit !(read > 0) }' ||
	complain "does not name read: $(cat err)"
profile --trigger=ring --clock=user -F 1000 "$workloads/syscalls" 1
! grep -qF '[kernel]' err || complain "has the kernel: $(cat err)"

# Processes that end before their samples are read, and what they map.
profile -v --trigger=ring -F 4000 sh -c \
	'i=0; while [ $i -lt 40 ]; do sh -c :; i=$((i + 1)); done'
ends_with 0
unknown=$(awk '$3 == ".." && /\[unknown\]/ { sum += $1 } END { print sum + 0 }' err)
awk -v part="$unknown" 'BEGIN { exit !(part < 5) }' ||
	complain "$unknown % are unknown: $(cat err)"

# A process that is attached to.
"$workloads/shares" 30 >attached &
pid=$!
what="profrun -p $pid"
status=0
"$PROFRUN" --trigger=ring -F 1000 -d 1 -p "$pid" 2>err || status=$?
kill "$pid"
if ! grep -q 'ptrace is refused' err; then
	ends_with 0
	[ "$(ticks)" -gt 0 ] || complain "has no ticks: $(cat err)"
fi
exit "$bad"
