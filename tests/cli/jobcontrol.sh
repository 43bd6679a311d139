#!/bin/sh
# Job control on a terminal is as without us: ^Z stops both, fg and bg let both go
# on, ^C comes once, a reader in the background waits; and what others write into
# our pipes is not ours to read.
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
# stays PID: stopped, and the shell knows.
stays() {
	tries=0
	until [ -n "$(jobs -s)" ] &&
		{ [ "$(state "$1")" = T ] || [ "$(state "$1")" = t ]; }; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || return 1
		sleep 0.01
	done
}
rm -f went_on interrupted
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
}
says() {
	grep -qx -- "$1" out || complain "does not say '$1': $(cat out err)"
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
