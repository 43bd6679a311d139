#!/bin/sh
# What a trace does not tell of its run, or tells in words that nobody knows, is not
# known in what is exported either.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# untold CLOCK COMMAND WORD: the JSON of such a trace says WORD of the clock.
untold() {
	what="a trace with the clock '$1' and the command '$2'"
	echo 'complete outer alpha 1' |
		"$abs_top_builddir/tests/support/stacked" made.trace "$1" "$2"
	"$PROFRUN" export -q -f json -o - made.trace >out 2>err ||
		complain "$(cat err)"
	is_valid profile
	grep -q "^\"clock\":$3,\$" out || complain "clock: $(grep clock out)"
}
untold cpu 'made up' '"cpu"'
grep -q '"command":"made up",$' out || complain "command: $(cat out)"
untold sundial 'made up' null
untold '' '' null
grep -q '"command":null,$' out || complain "command: $(cat out)"
# The title is then the program's name.
"$PROFRUN" export -q -f flame -o page.html made.trace 2>err || complain "$(cat err)"
grep -q '"title":"stacked",$' page.html ||
	complain "title: $(grep '"title":' page.html)"
exit "$bad"
