#!/bin/sh
# The page: what is clicked stays under the pointer, and what a key goes to is in
# sight, in stacks that are higher than the window.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
. "$abs_top_srcdir/tests/cli/browser.sh"

# made FILE: the page of the samples that are told on standard input, without times.
made() {
	"$abs_top_builddir/tests/support/stacked" "$1.trace"
	what='profrun export'
	"$PROFRUN" export -q -f flame -o "$1" "$1.trace" 2>err ||
		complain "$(cat err)"
}
# outer N: so many frames of that name.
outer() { awk -v n="$1" 'BEGIN { while (n-- > 0) printf "outer " }'; }

# A row is 19 pixels high, and all the 61 rows are 1159: in the flame graph alpha, the
# row 26 from below, begins at 646, in the icicle at 494.
echo "complete $(outer 25) alpha $(outer 34) 9" | made deep.html
cat >steps <<'END'
size 1280 400
key a
scroll #stage 620
picture deep.png
click 300 35
see #details alpha in
hover 300 35
see #details alpha in
key Enter
hover 300 35
see #details alpha in
press #reset
scroll #stage 620
double 300 35
see #focus-name alpha:
press #reset
key f
scroll #stage 480
click 300 20
hover 300 20
see #details alpha in
# An address brings what it is zoomed to in sight, whichever way up.
go zoom=26
hover 300 middle
see #details alpha in
# What is below it is fainter, also where a search makes others faint.
print zoomed.pdf
faded 0.6
key /
type nothing
print found.pdf
faded 0.27
key Escape
go zoom=26&shape=icicle
hover 300 middle
see #details alpha in
END
browse deep.html

# With 25 callers above it, 20 frames below it, and alpha there: a double click on a
# caller is of that caller, and a key brings what it goes to in sight.
echo "complete $(outer 12) beta $(outer 12) gamma_ray $(outer 20) alpha $(outer 10) 9" |
	made callers.html
cat >steps <<'END'
size 1280 400
key a
key /
type gamma
press #rows tr:nth-child(1)
see #focus-name gamma_ray:
scroll #stage 228
picture callers.png
double 300 10
see #focus-name beta:
press #rows tr:nth-child(1)
see #focus-name gamma_ray:
scroll #stage 475
click 300 25
see #details gamma_ray in
# Keys go from the function itself to its callers above it, and back.
key ArrowUp
see #details outer in
times 12 key ArrowUp
see #details beta in
key ArrowUp
scroll #stage 475
key ArrowDown
hover 300 9
hover 300 middle
see #details beta in
times 12 key ArrowDown
see #details outer in
key ArrowDown
see #details gamma_ray in
key ArrowUp
key ArrowRight
key ArrowLeft
see #details outer in
# There is nothing above the outermost.
times 30 key ArrowUp
see #details outer in
key Enter
see #focus-name outer:
press #rows tr:nth-child(1)
see #focus-name gamma_ray:
key /
key Escape
key /
type beta
key Enter
key n
see #details beta in
key Enter
see #focus-name beta:
key /
key Escape
key /
type gamma
key Enter
press #rows tr:nth-child(1)
see #focus-name gamma_ray:
scroll #stage 475
click 300 25
see #details gamma_ray in
times 20 key ArrowDown
scroll #stage 0
key ArrowDown
see #details alpha in
hover 300 9
hover 300 middle
see #details alpha in
END
browse callers.html

# What is too narrow to be drawn is zoomed to.
{
	echo 'complete outer alpha 5000'
	echo 'complete outer beta gamma_ray 1'
} | made narrow.html
cat >steps <<'END'
key a
key /
type beta
key Enter
key n
picture narrow.png
hash zoom=
hover 300 -47
see #details beta in
END
browse narrow.html

# Callers that there is no room for are not told apart: here for 4 nodes, of those of
# beta, the root and its callers.
{
	echo 'complete outer alpha beta 5'
	echo 'complete outer alpha gamma_ray 4'
} | made whole.html
sed 's/^const MOST_NODES = .*;$/const MOST_NODES = 4;/' whole.html >pruned.html
if cmp -s whole.html pruned.html; then complain 'has no bound'; fi
cat >steps <<'END'
key a
lacks #details [pruned]
key i
picture pruned.png
see #details 1 stack has more callers than there is room for: [pruned]
hover 20 -47
see #details alpha in
hover 600 -47
see #details [pruned]: 44.44 %
double 600 -47
hidden #focus-bar
END
browse pruned.html
exit "$bad"
