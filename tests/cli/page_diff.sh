#!/bin/sh
# The page of a comparison: red and blue where the change is more than chance, frames
# that are gone or new, and what -f flame goes with.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

lines() { awk -v n="$1" -v line="$2" 'BEGIN { while (n-- > 0) print line }'; }
# made FILE ALPHA BETA GAMMA FIRST: samples of outer, and of what it calls.
made() {
	{
		lines 900 'complete outer 1'
		lines "$2" 'complete outer alpha 1'
		lines "$3" 'complete outer alpha beta 1'
		lines "$4" 'complete outer gamma_ray 1'
		lines "$5" 'complete outer space::first 1'
	} | "$abs_top_builddir/tests/support/stacked" "$1"
}
# Beta takes longer, so does alpha with it; gamma_ray is gone, first is new, outer is as
# it was, and so nearly is alpha itself.
made old 300 300 300 0
made new 310 900 0 30
made same 310 290 305 0

# compare WORDS...; says STATUS TEXT: as in diff.sh.
compare() {
	what="profrun diff $*"
	status=0
	"$PROFRUN" diff "$@" >out 2>err || status=$?
}
says() {
	ends_with "$1"
	grep -qF -e "$2" err || complain "says: $(cat err)"
}

compare -f flame old new
ends_with 0
[ ! -s out ] || complain "prints: $(cat out)"
[ -s profrun-diff.html ] || complain 'writes no page'
[ "$(wc -c <profrun-diff.html)" -lt 300000 ] || complain 'writes a large page'
compare -f flame -o same.html old same
ends_with 0
compare -f flame --exit-code -o null old new
ends_with 1
compare -f flame -o page --full-names --old old same --new new
ends_with 0
grep -q 'void space::first' page || complain 'has no full names'
compare -f folded old new
says 125 '-f folded: unknown; give flame'
compare -o page old new
says 125 '-o is for -f flame'
compare -f flame -o page --csv old new
says 125 '-o is for -f flame, without --csv and --json'
compare -f flame -s line old new
says 125 '-f flame is of functions'
compare -f flame -n 5 old new
says 125 '-f flame has all functions'
compare -f flame -o missing/page old new
says 125 missing
lines 100 'none outer 1' | "$abs_top_builddir/tests/support/stacked" bare
compare -f flame bare new
says 2 'bare: -f flame: has no stacks'
[ ! -e page.old ] || complain 'keeps an old page of nothing'

. "$abs_top_srcdir/tests/cli/browser.sh"
# A row is 19 pixels high: all, outer, and from the left what it calls.
cat >steps <<'END'
picture diff.png
see #subtitle old: old
see #subtitle new: new
see #legend slower itself
hidden #of-label
hidden #colours
see #rows ▲ beta
see #rows ▼ gamma_ray
see #rows △ alpha
END
cat >>steps <<'END'
see #rows +25.3
hover 500 -9
see #details all: here 100.00 → 100.00 %
hover 100 -47
see #details △ alpha
see #details with what it calls
see #details slower
hover 100 -66
see #details ▲ beta
see #details : slower
press #by-total
hash counts=total
see #rows △ alpha
press #by-self
lacks #matched gamma_ray
key o
hash widths=old
hover 300 -47
picture old.png
key /
type gamma
see #matched 16.67 %
key Enter
key n
see #details ▼ gamma_ray
see #details only old, 16.67 %
see #details gone
key o
see #matched 0.00 %
key /
key Escape
press #rows tr:nth-child(2)
see #focus-name gamma_ray
hash widths=old
key Escape
picture end.png
END
browse profrun-diff.html

# Where nothing has changed by more than chance nothing has a colour.
cat >steps <<'END'
picture same.png
see #subtitle 0 have changed
lacks #rows ▲
lacks #rows ▼
lacks #rows △
lacks #rows ▽
END
browse same.html
exit "$bad"
