#!/bin/sh
# Children are followed, each from its first instruction to its end, or let be.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
watched=$abs_top_builddir/tests/support/watched

# watch FOLLOW WAY [SECONDS]: what was told in err, what was printed in out.
watch() {
	what="following $1: $2"
	status=0
	"$watched" -f "$1" 250 "$workloads/births" "$2" "${3-0.2}" >out 2>err ||
		status=$?
	[ "$status" != 77 ] || exit 77
	! grep '^wrong' err >&2 || complain 'breaks a promise'
	main=$(awk '$1 == "exec" { print $2; exit }' err)
	child=$(awk '$1 == "child" { child = $2 } END { print child }' out)
}
# told EVENT...: a line that begins so.
told() { grep -q "^$*" err || complain "'$*' is not told: $(cat err)"; }
not_told() { ! grep -q "^$*" err || complain "'$*' is told: $(cat err)"; }
processes() { awk '$1 == "total" { print $4 }' err; }
# burns WHO WAY FOLLOW: child or main ends with 3 and has about 50 ticks,
# of its 0.2 s.  Where others want the processor, the kernel's tick can miss most
# of them: it is watched once more then.
burns() {
	tries=0
	until awk -v pid="$(eval echo "\$$1")" '$1 == "exit" && $2 == pid {
			found = $3 == 768 && $4 >= 20 && $4 <= 60
		} END { exit !found }' err; do
		tries=$((tries + 1))
		if [ "$tries" -gt 20 ]; then
			complain "$1 has no such end and ticks: $(cat err)"
			return
		fi
		watch "$3" "$2"
	done
}

for way in fork clone clone3 clone_silent vfork posix_spawn; do
	watch all "$way"
	ends_with 7
	told "fork $child $main"
	burns child "$way" all
	[ "$(processes)" = 2 ] || complain "$(processes) processes"
	for which in exec none; do
		watch "$which" "$way"
		ends_with 7
		not_told "exit $child"
		# The child's 0.2 s are 50; starting takes a few.
		[ "$(awk '$1 == "total" { print $2 }' err)" -lt 20 ] ||
			complain "counts the child: $(cat err)"
	done
done
for way in vfork posix_spawn; do
	watch all "$way"
	told "exec $child .*births burn"
done
watch all tree
ends_with 7
burns child tree all
[ "$(processes)" = 3 ] || complain "$(processes) processes"

# Another program: by main, and by another thread of three.
for way in exec thread_exec; do
	for which in all exec; do
		watch "$which" "$way"
		ends_with 3
		told "exec $main .*births $way"
		told "exec $main .*births burn"
		burns main "$way" "$which"
	done
	watch none "$way"
	ends_with 3
	told "leave $main"
	not_told "exec $main .*births burn"
done

# What the program leaves behind is waited for.
watch all daemon
ends_with 7
burns child daemon all

# And let go when somebody says so; it runs on, as it was.
daemon_is_left() { grep -q '^note the program has ended, but left 1 process' err; }
for signal in INT TERM; do
	what="a daemon, and SIG$signal"
	# What the last one said is not to be taken for this one's word.
	: >out
	: >err
	"$watched" 250 "$workloads/births" daemon 4 >out 2>err &
	watched_pid=$!
	await daemon_is_left || :
	child=$(awk '$1 == "child" { print $2 }' out)
	if [ -z "$child" ]; then
		complain "no daemon: $(cat err)"
		kill "$watched_pid"
		break
	fi
	kill -"$signal" "$watched_pid"
	status=0
	wait "$watched_pid" || status=$?
	ends_with 7
	told "leave $child"
	[ -z "$(cat "/proc/$child/timers")" ] || complain 'keeps timers'
	grep -q '^TracerPid:.0$' "/proc/$child/status" || complain 'is traced'
	! grep -q '^State:.[tT]' "/proc/$child/status" || complain 'is stopped'
	while [ -d "/proc/$child" ] &&
		! grep -q '^State:.Z' "/proc/$child/status" 2>/dev/null; do
		sleep 0.05
	done
	grep -q '^burnt' out || complain 'does not come to its end'
done

# Let go after a while, with children: they run on, too.  On a busy machine a while
# is longer.
leaves_three() { # AFTER_MS
	what="a tree, for $1 ms"
	status=0
	"$watched" -d "$1" 250 "$workloads/births" tree 1 >out 2>err || status=$?
	ends_with 7
	! grep '^wrong' err >&2 || complain 'breaks a promise'
	grep -q '^burnt' out || complain 'does not come to its end'
	[ "$(grep -c '^leave' err)" = 3 ]
}
leaves_three 100 || leaves_three 400 || leaves_three 1600 ||
	complain "leaves not three: $(cat err)"
# Who wants to trace its child waits in vain: one line says so, and how to let it.
profile "$workloads/traceme" 4
grep -q "^profrun: process .* has stopped, .*--follow=none" err ||
	complain "says: $(cat err)"
profile -q --follow=none "$workloads/traceme" 4
[ "$(value traced)" = 1 ] || complain 'cannot trace its child'
[ ! -s err ] || complain "says: $(cat err)"
exit "$bad"
