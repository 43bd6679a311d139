#!/bin/sh
# What a program does to its memory keeps profrun from ending for a few seconds at
# most; the thread that traces does not wait for the file system that it is on.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
mute=$abs_top_builddir/tests/support/mute
# A search for leaks would wait for the thread that is held.
export ASAN_OPTIONS="${ASAN_OPTIONS-}${ASAN_OPTIONS:+:}detect_leaks=0"

profile -q "$workloads/shares" 0.05

# A thread of profrun's waits in such a way that no signal but KILL ends it.
is_held() {
	for task in "/proc/$pid/task/"*; do
		[ "$(state_of "$task")" != D ] || return 0
	done
	return 1
}
# Has one done so for half a second, within half a minute?
waits_until_held() {
	n_held=0 tries=0
	while [ $n_held -lt 10 ]; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ] || ! lives; then
			return 1
		fi
		if is_held; then
			n_held=$((n_held + 1))
		else
			n_held=0
		fi
		sleep 0.05
	done
}
# ends_held STATUS PROFILE [NAME]: $pid does when it is told to, and leaves that, which
# has NAME; if no read of it is ever held, it is killed, and what it had attached to may
# end with it: 1.
ends_held() {
	if ! waits_until_held; then
		echo "$what: no read was held" >&2
		kill -KILL "$pid" 2>/dev/null || :
		wait "$pid" || :
		return 1
	fi
	kill -TERM "$pid"
	ends_by_itself
	[ "$status" = "$1" ] || complain "status $status"
	grep -q 'does not come' err || complain "does not say why: $(cat err)"
	"$PROFRUN" report "$2" >table 2>&1 || :
	grep -q "${3-flick}" table ||
		complain "has no profile: $(cat table)"
}

not_held=
if "$workloads/flicker" 0; then
	what='memory that is taken away'
	"$PROFRUN" -F 5000 -g --trigger=timer "$workloads/flicker" 1000 \
		>out 2>err &
	pid=$!
	ends_held 137 gmon.out || not_held="$not_held: $what"

	what='memory that a process takes away which is watched'
	"$workloads/flicker" 1000 &
	flicker=$!
	"$PROFRUN" -F 5000 -g --trigger=timer -p $flicker -o attached.out \
		>out 2>err &
	pid=$!
	# A read can be held before there is a timer.
	if ends_held 0 attached.out 'flick\|has no ticks'; then
		kill -0 $flicker || complain 'takes the process with it'
	else
		not_held="$not_held: $what"
	fi
	kill -KILL $flicker 2>/dev/null || :

	what='memory that a process takes away which the program has left behind'
	# shellcheck disable=SC2016
	"$PROFRUN" -F 5000 -g --trigger=timer -o behind.out \
		sh -c '"$0" 1000 &' "$workloads/flicker" >out 2>err &
	pid=$!
	# The program has ended, and yet the run has not.
	! waits_until_held || await grep -q 'memory is waited for' err || :
	ends_held 0 behind.out || not_held="$not_held: $what"
fi

if "$workloads/flicker" 0; then
	what='memory that a process takes away which is watched for a while'
	"$workloads/flicker" 1000 &
	flicker=$!
	"$PROFRUN" -F 5000 -g --trigger=timer -d 8 -p $flicker -o while.out \
		>out 2>err &
	pid=$!
	ends_by_itself
	[ "$status" = 0 ] || complain "status $status: $(cat err)"
	grep -q 'does not come' err || echo "$what: no read was held" >&2
	kill -KILL $flicker 2>/dev/null || :
fi

is_there() {
	[ -e mounted/program ] || ! kill -0 $mute 2>/dev/null
}
# The program that was started last runs from there.
runs_from_there() {
	[ "$(readlink /proc/$!/exe)" = "$PWD/mounted/program" ]
}
sleeps() {
	[ "$(state_of "/proc/$1")" = S ]
}
# mount_it PROGRAM
mount_it() {
	"$mute_program" mounted "$1" >opened 2>/dev/null &
	mute=$!
	await is_there
	[ -e mounted/program ] || skip 'no file system can be mounted here'
}
unmount_it() {
	kill -KILL $mute 2>/dev/null || :
	umount -l mounted 2>/dev/null || :
}

mute_program=$mute
mkdir mounted
trap 'unmount_it; rm -rf "$work"' EXIT

what='a file system that does not answer'
mount_it "$workloads/idle"
mounted/program 1000 >/dev/null &
idle=$!
await runs_from_there
await sleeps $idle
kill -USR1 $mute
"$PROFRUN" -p $idle -d 0.2 >out 2>err &
pid=$!
await grep -q 'watching' err || : # not by the thread that traces
ends_by_itself
[ "$status" = 0 ] || complain "status $status: $(cat err)"
kill -KILL $idle
unmount_it

# is_in_exec PID: it is in execve(2), whose number is that on x86-64 or on aarch64.
is_in_exec() { grep -qE '^(59|221) ' "/proc/$1/syscall"; }
# has_exec: so is a child of $parent, or there can be no list of those.
has_exec() {
	[ -e "/proc/$parent/task/$parent/children" ] || return 0
	is_in_exec "$(cut -d' ' -f1 "/proc/$parent/task/$parent/children")"
}

# The interpreter of a script is looked for there, within the exec of that.
what='an execve that does not end, since a file system does not answer'
mount_it "$workloads/idle"
printf '#!%s\n' "$PWD/mounted/program" >script
chmod +x script
kill -USR1 $mute
./script 2>null &
script=$!
await is_in_exec $script || :
"$PROFRUN" -p $script -o script.out >out 2>err &
pid=$!
ends_by_itself
[ "$status" = 125 ] || complain "status $status: $(cat err)"
grep -q "process $script: it is in an execve that does not end" err ||
	complain "does not say why: $(cat err)"

what='a child in an execve that does not end'
# shellcheck disable=SC2016
sh -c './script 2>null & exec "$0" 1000' "$workloads/idle" >null &
parent=$!
await has_exec || :
"$PROFRUN" -p $parent -d 0.2 -o parent.out >out 2>err &
pid=$!
ends_by_itself
[ "$status" = 0 ] || complain "status $status: $(cat err)"
if [ -e "/proc/$parent/task/$parent/children" ]; then
	grep -q '1 descendant could not be .* in an execve that does not end' \
		err || complain "does not count it: $(cat err)"
fi
kill -KILL $parent
unmount_it

if command -v perl >/dev/null; then
	what='an execve that closes a file of a file system that does not answer'
	mount_it "$workloads/idle"
	# shellcheck disable=SC2016
	"$PROFRUN" -w -o closing.out perl -e '
		open my $closed_by_exec, "<", "mounted/program" or die;
		open my $begun, ">", "begun" and close $begun;
		select undef, undef, undef, 0.05 until -e "silent";
		exec "true"' >out 2>err &
	pid=$!
	await [ -e begun ] || :
	kill -USR1 $mute
	: >silent
	ends_held 137 closing.out perl || complain 'is not held'
	unmount_it
fi

# is_opened_by N OPTION...: a run of profrun beside $program opens its file so often.
is_opened_by() {
	wanted=$(($(grep -c . opened) + $1))
	shift
	profile -o opened.out -p $program -d 0.5 "$@"
	[ "$(grep -c . opened)" = $wanted ] ||
		complain "is opened $(grep -c . opened) times, not $wanted: $*"
}

what='a program that sleeps, on a file system that a process answers for'
mount_it "$workloads/idle"
mounted/program 1000 >/dev/null &
program=$!
await runs_from_there
await sleeps $program
is_opened_by 1 -g # at the end, to know the program's address
kill -KILL $program
unmount_it

what='a program on a file system that does not answer any more'
mount_it "$workloads/shares"
mounted/program 1000 >/dev/null &
shares=$!
await runs_from_there
# While that answers, the names are read; and all that runs has been brought.
profile -o named.out -p $shares -d 0.5
cp err named
profile -f pcsample -o trace -p $shares -d 0.5
id=$(readelf -n "$workloads/shares" 2>/dev/null | sed -n 's/.*Build ID: //p')
od -An -v -tx1 trace | tr -d ' \n' | grep -q "$id" || complain 'has no build-id'
"$PROFRUN" export -f flame -o flame.html trace 2>err || complain 'flame fails'
! grep -q 'may not answer' err ||
	complain "refuses source lines to a command that may wait: $(cat err)"
what='a program on a file system that does not answer any more'
grep -q ' four ' named || complain "has no names: $(cat named)"
kill -USR1 $mute
"$PROFRUN" -g -f gmon,pprof,raw,folded -o silent.out -p $shares -d 0.5 \
	>out 2>err &
pid=$!
ends_by_itself
[ "$status" = 0 ] || complain "status $status: $(cat err)"
grep -q "mounted/program: the file system does not answer" err ||
	complain "does not say which file: $(cat err)"
"$PROFRUN" report silent.out >table 2>&1 && grep -q '\[program' table ||
	complain "has no profile: $(cat table)"
kill -KILL $shares
unmount_it

# ends_beside_it FILE: $pid ends although that file system does not answer, with a
# profile in FILE.
ends_beside_it() {
	await has_ended || kill -KILL $mute
	ends_by_itself
	[ "$status" = 0 ] || complain "status $status: $(cat err)"
	"$PROFRUN" report "$1" >table 2>&1 || complain "has no profile: $(cat table)"
}

# It has the debug file as "program", and .debug is a link to it, or the file there is.
mkdir debug stripped
if cp "$workloads/shares" stripped/shares &&
	objcopy --only-keep-debug stripped/shares debug/program 2>err &&
	strip stripped/shares &&
	objcopy --add-gnu-debuglink=debug/program stripped/shares; then
	for link in .debug .debug/program; do
		what="$link on a file system that does not answer"
		mount_it debug/program
		rm -rf stripped/.debug
		[ $link = .debug ] || mkdir stripped/.debug
		target=$PWD/mounted${link#.debug}
		ln -s "$target" stripped/$link
		kill -USR1 $mute
		"$PROFRUN" -g -f gmon,pprof -o debug.out stripped/shares 0.5 \
			>out 2>err &
		pid=$!
		ends_beside_it debug.out
		grep -q '\[shares' table || complain "counts nothing: $(cat table)"
		unmount_it
	done
else
	echo "no debug file can be made: $(cat err)" >&2
fi

# The program is read; then its directory is hidden, and its file is mapped again.
what='a program whose path leads to a file system that does not answer by now'
cp "$(command -v sh)" mounted/shell
spin='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
if mounted/shell -c '/proc/$$/exe -c :; :'; then
	"$PROFRUN" -f gmon,raw -o hidden.out mounted/shell -c "$spin
		echo >ready
		until [ -e go ]; do :; done
		/proc/\$\$/exe -c '$spin'
		echo >gone_on" >out 2>err &
	pid=$!
	await [ -e ready ]
	mount_it "$workloads/idle"
	kill -USR1 $mute
	echo >go
	ends_beside_it hidden.out
	[ -e gone_on ] || complain "does not go on: $(cat out err)"
	grep -q 'shell' table || complain "counts nothing: $(cat table)"
fi
[ -z "$not_held" ] || skip "no read was held$not_held"
exit $bad
