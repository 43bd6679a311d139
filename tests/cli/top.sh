#!/bin/sh
# top: a live table, in a terminal (tmux's) with keys, and without one; what the
# program wrote meanwhile comes afterwards, and the terminal is as it was.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

cat >busy.c <<'EOF2'
#include <stdio.h>
#include <unistd.h>
static volatile unsigned turns;
static void __attribute__((noinline)) hot(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		turns++;
}
static void __attribute__((noinline)) caller(void) { hot(); turns++; }
int main(void)
{
	alarm(100); /* whatever becomes of the test */
	puts("said by the program");
	fflush(stdout);
	for (;;)
		caller();
}
EOF2
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -g -O1 -o busy busy.c || {
	echo 'no compiler'
	exit 77
}

# --- Without a terminal: a table each second.

# ends_after_two_tables COMMAND...: COMMAND prints what top has written so far.  The
# program is ended.
ends_after_two_tables() {
	tries=0
	until [ "$("$@" | grep -c '^busy, process [0-9]*  [0-9]* s  ')" -ge 2 ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ] || {
			complain "no tables: $("$@")"
			break
		}
		sleep 0.1
	done
	pid=$("$@" | sed -n 's/^busy, process \([0-9]*\) .*/\1/p' | tail -n 1)
	kill -TERM "$pid" 2>/dev/null || true
}

what='profrun top, no terminal'
"$PROFRUN" top -o plain.out ./busy >out 2>err &
top=$!
ends_after_two_tables cat out
wait "$top" || true
grep -q '^said by the program$' out || complain "no output: $(cat out)"
grep -q '  hot  *busy$' out || complain "no hot function: $(cat out)"
grep -q '^  self %  95 % range total %  95 % range  function  *binary$' out ||
	complain "no heading: $(cat out)"
grep -q ' hot  *busy$' err || complain "no summary: $(cat err)"
[ -s plain.out ] || complain 'no profile'

# Time of threads that wait is no time of a processor; what cannot be printed is told.
what='profrun top -w'
"$PROFRUN" top -w -o /dev/null sleep 1.5 >out 2>err
grep -Eq '^sleep, .* samples? in [0-9]+ s, [0-9.]+ threads$' out ||
	complain "its title: $(cat out)"
what='profrun top >/dev/full'
status=0
"$PROFRUN" top -o /dev/null sleep 1.5 2>err >full || status=$?
ends_with 125
grep -q '^profrun: standard output: No space' err || complain "$(cat err)"

# The example of the manual.
runs_example top
[ "$bad" = 0 ] || exit 1

# --- In a terminal.

command -v tmux >/dev/null 2>&1 || {
	echo 'no tmux'
	exit 77
}
socket=$PWD/tmux
t() { tmux -S "$socket" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null || true' EXIT
# The shell stays, and shows what the terminal is like afterwards.
cat >session.sh <<EOF2
stty -a | sed 1d >before
sh -c 'echo \$\$ >top.pid; exec "$PROFRUN" top -o shown.out ./busy'
echo "status \$?"
stty -a | sed 1d >after
read -r _
"$PROFRUN" top -o stopped.out ./busy
echo 'has stopped'
stty -a | sed 1d >stopped
read -r _
fg
echo 'has ended'
read -r _
sh -c 'echo \$\$ >pid; exec "$PROFRUN" top -o crashed.out ./busy'
echo 'has crashed'
stty -a | sed 1d >crashed
read -r _
# Somebody stops the program alone, and lets it go on.
"$PROFRUN" top -o /dev/null sh -c 'echo \$\$ >child; exec ./busy'
echo 'is stopped'
stty -a | sed 1d >from_outside
read -r _
fg
echo 'is over'
read -r _
# Another process of the job does not stop.
"$PROFRUN" top -o /dev/null sh -c '
	(trap "" TSTP; echo on >deaf; exec ./busy >null) & exec ./busy'
echo 'stopped late'
stty -a | sed 1d >late
read -r _
kill %%
kill -CONT %%
TERM=dumb "$PROFRUN" top -o dumb.out ./busy
read -r _
EOF2
TERM=screen t new-session -d -x 80 -y 24 'sh -m session.sh' || {
	echo 'tmux does not start'
	exit 77
}
screen() { t capture-pane -p; }
# shows REGEX: in a while
shows() {
	tries=0
	until screen | grep -Eq "$1"; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || {
			complain "no $1: $(screen)"
			exit 1
		}
		sleep 0.1
	done
}

what='profrun top'
shows '^ *[0-9.]+ +[0-9.]+-[0-9.]+ +[0-9.]+ +[0-9.]+-[0-9.]+ +hot +busy$'
shows '^functions by self, of late   h help  q end$'
screen | grep -q 'said by' && complain 'the program writes into the picture'
screen | sed -n 2p | grep -q '^functions by self' || complain "wraps: $(screen)"
what='top, Enter'
t send-keys Enter
shows '^ *[0-9.]+ % called by caller in busy$'
what='top, s'
t send-keys s
shows '^functions by total'
what='top, /'
t send-keys /cALL
shows 'filter: cALL_'
t send-keys Enter
shows 'filter: cALL  '
screen | grep -Eq ' main +busy$' && complain "the filter lets main pass: $(screen)"
t send-keys Escape
what='top, 3'
t send-keys 3
shows '^ *100\.00 .* [0-9]+ busy$'
what='top, 4'
t send-keys 4
shows 'busy\.c:[0-9]+ +busy$'
what='top, another size'
t resize-window -x 100 -y 12
t send-keys 1
shows '  self s  function'
[ "$(screen | wc -l)" = 12 ] || complain "not of that size: $(screen)"
# What is longer than a line is cut, and goes not on in the next.
t resize-window -x 40 -y 12
shows '^[^ ]*, process [0-9]+ .*  [0-9]'
tries=0
until screen | sed -n 2p | grep -q '^functions by total, of late'; do
	tries=$((tries + 1))
	[ "$tries" -lt 300 ] || {
		complain "its second line: $(screen)"
		break
	}
	sleep 0.1
done
t resize-window -x 100 -y 12
what='top, Space'
t send-keys ' '
shows ', frozen'
t send-keys a
shows '^functions by total, of late, next since the start, frozen '
t send-keys ' '
shows '^functions by total, since the start   h'
t send-keys a
shows '^functions by total, of late   h'
t send-keys p
shows ', paused'
t send-keys p
shows '^functions by total, of late   h'
# The signal is seen, too.
kill -USR2 "$(cat top.pid)"
shows ', paused'
kill -USR2 "$(cat top.pid)"
shows '^functions by total, of late   h'
t send-keys h
shows 'freeze the picture'
what='top, q'
t resize-window -x 80 -y 50
shows '^  self %  95 % range total %'
t send-keys q
shows '^said by the program$'
shows '^ +[0-9.]+ .* hot +busy$'
shows '^status 143$'
# is_as_before FILE: the terminal was when that was written
is_as_before() {
	tries=0
	until [ -s "$1" ] && cmp -s before "$1"; do
		tries=$((tries + 1))
		[ "$tries" -lt 100 ] || break
		sleep 0.1
	done
	cmp before "$1" || complain 'leaves the terminal changed'
}
is_as_before after
[ -s shown.out ] || complain 'no profile'
what='top, ^Z'
t send-keys Enter
shows '^functions by self'
t send-keys C-z
shows '^has stopped$'
is_as_before stopped
t send-keys Enter
shows '^functions by self'
screen | grep -q 'has stopped' && complain "draws over the shell: $(screen)"
t send-keys q
shows '^has ended$'
[ -s stopped.out ] || complain 'no profile'
what='top, a crash'
t send-keys Enter
shows '^functions by self'
kill -SEGV "$(cat pid)"
shows '^has crashed$'
is_as_before crashed
what='top, the program is stopped from outside'
t send-keys Enter
shows '^functions by self'
kill -STOP "$(cat child)"
shows '^is stopped$'
is_as_before from_outside
kill -CONT "$(cat child)"
t send-keys Enter
shows '^functions by self'
screen | grep -q 'is stopped' && complain "draws over the shell: $(screen)"
t send-keys q
shows '^is over$'
what='top, ^Z, where not all of the job stops'
t send-keys Enter
shows '^functions by self'
until [ -s deaf ]; do sleep 0.1; done
t send-keys C-z
shows '^stopped late$'
is_as_before late
t send-keys Enter
what='top, a terminal that shows no pictures'
everything() { t capture-pane -p -S -; }
ends_after_two_tables everything
shows '^  profrun report dumb\.out '
exit "$bad"
