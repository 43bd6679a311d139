#!/bin/sh
# The intervals of shares are the same in all that tells them, also where a part of the
# time is of threads in step with the kernel's tick.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

lines() { awk -v n="$1" -v line="$2" 'BEGIN { while (n-- > 0) print line }'; }
{
	lines 60 'complete outer alpha 1'
	lines 40 'complete outer beta 1'
	echo 'figure cpu_ns 1000000000'
	echo 'figure in_step_ns 250000000'
} | "$abs_top_builddir/tests/support/stacked" made.trace

# In parts of 100000, as files for programs have them: name low high.
what='profrun report'
"$PROFRUN" report --csv made.trace 2>err |
	awk -F, 'NR > 1 { printf "%s %.0f %.0f\n", $6, $3 * 1000, $4 * 1000 }' |
	sort >reported
[ "$(sed -n 's/^"alpha" //p' reported)" = '24700 94522' ] ||
	complain "alpha is $(cat reported)"
what='profrun export -f json'
"$PROFRUN" export -q -f json -o - made.trace >out 2>err || complain "$(cat err)"
is_valid profile
grep -q '"in_step_percent":25[.,]' out || complain "tells no doubt: $(cat out)"
sed -n 's/^.*{"name":\("[^"]*"\),"symbol".*"self":{"ticks":[0-9]*,"low":\([0-9.]*\),"high":\([0-9.]*\)},"total".*/\1 \2 \3/p' out |
	awk '{ printf "%s %.0f %.0f\n", $1, $2 * 100000, $3 * 100000 }' |
	sort >exported
cmp -s reported exported || complain "has $(cat exported), not $(cat reported)"
what='profrun export -f flame'
"$PROFRUN" export -q -f flame -o page.html made.trace 2>err || complain "$(cat err)"
awk -F, '/^"functions":/ { is_of = 1 }
	is_of && NF >= 6 { sub(/^.*\[/, "", $1); print $1, $5, $6 + 0 }
	/\]\]/ { is_of = 0 }' page.html | sort >on_page
cmp -s reported on_page || complain "has $(cat on_page), not $(cat reported)"

. "$abs_top_srcdir/tests/cli/browser.sh"
# What a frame tells, and a search.
cat >steps <<'END'
picture page.png
hover 100 -47
see #details alpha in
see #details 60.00 % (24.7..94.5 %)
key /
type beta
see #matched 40.00 % (5.5..75.3 %)
END
browse page.html
exit "$bad"
