#!/bin/sh
# The page with the flame graph, in a browser: somebody clicks and types.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

. "$abs_top_srcdir/tests/cli/browser.sh"

# Functions whose shares are known, one with a name that would be a program.
cat >program.c <<'END'
#include <time.h>
static volatile unsigned long sum;
__attribute__((noinline)) void hostile(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) void minor(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) void major(int n) { hostile(3 * n); minor(n); sum++; }
int main(void)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC; clock() < end;)
		major(100000);
	return 0;
}
END
hostile='</script><script>alert(1)</script><!--<script>'
# And one that would turn the line that it stands in.
turned=$(printf 'turned\342\200\256name')
$CC -g -O1 -fno-optimize-sibling-calls -c program.c -o program.o
if ! objcopy --redefine-sym "hostile=$hostile" \
	--redefine-sym "minor=$turned" program.o 2>err; then
	cat err >&2
	exit 77
fi
$CC program.o -o program
profile -q -F 250 -g -f flame ./program
ends_with 0
[ -s profrun.html ] || complain 'writes no page'

# In a flame graph the rows are 19 pixels high, the root is the lowest: all, _start or
# what is called from there, ..., main, major.  In the inverted one the hottest
# function is above the root, on the left.
cat >steps <<'END'
see h1 ./program
see #details programs
hidden #of-label
hidden #time
see #subtitle at 250 Hz
see #rows </script><script>alert(1)</script><!--<script>
see #rows major
see #rows turned?name
key /
type turned
key Enter
key n
see #details turned?name in
key /
key Escape
press #reset
hash -
picture light.png
key /
type major
see #matched 1 function
hash search=major
key Enter
key n
see #details major in
see #details program.c:5
key Enter
hash zoom=
key Escape
key Escape
hash -
key i
hash order=callers
click 20 -28
see #details <!--<script> in
hash zoom=1
picture inverted.png
key i
key f
hash shape=icicle
click 300 9
see #details all: 100.00 %
key f
key c
hash colour=heat
key c
press #rows tr:nth-child(1)
see #focus-name who calls it above, what it calls below
picture callers.png
click 300 9
press #focus-close
hidden #focus-bar
exists th.number[aria-sort="descending"] [data-sort="self"]
press [data-sort="name"]
exists th.name[aria-sort="ascending"]
hash sort=name
press [data-sort="name"]
exists th.name[aria-sort="descending"]
hash up=1
go sort=binary
exists th.binary[aria-sort="ascending"]
press [data-sort="total"]
exists th.number[aria-sort="descending"] [data-sort="total"]
press [data-sort="self"]
press #rows tr:nth-child(1)
exists tr.chosen
# A row that is chosen by a key keeps the keyboard.
focus #rows tr:nth-child(2)
key Enter
exists tr.chosen:nth-child(2):focus
key i
exists #rows:not(:has(tr.chosen))
key i
press #table-toggle
hidden #side
press #theme
press #table-toggle
# However fast somebody is, and whatever the browser says to that.
times 30 key f
hash -
press #regex
key /
type ^ma(in|jor)$
see #matched 2 functions
key Escape
size 1280 160
print paper.pdf
printed all
printed main
printed major
printed </script><script>alert(1)</script><!--<script>
see #rows major
END
browse profrun.html
# However small the window is.
[ "$(grep -ac '/Type /Page$' paper.pdf)" = 1 ] || complain 'is not printed on a page'
exit "$bad"
