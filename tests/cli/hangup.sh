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
exit "$bad"
