#!/bin/sh
# Processes that run already are looked at, and left as they were.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/attaching.sh"

# A busy thread; ten times in a row, then, with a timer, until told.
begin shares 100
for i in 1 2 3 4 5 6 7 8 9 10; do
	attach -q -d 0.05
	is_free "$pid"
done
for signal in INT TERM HUP QUIT USR1 ALRM SEGV 34; do
	what="attached, and SIG$signal"
	rm -f gmon.*
	# Under nohup this shell ignores SIGHUP, and so would profrun.
	env --default-signal="$signal" "$PROFRUN" -q --trigger=timer -p "$pid" &
	profrun=$!
	await has_timers
	kill -"$signal" "$profrun"
	status=0
	wait "$profrun" || status=$?
	[ "$status" = 0 ] || complain "profrun ends with $status"
	[ -s gmon.out ] || complain 'writes no profile'
	is_free "$pid"
done

# profrun dies while it samples: the program runs on, with a timer whose signal it
# ignores.
what='profrun killed'
# A program that only computes is off its processor when it is stopped: to make the
# timers takes some ten stops.
n_stops() { awk '/^voluntary_ctxt/ { print $2 }' "/proc/$pid/status"; }
is_sampled() { [ "$(n_stops)" -gt $((before + 40)) ]; }
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	before=$(n_stops)
	"$PROFRUN" -F 1000 -q --trigger=timer -o null -p "$pid" 2>null &
	profrun=$!
	# While a timer is being made it must not be: see profrun-internals(7).
	await is_sampled
	sleep "0.$((i * 37 % 40 + 10))"
	kill -KILL "$profrun"
	wait "$profrun" 2>null || :
	await is_let_go "$pid"
	is_untroubled "$pid"
done
has_timers || complain 'was never there'
# It has computed for hundreds of ticks of such timers before the end.
attach -q -d 0.1
is_untroubled "$pid"
kill "$pid"
finish 143

# All threads.
begin threads 4 4
await has_threads 5
"$watched" -d 800 -p "$pid" 250 2>err || complain "watched: $(cat err)"
grep -q '^wrong' err && complain "$(grep '^wrong' err)"
[ "$(grep -c '^thread ' err)" = 4 ] || complain "not four threads: $(cat err)"
read -r _ ticks cpu_ns _ <<END
$(grep '^total' err)
END
[ $((ticks * 4000000)) -gt $((cpu_ns / 2)) ] &&
	[ $((ticks * 4000000)) -lt $((cpu_ns * 5 / 4 + 50000000)) ] ||
	complain "$ticks ticks of 4 ms in $cpu_ns ns"
after 0

# A first thread that has ended: the others are let go.
has_lost_leader() { grep -q '^State:.Z' "/proc/$pid/status"; }
begin deaths leader 1 7
await has_lost_leader
attach -q -d 0.3
is_free "$pid"
finish 7

# Inside a PID namespace other numbers are the threads': they have their timers
# all the same.
if unshare -Urpf --mount-proc true 2>/dev/null; then
	what='a process of another namespace'
	unshare -Urpf --mount-proc "$workloads/threads" 2 4 >out &
	outer=$!
	children=/proc/$outer/task/$outer/children
	has_child() { [ -n "$(cat "$children")" ]; }
	if [ -e "$children" ] && await has_child; then
		read -r pid <"$children" || :
		await runs_program threads
		await has_threads 3
		attach --trigger=timer -d 0.5
		! grep -q 'could not have' err || complain "says: $(cat err)"
		is_free "$pid"
	fi
	pid=$outer
	finish 0
fi

# In a container, too, which has a /tmp of its own: there is the map of the code
# that it makes, under the number that it has there.
mkdir tmp
cp "$workloads/jitted" tmp
made='mount --bind tmp /tmp && exec /tmp/jitted "$0"'
if unshare -Urpfm --mount-proc sh -c "$made" 0.01 >out 2>err; then
	what='code that a container makes'
	unshare -Urpfm --mount-proc sh -c "$made" 60 >out &
	outer=$!
	children=/proc/$outer/task/$outer/children
	has_child() { [ -n "$(cat "$children")" ]; }
	if [ -e "$children" ] && await has_child; then
		read -r pid <"$children" || :
		await runs_program jitted
		attach -d 0.5
		grep -q 'jit_two.*\[jit\]' err || complain "says: $(cat err)"
		kill -KILL "$pid"
	else
		kill -KILL "$outer"
	fi
	wait "$outer" || :
fi

# Who only waits is not stopped, nor given anything; the little that it computes
# may have a sample.
begin waiters 4 5 0
attach -d 0.5
grep -Eq 'too little CPU time to say anything|samples? (is|are) too few' err ||
	complain "says: $(cat err)"
after 0
undisturbed
begin evloop 8
attach -F 1000 -d 0.7
after 0
total() { awk -v n="$1" '$1 == n && $2 == "total" { print $3 }' out; }
[ "$(total eintr)" = 0 ] || complain "$(grep ^eintr out)"
# The two stops from outside may each have cut a write of 1 MiB.
[ "$(total short)" -le 2 ] || complain "$(grep ^short out)"

# Until the first stop of one makes the timers, threads are interrupt's: that is no
# kernel whose timers do not wait for the end of a call.
refusing=$abs_top_builddir/tests/support/refusing
if "$refusing" perf_event_open true; then
	begin shares 60
	what="profrun -p $pid, without perf events"
	status=0
	"$refusing" perf_event_open "$PROFRUN" -o null -d 0.5 -p "$pid" 2>err ||
		status=$?
	[ "$status" = 0 ] || complain "profrun ends with $status: $(cat err)"
	! grep 'may be short' err >&2 || complain 'warns of its few stops'
	kill "$pid"
	finish 143
fi

# Our signal is SIGURG: one of the program's own that comes beside it is lost.
begin urged 8
attach -q -F 1000 --trigger=timer -d 1
after 0
[ "$(value lost)" = 0 ] || complain "$(value lost) signals are lost"

# A program that is stopped stays so, and goes on when it is told to.
is_stopped() { grep -q '^State:.T' "/proc/$pid/status"; }
begin shares 1
kill -STOP "$pid"
await is_stopped
attach -q -d 0.2
# The kernel wakes it at detach, to stop it again in its own name.
await is_stopped || complain 'is not stopped any more'
kill -CONT "$pid"
finish 0

# A tree: those that are there, and those to come.
what='a tree'
sh -c 'for i in 1 2; do "$0" 1.5 & done; "$0" 0.2; "$0" 0.2; wait' \
	"$workloads/shares" >/dev/null &
pid=$!
has_children() { [ "$(wc -w <"/proc/$pid/task/$pid/children")" -ge 3 ]; }
if [ -e "/proc/$pid/task/$pid/children" ] && await has_children; then
	"$watched" -d 800 -p "$pid" 250 2>err || complain "watched: $(cat err)"
	grep -q '^wrong' err && complain "$(grep '^wrong' err)"
	read -r _ _ _ processes _ unreached <<END
$(grep '^total' err)
END
	[ "$processes" -ge 4 ] && [ "$unreached" = 0 ] ||
		complain "not the whole tree: $(cat err)"
	for child in $(cat "/proc/$pid/task/$pid/children"); do
		[ ! -d "/proc/$child" ] || is_free "$child"
	done
fi
after 0

# A chain of children, each the last one's: all of them, or it is said why not.
what='a chain of processes'
begin crowd 150 forks 8
depth() {
	next=$pid n=0
	while [ -n "$next" ]; do
		n=$((n + 1)) last=$next
		next=$(tr -d ' ' <"/proc/$last/task/$last/children") || next=
	done
	[ "$n" = 151 ]
}
if [ -e "/proc/$pid/task/$pid/children" ] && await depth; then
	attach -v -d 0.1
	grep -q ' 151  processes$' err || complain "is not had whole: $(cat err)"
	(
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -n 64
		attach -v -d 0.1
		grep -q 'warning: .*could not be attached to.*files' err ||
			complain "is cut short without a word: $(cat err)"
		exit "$bad"
	) || bad=1
fi
after 0

# Of a tree somebody else traces a part, and we are told.
what='a tree that is traced in part'
sh -c '"$0" 2 & echo $! >child; wait' "$workloads/shares" >out &
pid=$!
has_child() { [ -s child ] && [ "$(cat "/proc/$(cat child)/comm")" = shares ]; }
await has_child
child=$(cat child)
"$PROFRUN" -q -o null -p "$child" &
profrun=$!
await is_traced "$child"
attach -d 0.2
[ "$(grep -c '^profrun: warning: 1 descendant could not' err)" = 1 ] &&
	grep -q "process $child: it is traced already.*end that first" err ||
	complain "says: $(cat err)"
attach -q -d 0.1
[ ! -s err ] || complain "is not quiet: $(cat err)"
kill "$profrun"
wait "$profrun" || complain "profrun ends with $?"
after 0

# refused REASON PID...: one line, and status 125.
refused() {
	reason=$1
	pids=$2
	what="profrun -p $pids"
	status=0
	$as "$PROFRUN" -o null -p "$pids" -d 1 2>err || status=$?
	[ "$status" = 125 ] || complain "status $status: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || complain "says not one line: $(cat err)"
	grep -q "$reason" err || complain "says: $(cat err)"
}
as=
begin waiters 90 1 0
refused 'no such process' "$pid,4194304"
is_free "$pid"
"$PROFRUN" -q -o null -p "$pid" &
profrun=$!
await is_traced "$pid"
refused 'is traced already' "$pid"
kill "$profrun"
wait "$profrun" || complain "profrun ends with $?"
is_free "$pid"
what='profrun of itself'
# shellcheck disable=SC2016
sh -c 'exec "$PROFRUN" -o null -p $$' 2>err && complain 'succeeds'
grep -q 'this very profrun' err || complain "says: $(cat err)"
sh -c 'sleep 0.5 & echo $! >zombie; exec sleep 60' &
parent=$!
is_zombie() { [ -s zombie ] && grep -q '^State:.Z' "/proc/$(cat zombie)/status"; }
await is_zombie
refused 'has ended' "$(cat zombie)"
kill "$parent"
wait "$parent" || :
if [ "$(cat /proc/2/comm 2>/dev/null)" = kthreadd ]; then
	refused 'thread of the kernel' 2
fi
# Of another user, and one that may not be read by its own.
as='setpriv --reuid=65534 --regid=65534 --clear-groups'
chmod 711 .
if [ "$(id -u)" = 0 ] && $as "$PROFRUN" --version >/dev/null 2>&1; then
	refused "another user's" "$pid"
	# prctl(PR_SET_DUMPABLE, 0)
	if $as perl -e 'syscall(157, 4, 0) == 0 or exit 1' 2>/dev/null; then
		$as perl -e 'syscall(157, 4, 0); sleep 60' &
		secret=$!
		is_secret() { [ "$(stat -c %u "/proc/$secret/status")" = 0 ] &&
			grep -q '^Uid:.65534' "/proc/$secret/status" &&
			grep -q '^Name:.perl' "/proc/$secret/status"; }
		await is_secret
		refused 'protects itself' "$secret"
		kill "$secret"
		wait "$secret" || :
	fi
fi
is_free "$pid"
kill "$pid"
finish 143
exit "$bad"
