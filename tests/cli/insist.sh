#!/bin/sh
# In every phase profrun ends when it is told to: what it waits for is not for ever,
# and a second signal ends it at once.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile -q "$workloads/shares" 0.05

# begin COMMAND...: runs it, in the background, as a process that takes SIGINT; its
# id in $pid.
begin() {
	env --default-signal=INT,TERM "$@" >out &
	pid=$!
}
# insist SIGNAL: until it ends; a first signal that comes with a second is one.
insist() {
	tries=0
	while lives; do
		tries=$((tries + 1))
		if [ $tries -gt 200 ]; then
			complain "does not end by $1"
			kill -KILL "$pid"
			break
		fi
		kill -"$1" "$pid" 2>/dev/null || :
		sleep 0.05
	done
	status=0
	wait "$pid" || status=$?
}
# Is a thread of $pid in write(2)?  (Its number on x86-64, and on aarch64.)
writes() {
	cut -d' ' -f1 "/proc/$pid/task/"*/syscall 2>/dev/null |
		grep -qxE "$write_number"
}
case $(uname -m) in x86_64) write_number=1 ;; *) write_number=64 ;; esac
# Is no signal left that $pid has still to take?
has_taken_all() {
	grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$pid/status" 2>/dev/null || ! lives
}
# ask N SIGNAL: sends so many, each when the one before has been taken.  (Those within
# 20 ms would be one.)
ask() {
	n_sent=0
	while [ $n_sent -lt "$1" ]; do
		kill -"$2" "$pid" 2>/dev/null || :
		await has_taken_all || :
		sleep 0.05
		n_sent=$((n_sent + 1))
	done
}
# ends_by N SIGNAL: $pid does, which waits for who reads what it writes, and does not
# by fewer.
ends_by() {
	await writes || :
	ask $(($1 - 1)) "$2"
	lives || complain "is ended by fewer than $1"
	kill -"$2" "$pid" 2>/dev/null || :
	ends_by_itself
}
is_let_go() { grep -q '^TracerPid:[[:space:]]*0$' "/proc/$1/status"; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }
# ends_by_one SIGNAL: a command that reads has nothing to finish.
ends_by_one() {
	sleep 0.2
	kill -"$1" "$pid" 2>/dev/null || complain 'has ended'
	status=0
	wait "$pid" || status=$?
	[ "$status" = "$by" ] || complain "status $status"
}
leaves_nothing() {
	for left in .profrun.*; do
		[ ! -e "$left" ] || complain "leaves $left"
	done
}
env --default-signal=INT true 2>/dev/null || exit 77

# A trace, and a pipe that brings the beginning of it.
"$PROFRUN" -q -g -f pcsample -o trace "$workloads/shares" 0.3 >out
mkfifo slow
exec 4<>slow
head -c 1000 trace >slow

# A pipe that is full, and that nobody reads.
mkfifo pipe
exec 3<>pipe
dd if=/dev/zero of=pipe bs=1024 count=4096 oflag=nonblock conv=notrunc \
	2>/dev/null || :

for signal in INT TERM; do
	case $signal in INT) by=130 ;; TERM) by=143 ;; esac
	what="while the profile is written, $signal"
	begin "$PROFRUN" -q -o pipe "$workloads/deaths" return 0.05 7
	ends_by 2 $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="while the summary is printed, $signal"
	rm -f summary.*
	begin "$PROFRUN" -o summary.out "$workloads/deaths" return 0.05 7 2>pipe
	until [ -e summary.out ] && [ -e summary.syms ]; do sleep 0.05; done
	ends_by 2 $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="while the summary file is written, $signal"
	begin "$PROFRUN" -o summary.out --summary-file=pipe \
		"$workloads/deaths" return 0.05 7
	ends_by 2 $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="while it is said why there is no program, $signal"
	begin "$PROFRUN" -o no.out ./no 2>pipe
	ends_by 2 $signal
	[ "$status" = "$by" ] || complain "status $status"

	what="while a trace is written, $signal"
	begin "$PROFRUN" -q -f raw -o pipe "$workloads/deaths" return 0.05 7
	insist $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	# The program lives on, and gets what profrun does.
	for where in "-q -o pipe" "-o let_go.out"; do
		what="while it is written of what lives on, $where, $signal"
		rm -f begun got
		# shellcheck disable=SC2086,SC2016
		begin "$PROFRUN" -d 0.2 $where sh -c '
			trap "echo >>got" INT TERM
			echo $$ >begun
			while :; do sleep 0.02; done' 2>pipe
		ends_by 3 $signal
		[ "$status" = "$by" ] || complain "status $status"
		leaves_nothing
		kill -0 "$(cat begun)" || complain 'takes the program with it'
		await [ -s got ] || :
		kill -KILL "$(cat begun)"
	done

	what="while it is said what is watched, $signal"
	"$workloads/idle" 1000 >/dev/null &
	idle=$!
	begin "$PROFRUN" -p $idle -o attached.out 2>pipe
	await writes || :
	ask 1 $signal
	await is_let_go $idle || :
	ends_by 1 $signal
	[ "$status" = "$by" ] || complain "status $status"
	kill -0 $idle || complain 'takes the process with it'
	kill -KILL $idle
	rm -f .profrun.*

	what="while it is said that counting is off, $signal"
	rm -f begun
	# shellcheck disable=SC2016
	begin "$PROFRUN" -v --toggle-signal=USR1 -o no.out \
		sh -c 'trap "" INT TERM; echo $$ >begun; while :; do :; done' 2>pipe
	until [ -s begun ]; do sleep 0.02; done
	kill -USR1 "$pid"
	await writes || :
	ask 3 $signal
	await is_gone "$(cat begun)" || :
	# Two are enough; but a first may come as the run ends.
	ask 2 $signal
	! lives || ask 1 $signal
	ends_by_itself
	[ "$status" = "$by" ] || complain "status $status"
	rm -f .profrun.*

	what="with nobody who reads what is said, $signal"
	rm -f said.*
	# shellcheck disable=SC2016
	# (A format of which there are no snapshots.)
	begin "$PROFRUN" -v --toggle-signal=USR1 -f folded -o said.folded \
		sh -c '"$0" 0.2; kill -USR1 $PPID; sleep 0.2' \
		"$workloads/shares" 2>pipe
	await [ -s said.folded ] || :
	ends_by 2 $signal
	[ "$status" = "$by" ] || complain "status $status"
	leaves_nothing

	what="of a process that is watched, $signal"
	"$workloads/idle" 1000 >/dev/null &
	idle=$!
	begin "$PROFRUN" -q -p $idle -o attached.out
	insist $signal
	case $status in 0 | "$by") ;; *) complain "status $status" ;; esac
	kill -0 $idle || complain 'takes the process with it'
	kill -KILL $idle
	# What the second signal came in the middle of has its first name.
	rm -f .profrun.*

	# What is read does not come to its end, or nobody takes what is written.
	for command in "report -" "export -f folded -o not -" \
		"export -f folded -o pipe trace" "export -f text -o pipe trace"; do
		what="$command, $signal"
		# shellcheck disable=SC2016,SC2086
		begin sh -c 'exec "$0" "$@" <slow' "$PROFRUN" $command
		ends_by_one $signal
		leaves_nothing
		[ ! -e not ] || complain 'leaves half a file'
	done
done

# A file that takes long to read: wherever it is met, a command that reads it ends,
# and leaves nothing; or it has come to its end before.
n_met=0 n_left=0
"$abs_top_builddir/tests/core/write_trace" any 60000 large large.txt
for signal in INT TERM; do
	case $signal in INT) by=130 ;; TERM) by=143 ;; esac
	for command in "report large" "annotate main large" "diff large large" \
		"merge -q -o not large large" "export -q -f json -o not large" \
		"export -q -f flame -o not large" "export -q -f gmon -o not large"; do
		# shellcheck disable=SC2086
		"$PROFRUN" $command >null 2>&1 || :
		[ ! -e not ] || mv not whole
		for ms in 0 30 400; do
			what="$command, $signal after $ms ms"
			# shellcheck disable=SC2086
			begin "$PROFRUN" $command 2>err
			sleep "$(awk "BEGIN { print $ms / 1000 }")"
			insist $signal
			case $status in
			"$by")
				n_met=$((n_met + 1))
				[ ! -e not ] || cmp -s not whole ||
					complain 'leaves half a file'
				;;
			0 | 1 | 125) ;;
			*) complain "status $status" ;;
			esac
			rm -f not
			for left in .profrun.*; do
				[ ! -e "$left" ] || n_left=$((n_left + 1))
			done
			rm -f .profrun.*
		done
	done
done

what='a large file'
# One that is made at the very moment of the signal may stay.
[ $n_left -le 1 ] || complain "leaves files, $n_left times"
[ $n_met -gt 0 ] || complain 'is read before any signal comes'

# While a file is written it has another name, which goes with the command.
unfinished() { ls .profrun.* >/dev/null 2>&1; }
for signal in INT TERM; do
	case $signal in INT) by=130 ;; TERM) by=143 ;; esac
	for format in text samples flame perf-script; do
		what="export -f $format as it is written, $signal"
		met=false
		for try in 1 2 3 4 5; do
			begin "$PROFRUN" export -q -f $format -o not large 2>err
			until unfinished || ! lives; do :; done
			kill -$signal "$pid" 2>/dev/null || :
			status=0
			wait "$pid" || status=$?
			[ ! -e not ] || { rm -f not && continue; }
			met=true
			break
		done
		$met || complain 'is never met'
		[ "$status" = "$by" ] || complain "status $status, try $try"
		leaves_nothing
	done
done

# A program that does not end by what is passed on to it.  deaf OPTION...: runs one,
# from its beginning on.
deaf() {
	rm -f deaf.out begun
	# shellcheck disable=SC2016
	begin "$PROFRUN" -o deaf.out "$@" \
		sh -c 'trap "" INT TERM; echo $$ >begun; while :; do :; done' 2>err
	until [ -s begun ]; do sleep 0.02; done
}
for signal in INT TERM; do
	case $signal in INT) by=130 ;; TERM) by=143 ;; esac
	what="of a program that ignores it, $signal"
	deaf
	for n in 1 2; do
		kill -$signal "$pid"
		sleep 0.2
	done
	lives || complain 'two are the end'
	# (More of them, while the profile is written, would end profrun at once.)
	kill -$signal "$pid"
	ends_by_itself
	[ "$status" = 137 ] || complain "status $status"
	[ -s deaf.out ] || complain 'writes no profile'
	grep -q 'it is killed' err || complain "says $(cat err)"
	! kill -0 "$(cat begun)" 2>/dev/null || complain 'leaves the program'

	what="of one that ignores it and was let go, $signal"
	deaf -q -d 0.05
	until [ -e deaf.out ]; do sleep 0.05; done
	insist $signal
	[ "$status" = $by ] || complain "status $status"
	kill -KILL "$(cat begun)" || complain 'takes the program with it'
done

# At whatever moment of a run or of an attachment to many threads it comes: the
# file is whole, or is not there.
"$workloads/crowd" 1000 threads 1000 >/dev/null &
crowd=$!
until [ "$(find /proc/$crowd/task -maxdepth 1 | wc -l)" -gt 1000 ]; do
	sleep 0.05
done
for way in "$workloads/shares 20" "-p $crowd"; do
	for ms in 0 5 20 80; do
		what="$way, after $ms ms"
		# shellcheck disable=SC2086
		begin "$PROFRUN" -q -o at.out $way
		sleep "$(awk "BEGIN { print $ms / 1000 }")"
		insist INT
		case $status in 0 | 130) ;; *) complain "status $status" ;; esac
		[ ! -e at.out ] || "$PROFRUN" report at.out >out 2>err ||
			grep -q 'has no ticks' err ||
			complain "leaves half a file: $(cat err)"
		rm -f at.out at.out.syms .profrun.*
	done
done
kill -0 $crowd || complain 'takes the process with it'
kill -KILL $crowd

# A server that does not answer, asked for names.
if command -v strip >/dev/null && python3 -c '' 2>/dev/null &&
	"$PROFRUN" check | grep -q '^debuginfod' &&
	cp "$workloads/shares" stripped && strip stripped; then
	python3 -c '
import socket, time
silent = socket.create_server(("127.0.0.1", 0))
print(silent.getsockname()[1], flush=True)
time.sleep(1000)' >port &
	silent=$!
	until [ -s port ]; do sleep 0.05; done
	what='while a server is asked'
	begin env DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)" \
		DEBUGINFOD_CACHE_PATH="$PWD/cache" \
		"$PROFRUN" -q -o asked.out ./stripped 0.1
	sleep 1
	insist INT
	kill -KILL $silent
fi
exit "$bad"
