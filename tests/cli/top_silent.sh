#!/bin/sh
# top on a terminal that takes nothing, as at the end of a connection that hangs:
# what is watched goes on, and one signal is the end, with the profile.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
typed=$abs_top_builddir/tests/support/typed
export TERM=screen

"$PROFRUN" -q true 2>err || { cat err >&2; exit 77; }
infocmp screen >/dev/null 2>&1 || skip 'no terminal that shows pictures'
env --default-signal=INT true 2>/dev/null || skip 'no env --default-signal'

# within_a_minute COMMAND...
within_a_minute() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -le 600 ] || return 1
		sleep 0.1
	done
}
ticks_of() { cut -d' ' -f14 "/proc/$1/stat" 2>/dev/null || echo 0; }
has_more_than() { [ "$(ticks_of "$1")" -gt "$2" ]; }
# goes_on PID WHEN
goes_on() {
	within_a_minute has_more_than "$1" "$(ticks_of "$1")" ||
		complain "does not go on $2"
}
is_gone() { ! kill -0 "$1" 2>/dev/null; }
is_let_go() { grep -q '^TracerPid:[[:space:]]*0$' "/proc/$1/status"; }
is_traced() { ! is_let_go "$1"; }
has_said() { grep -q "$1" out; }
# counts NAME: the profile top.out has time of NAME.
counts() {
	"$PROFRUN" report top.out >report 2>&1 || :
	grep -q " $1\$" report || complain "does not count: $(cat report)"
}

# Runs top with these words on a terminal that falls silent before, or when "drawn" is
# there; and notes what the terminal was like before and afterwards.
cat >silent.sh <<EOF
when=\$1
shift
to_terminal() {
	dd if=/dev/zero of=/dev/tty conv=notrunc oflag=nonblock "\$@" 2>/dev/null
}
# There is no room for a byte more.
is_full() { ! to_terminal bs=1 count=1; }
fall_silent() {
	printf '\\nfall silent\\n' >/dev/tty
	until is_full && sleep 0.2 && is_full; do
		to_terminal bs=1024 count=4096
		to_terminal bs=1 count=4096
	done
	: >is_silent
}
stty -a >before
case \$when in
before) fall_silent ;;
later) (until [ -e drawn ]; do sleep 0.05; done && fall_silent) & ;;
esac
# The shell says what has died, and would wait there.
exec 2>said
status=0
sh -c 'echo \$\$ >top.pid; exec "\$@" 2>/dev/tty' sh \\
	"$PROFRUN" top -o top.out "\$@" || status=\$?
stty -a >after
exit \$status
EOF

# begin WHEN WORD...: profrun top WORD... is there, with the id $top, as a process
# that takes SIGINT, and its terminal takes nothing.
begin() {
	rm -f top.pid top.out begun drawn is_silent before after
	when=$1
	env --default-signal=INT,TERM "$typed" sh ./silent.sh "$@" >out 2>err &
	pid=$!
	within_a_minute [ -s top.pid ] || complain "does not begin: $(cat err)"
	top=$(cat top.pid)
	if [ "$when" = later ]; then
		within_a_minute has_said ', process [0-9]' ||
			complain "draws nothing: $(cat out err)"
		: >drawn
	fi
	within_a_minute [ -e is_silent ] || complain 'its terminal takes more'
}
# is_watched PID: it goes on while counting is asked to pause, and to go on.
is_watched() {
	goes_on "$1" 'at first'
	kill -USR2 "$top"
	goes_on "$1" 'while counting pauses'
	kill -USR2 "$top"
	goes_on "$1" 'when counting goes on'
}
# ends_by SIGNAL: one is enough, and there is a profile.
ends_by() {
	kill -"$1" "$top"
	within_a_minute is_gone "$top" || {
		complain "does not end by $1"
		kill -KILL "$top"
	}
	ends_by_itself
	counts shares
	cmp before after >&2 || complain 'leaves the terminal changed'
}

# shellcheck disable=SC2016
run='echo $$ >begun; exec "$0" 60'
for when in before later; do
	what="top on a terminal that falls silent, $when"
	begin $when sh -c "$run" "$workloads/shares"
	within_a_minute [ -s begun ] || complain 'does not begin'
	is_watched "$(cat begun)"
	ends_by TERM
	[ "$status" = 143 ] || complain "ends with $status"

	what="top -p on a terminal that falls silent, $when"
	"$workloads/shares" 60 >/dev/null &
	shares=$!
	begin $when -p $shares
	within_a_minute is_traced $shares || complain 'does not attach'
	is_watched $shares
	ends_by INT
	[ "$status" = 0 ] || complain "ends with $status"
	is_let_go $shares || complain 'does not let go'
	kill -KILL $shares || complain 'takes the process with it'
done

# The same with a pipe, which gets tables.
what='top, into a pipe that is full'
mkfifo pipe
exec 3<>pipe
dd if=/dev/zero of=pipe bs=1024 count=4096 oflag=nonblock conv=notrunc \
	2>/dev/null || :
rm -f begun top.out
env --default-signal=INT,TERM "$PROFRUN" top -o top.out \
	sh -c "$run" "$workloads/shares" >pipe 2>err &
pid=$!
within_a_minute [ -s begun ] || complain 'does not begin'
# There would have been tables by then.
within_a_minute has_more_than "$(cat begun)" 250 || complain 'does not go on'
kill -TERM $pid
ends_by_itself
[ "$status" = 143 ] || complain "ends with $status"
counts shares
exit "$bad"
