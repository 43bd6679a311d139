#!/bin/sh
# What is big or odd is profiled as anything else, and its ticks are its CPU time: a
# great many mappings and a great address space, hundreds of threads, a container that
# is throttled, clocks that others have, processors that change.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/attaching.sh"

# has_all_time OFF: of it, the ticks at 250 Hz are OFF % more or less at most.
has_all_time() {
	found=$(sum found "$(ticks)") dropped=$(sum lost "$(lost)")
	sum cpu "$(cpu)" | awk -v n="$((found + dropped))" -v off="$1" '{
		found = 100 * n / 250 / $1
		print "ticks are " found " % of the CPU time"
		exit !(found >= 100 - off && found <= 100 + off)
	}'
}
# is_whole OFF PART FUNCTION PROFRUN...: FUNCTION has PART % at least, and the ticks
# are OFF % more or less than the CPU time at most.
is_whole() {
	off=$1 part=$2 function=$3
	shift 3
	profile -F 250 "$@"
	ends_with 0
	right=0
	is_between "$part" 100 "$(self "$function")" || right=1
	has_all_time "$off" || right=1
	return $right
}
# self FUNCTION: its self %, with stacks or without.
self() {
	awk -v name="$1" 'NF > 1 && $(NF - 1) == name { sum += $1 } END { print sum + 0 }' err
}

# --- Mappings, and address space.

if "$workloads/wide" 0 >out; then
	echo "$(value mappings) mappings"
	[ "$(value mappings)" -gt 30000 ] || complain "has few mappings: $(cat out)"
	# (What the kernel takes to remove them all, at the end, no timer sees.)
	for options in '--trigger=timer' '--trigger=interrupt' '-g'; do
		once_more is_whole 10 70 work $options "$workloads/wide" 1
	done
	begin wide 60 100000
	profile -g -d 1 -p "$pid"
	ends_with 0
	[ "$(ticks)" -gt 0 ] || complain "no ticks: $(cat err)"
	profile dump "$pid"
	ends_with 0
	grep -q '\<work\>' out || complain "dump: $(cat out err)"
	kill "$pid"
	wait "$pid" || :
fi

# --- Threads.  Of those that live for two ticks, and wait for most of the time, the
# kernel's tick meets too many.

for trigger in $(silent_triggers); do
	off=2
	[ $trigger = ring ] || off=15
	once_more is_whole $off 80 live --trigger=$trigger "$workloads/churn" 4 8 512
done

# --- A fifth of a processor, as a container may have.

# quota: makes the group $group, of version 2 or 1; false: that is not allowed.
quota() {
	for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/cpu; do
		group=$root/profrun-test-$$
		mkdir "$group" 2>/dev/null || continue
		trap 'leave_group; rm -rf "$work"' EXIT
		if { [ -e "$group/cpu.max" ] && echo 20000 100000 >"$group/cpu.max"; } ||
			{ [ -e "$group/cpu.cfs_quota_us" ] &&
				echo 20000 >"$group/cpu.cfs_quota_us"; }; then
			return
		fi
		leave_group
	done
	return 1
}
# A group can be removed when nobody is in it.
leave_group() {
	tries=0
	until [ ! -d "$group" ] || rmdir "$group" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || return
		sleep 0.05
	done
}
throttled() { awk '$1 == "nr_throttled" { print $2 }' "$group/cpu.stat"; }
# in_group COMMAND...
in_group() {
	# shellcheck disable=SC2016
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}
has_its_fifth() {
	before=$(throttled)
	status=0
	in_group "$PROFRUN" -F 250 "$@" >out 2>err || status=$?
	ends_with 0
	[ "$(throttled)" -gt "$before" ] || complain 'is not throttled'
	has_all_time 2
}
what='a fifth of a processor'
if quota; then
	for trigger in $(silent_triggers) interrupt; do
		once_more has_its_fifth --trigger=$trigger "$workloads/shares" 1.5
	done
else
	echo 'no group with a quota can be made here' >&2
fi

# --- Other clocks than those of profrun.

if unshare -T --monotonic 100000 --boottime 100000 true 2>/dev/null; then
	for trigger in $(silent_triggers) interrupt; do
		once_more is_whole 2 30 four --trigger=$trigger \
			unshare -T --monotonic 100000 --boottime 100000 "$workloads/shares" 1
	done
fi

# --- Processors that are there and gone again.

# move PROCESSOR...: $pid goes from one of them to another, as long as it lives.
move() {
	while [ -d "/proc/$pid" ]; do
		for cpu; do
			taskset -acp "$cpu" "$pid" || :
		done
	done >/dev/null 2>&1
}
# unplug FILE: the processor whose file it is goes and comes, as long as $pid lives.
unplug() {
	while [ -d "/proc/$pid" ]; do
		echo 0 >"$1" && echo 1 >"$1" || return
	done
}
# Of those that this shell may run on.
processors=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status | tr ',-' '  ')
# has_its_shares CHANGE OPTION...: while CHANGE goes on.
has_its_shares() {
	begin shares 1.5
	$1 &
	shift
	profile -F 250 -p "$pid" "$@"
	wait "$pid" || complain "ends with $?"
	wait
	is_between 30 50 "$(self four)" && has_all_time 2
}
if command -v taskset >/dev/null && [ "$(echo "$processors" | wc -w)" -gt 1 ]; then
	for trigger in $(silent_triggers) interrupt; do
		once_more has_its_shares "move $processors" --trigger=$trigger
	done
fi
# Nobody else is disturbed in a machine that is there for tests.
online=/sys/devices/system/cpu/cpu1/online
if [ -n "${PRF_MACHINE-}" ] && [ -w "$online" ]; then
	for trigger in $(silent_triggers) interrupt; do
		once_more has_its_shares "unplug $online" --trigger=$trigger
	done
fi
exit "$bad"
