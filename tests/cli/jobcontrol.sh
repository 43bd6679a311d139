#!/bin/sh
# Job control on a terminal is as without us: ^Z stops both, fg and bg let both go
# on, ^C comes once, a reader in the background waits, and so it is with programs
# that stop in a way of their own; and what others write into our pipes is not ours
# to read.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
export work PROFRUN
careless=$abs_top_builddir/tests/support/careless
typed=$abs_top_builddir/tests/support/typed

"$PROFRUN" -q true 2>err || { cat err >&2; exit 77; }

# The program asks for keys: it is ready for them.  It works until it has got on
# after a stop, and then until it is interrupted.  (It makes no children: those
# would be stopped on their own, and a parent in vfork could not be.)
cat >program <<'EOF'
trap 'echo >>interrupted' INT
trap 'echo >>went_on' CONT
echo $$ >pid
echo 'type ^Z'
until [ -s went_on ]; do :; done
echo 'type ^C'
until [ -s interrupted ]; do :; done
exit 5
EOF

# state PID: T and t are stopped, by job control or by a tracer.
cat >library <<'EOF'
set -m
stty -echo
state() { sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status"; }
# within_reason COMMAND...: becomes true.
within_reason() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || { echo "is not so: $*"; return 1; }
		sleep 0.01
	done
}
is_stopped() {
	[ -n "$(jobs -s)" ] &&
		{ [ "$(state "$1")" = T ] || [ "$(state "$1")" = t ]; }
}
none_is_stopped() { [ -z "$(jobs -s)" ]; }
# stays PID: stopped, and the shell knows.
stays() { within_reason is_stopped "$1"; }
rm -f went_on interrupted pid
EOF

cat >keys <<'EOF'
. ./library
$tracer sh ./program
echo "stopped with $?"
stays "$(cat pid)" && echo "is stopped"
fg >/dev/null
echo "ended with $?"
EOF

# session SCRIPT: in out.
session() {
	what="$1 under $tracer"
	export tracer
	rm -f gmon.* pid
	status=0
	"$typed" bash "./$1" >out 2>err || status=$?
	[ "$status" != 77 ] || exit 77
	[ "$status" != 99 ] || complain "hangs after this: $(cat out err)"
}
says() {
	grep -qx -- "$1" out || complain "does not say '$1': $(cat out err)"
}
# says_all: the lines of stdin in their order, and no others like them.
says_all() {
	cat >expected
	grep -E '^(put away|back|on|stopped with|ended with|[A-Z]+:)' out >found || :
	cmp -s found expected ||
		complain "does not say this alone: $(cat expected) but: $(cat out err)"
}
command -v bash >/dev/null || exit 77

tracer="$PROFRUN -q"
session keys
says 'stopped with 148'
says 'is stopped'
says 'ended with 5'
[ "$(grep -c '' interrupted)" = 1 ] || complain '^C did not come once'
[ -s gmon.out ] || complain 'writes no profile'

# One that makes what is stopped go on, and dies of ^C itself.
tracer="$careless continue"
session keys
! { grep -qx 'is stopped' out && grep -qx 'ended with 5' out; } ||
	complain 'does all of it: this test cannot fail'

# ^\ ends the program, and then profrun like it.
cat >quit <<'EOF'
. ./library
ulimit -c 0
$tracer sh -c 'echo "type ^\\"; while :; do :; done'
echo "ended with $?"
EOF
tracer="$PROFRUN -q"
session quit
says 'ended with 131'
[ -s gmon.out ] || complain 'writes no profile'

# In the background a reader of the terminal is stopped, and so is a writer if the
# terminal wants it; in the foreground they go on.
cat >background <<'EOF'
. ./library
$tracer sh -c 'echo $$ >pid; exec "$0" -c "read -r line; echo got \$line"' sh &
until [ -s pid ]; do :; done
stays "$(cat pid)" && echo "reader is stopped"
echo 'type hello'
fg >/dev/null
echo "reader ended with $?"
rm pid
stty tostop
$tracer sh -c 'echo $$ >pid; echo written' &
until [ -s pid ]; do :; done
stays "$(cat pid)" && echo "writer is stopped"
fg >/dev/null
echo "writer ended with $?"
EOF
session background
says 'reader is stopped'
says 'got hello'
says 'reader ended with 0'
says 'writer is stopped'
says 'written'
says 'writer ended with 0'

# One that puts things in order before it stops, as an editor does, by itself or
# with its whole job.
cat >editor <<'EOF'
rounds=0
tidy() {
	echo 'put away'
	trap - TSTP
	kill -TSTP "$target"
	trap tidy TSTP
	echo back
	rounds=$((rounds + 1))
}
trap tidy TSTP
while [ $rounds -lt 3 ]; do
	before=$rounds
	echo 'type ^Z'
	while [ $rounds = $before ]; do :; done
done
exit 6
EOF
cat >edit <<'EOF'
. ./library
$tracer sh -c 'target=${target:-$$}; . ./editor'
echo "stopped with $?"
fg >/dev/null
echo "stopped with $?"
fg >/dev/null
echo "stopped with $?"
fg >/dev/null
echo "ended with $?"
EOF
for target in '' 0; do
	export target
	session edit
	says_all <<-'EOF'
		put away
		stopped with 148
		back
		put away
		stopped with 148
		back
		put away
		stopped with 148
		back
		ended with 6
	EOF
	[ -s gmon.out ] || complain 'writes no profile'
done

# One that stops itself, and again as soon as it has gone on: traced, just now not
# any more, or not since long.
cat >itself <<'EOF'
. ./library
# (Bash leaves a loop in which something stops by SIGTSTP.)
stops() {
	$tracer sh -c "$before kill -$1 \$\$; kill -$1 \$\$; exit 6"
	echo "$1: stopped with $?"
	fg >/dev/null
	echo "$1: stopped with $?"
	fg >/dev/null
	echo "$1: ended with $?"
}
stops STOP
stops TSTP
stops TTIN
stops TTOU
EOF
stops_itself() {
	tracer="$PROFRUN $1"
	before=$2
	export before
	session itself
	says_all <<-'EOF'
		STOP: stopped with 147
		STOP: stopped with 147
		STOP: ended with 6
		TSTP: stopped with 148
		TSTP: stopped with 148
		TSTP: ended with 6
		TTIN: stopped with 149
		TTIN: stopped with 149
		TTIN: ended with 6
		TTOU: stopped with 150
		TTOU: stopped with 150
		TTOU: ended with 6
	EOF
}
stops_itself -q ''
stops_itself '-q --clock=wall' ''
stops_itself '-q --trigger=interrupt' ''
stops_itself '-q -d 0.001' ''
stops_itself '-q -d 0.001' \
	'until grep -q "^TracerPid:.0" /proc/$$/status; do :; done;'
tracer="$PROFRUN -q"

# One that takes ^Z for something else goes on.
cat >other <<'EOF'
. ./library
$tracer sh -c 'trap "noted=1" TSTP; noted=; echo "type ^Z"
	while [ ! "$noted" ]; do :; done; echo "type hello"
	read -r line; echo "got $line"; exit 7'
echo "ended with $?"
EOF
session other
says 'got hello'
says 'ended with 7'

# Whoever knows the program alone can let it go on, or kill it.
cat >by_id <<'EOF'
. ./library
for signal in CONT KILL; do
	$tracer sh -c 'echo $$ >pid; kill -STOP $$; exit 5' &
	within_reason test -s pid
	stays "$(cat pid)" && echo "$signal: is stopped"
	kill -$signal "$(cat pid)"
	# Or wait would tell of the stop.
	within_reason none_is_stopped
	wait $!
	echo "$signal: ended with $?"
	rm pid
done
EOF
session by_id
says_all <<'EOF'
CONT: is stopped
CONT: ended with 5
KILL: is stopped
KILL: ended with 137
EOF

# So can another process of the job, which is not kept from it.
cat >from_within <<'EOF'
. ./library
$tracer sh -c '(sleep 0.5; kill -CONT $$) & kill -STOP $$; echo on; wait; exit 4'
echo "ended with $?"
EOF
session from_within
says_all <<'EOF'
on
ended with 4
EOF

# A shell has made itself a job of its own, and the terminal is its.
cat >inner <<'EOF'
PS1=
prompts=0
PROMPT_COMMAND='prompts=$((prompts + 1))
	[ $prompts -lt 3 ] && echo "type suspend" || echo "type exit 3"'
EOF
cat >outer <<'EOF'
. ./library
$tracer bash --noediting --rcfile ./inner -i
echo "stopped with $?"
fg >/dev/null
echo "stopped with $?"
fg >/dev/null
echo "ended with $?"
EOF
session outer
says_all <<'EOF'
stopped with 147
stopped with 147
ended with 3
EOF

# In a pipeline; and on in the background.
cat >piped <<'EOF'
. ./library
$tracer sh -c 'trap "echo >went_on" CONT; echo "type ^Z"
	until [ -s went_on ]; do :; done; echo on' | cat
echo "stopped with $?"
fg >/dev/null
echo "ended with $?"
rm went_on
$tracer sh -c 'trap "echo >went_on" CONT; echo "type ^Z"
	until [ -s went_on ]; do :; done; echo $$ >pid'
echo "stopped with $?"
bg >/dev/null
within_reason test -s pid && echo on
wait
EOF
session piped
says_all <<'EOF'
stopped with 148
on
ended with 0
stopped with 148
on
EOF

# What is attached to stops alone.
cat >attached <<'EOF'
. ./library
sh -c 'trap "echo >went_on" CONT; echo $$ >pid
	until [ -s went_on ]; do :; done' &
within_reason test -s pid
program=$(cat pid)
$tracer -p "$program" &
profrun=$!
within_reason grep -q '^TracerPid:.[1-9]' "/proc/$program/status"
kill -STOP "$program"
stays "$program" && echo on
[ "$(jobs -sp)" = "$program" ] && echo "A: alone"
kill -CONT "$program"
wait "$profrun"
echo "ended with $?"
EOF
session attached
says_all <<'EOF'
on
A: alone
ended with 0
EOF

# Standard input is the program's alone.
what='a pipe'
printf 'one\ntwo\n' >lines
{
	"$PROFRUN" -q sh -c 'read -r line; echo "$line"' | cat
	"$PROFRUN" -q true
	cat
} <lines >out
printf 'one\ntwo\n' | cmp -s - out || {
	# The shell's read takes no more than its line from a file.
	complain "what is left of stdin is $(cat out)"
}
[ "$(seq 100000 | "$PROFRUN" -q cat | tail -n 1)" = 100000 ] ||
	complain 'loses what goes through it'
what='a reader that leaves'
status=0
"$PROFRUN" -q sh -c 'yes; kill -PIPE $$' 2>/dev/null | head -n 1 >out
[ "$(cat out)" = y ] || complain "reads $(cat out)"
exit "$bad"
