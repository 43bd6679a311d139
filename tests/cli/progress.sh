#!/bin/sh
# What takes long says so, on a terminal; the line is gone when the table comes.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v script >/dev/null || exit 77
stacked=$abs_top_builddir/tests/support/stacked

echo 'complete outer alpha beta 40' | "$stacked" profrun.trace

# slowly SECONDS COMMAND: its input is a trace that comes to its end when somebody
# has seen what is said of it, or after SECONDS.
cat >slowly <<'EOF'
{
	head -c -2 profrun.trace
	i=0
	while [ $i -lt $(($1 * 10)) ] && ! grep -q reading seen; do
		sleep 0.1
		i=$((i + 1))
	done
	tail -c 2 profrun.trace
} | eval "$2"
EOF
# on_terminal SECONDS COMMAND
on_terminal() {
	status=0
	what="on a terminal: $2"
	: >seen
	TERM=xterm script -qfec "sh ./slowly $1 '$2'" seen </dev/null >/dev/null 2>err || status=$?
	ends_with 0
	grep -q beta seen || complain "has no table: $(cat seen)"
}
on_terminal 30 "$PROFRUN report -"
grep -q "profrun: reading -: [0-9]* s" seen || complain "says nothing: $(cat seen)"
# Behind the last line that was shown there is nothing of it.
tr '\r' '\n' <seen | awk '/reading/ { last = NR } { line[NR] = $0 }
	END { print substr(line[last + 1], 1, 3) }' | grep -q "^$(printf '\033')\[K" ||
	complain "leaves the line: $(cat -v seen)"

on_terminal 2 "$PROFRUN report -q -"
! grep -q reading seen || complain "says: $(cat -v seen)"
on_terminal 2 "$PROFRUN report - 2>told"
! grep -q reading seen told || complain "says: $(cat -v seen err)"
on_terminal 0 "$PROFRUN report profrun.trace"
! grep -q reading seen || complain "says of what is quick: $(cat -v seen)"
exit $bad
