#!/bin/sh
# A terminal that goes away tells the leader of its session alone: the program
# that profrun runs there has to hear of it, and once, too.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
typed=$abs_top_builddir/tests/support/typed

"$PROFRUN" -q true 2>err || { cat err >&2; exit 77; }

# Works until it has heard, and for a while after that.
cat >program <<'EOF'
trap 'echo >>heard' HUP
: >heard
echo 'hang up'
until [ -s heard ]; do :; done
i=0
while [ $i -lt 100000 ]; do i=$((i + 1)); done
exit 3
EOF

# leads NAME TRACER...: of the session, and the program is below it.
leads() {
	what=$1
	shift
	status=0
	"$typed" "$@" sh ./program >out 2>err || status=$?
	[ "$status" != 77 ] || exit 77
	[ "$status" = 3 ] || complain "ends with $status: $(cat out err)"
	[ "$(grep -c '' heard)" = 1 ] ||
		complain "hears of it $(grep -c '' heard) times"
}
leads 'nobody'
leads 'profrun' "$PROFRUN" -q
[ -s gmon.out ] || complain 'writes no profile'
leads 'profrun, by time' "$PROFRUN" -q -d 0.001 -o timed.out

# It is also where top draws: the run ends with it, and what was measured is
# written; with nohup it goes on, and nobody asks for keys any more.
cat >drawing <<EOF
(
	until [ -e drawn ]; do sleep 0.05; done
	printf '\\nhang up\\n'
) &
[ ! -e with_nohup ] || trap '' HUP
echo \$\$ >top.pid
exec "$PROFRUN" top -o top.out "\$@"
EOF
export TERM=screen
what='top'
rm -f drawn
: >out
{
	tries=0
	until grep -q 'shares, process' out || [ $tries = 600 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	: >drawn
} &
waiting=$!
status=0
"$typed" sh ./drawing "$workloads/shares" 60 >out 2>err || status=$?
kill $waiting 2>/dev/null || :
if grep -q 'shares, process' out; then
	[ "$status" = 129 ] || complain "ends with $status: $(cat err)"
	[ -s top.out ] || complain 'writes no profile'

	what='top, with nohup'
	rm -f drawn top.pid
	: >with_nohup
	"$workloads/shares" 60 >/dev/null &
	pid=$!
	"$typed" sh ./drawing -p $pid >out 2>err &
	typed_pid=$!
	until [ -s top.pid ] && top=$(cat top.pid) &&
		[ "$(find "/proc/$top/task" -maxdepth 1 | wc -l)" -gt 3 ]; do
		sleep 0.05
	done
	sleep 1
	with=$(find "/proc/$top/task" -maxdepth 1 | wc -l)
	: >drawn
	tries=0
	until [ "$(find "/proc/$top/task" -maxdepth 1 | wc -l)" -lt "$with" ]; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || {
			complain 'asks a terminal for keys that is gone'
			break
		}
		sleep 0.05
	done
	kill -0 "$top" || complain 'has ended'
	kill -INT "$top"
	wait $typed_pid || :
	kill -0 $pid || complain 'takes the program with it'
	kill -KILL $pid
	[ -s top.out ] || complain 'writes no profile'
elif infocmp screen >/dev/null 2>&1; then
	complain "draws nothing: $(cat out err)"
fi
exit "$bad"
