#!/bin/sh
# The page of a trace: what ran when, and the samples of a thread or of a span of
# time; and that of a run, with its processes.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2016,SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
. "$abs_top_srcdir/tests/cli/browser.sh"

# A second of one thread, alpha and then gamma_ray; then half a second of another, beta.
# The names of threads take 170 of 1280 pixels, the rest are 1.5 s.  The scale is 20
# pixels high, each row 18.
lines() { awk -v n="$1" -v line="$2" 'BEGIN { while (n-- > 0) print line }'; }
{
	lines 50 'complete outer alpha 1'
	lines 50 'complete outer gamma_ray 1'
	lines 50 'complete outer ?beta 1 thread 101'
} | "$abs_top_builddir/tests/support/stacked" made.trace
what='profrun export'
"$PROFRUN" export -q -f flame made.trace 2>err || complain "$(cat err)"

cat >steps <<'END'
picture whole.png
see h1 stacked up
see #rows alpha
see #rows beta
hidden #span-bar
drag #time-canvas 180 25 300 40
see #span-name 0.014 s to 0.177 s: 16 ticks
see #rows alpha
lacks #rows gamma_ray
lacks #rows beta
hash span=
picture span.png
key z
hash range=
see #span-name 0.01
# A span that is moved is as long as before.
times 12 key ArrowRight
lacks #span-name 0.014 s
times 12 key ArrowLeft
see #span-name 0.014 s to 0.177 s: 16 ticks
# It goes as far as to the begin, though that is not a whole step away.
times 9 key ArrowLeft
see #span-name 0.000 s to 0.163 s
key w
press #span-close
hash -
drag #time-canvas 1200 25 1100 40
lacks #rows alpha
see #rows beta
see #rows 100.00
key Escape
hash -
hover 600 -9
see #details all: 100.00 %
point #time-canvas 300 30
see #details stacked: 100 % of a processor, mostly alpha
press #time-canvas
hash of=thread-0
see #rows gamma_ray
lacks #rows beta
press #reset
hash -
# A span in which the thread that is shown has no ticks; it is told without the rows, too.
choose #of 101 stacked 33.33 %
drag #time-canvas 180 25 300 40
key c
see #span-name 0.014 s to 0.177 s: 0 ticks
print empty.pdf
printed No ticks.
key a
hidden #time
exists #span-bar:not([hidden])
key a
key c
press #reset
hash -
choose #of 101 stacked 33.33 %
hash of=thread-1
see #rows beta
lacks #rows alpha
key Escape
hash -
key /
type beta
see #matched 33.33 %
key Enter
picture found.png
key /
key Escape
key a
hidden #time
hash time=0
key a
size 400 800
picture phone.png
END
browse profrun.html

# Of a part of the trace the axis is that alone, and tells the time since the start: the
# last half of the first thread's second, all of it gamma_ray, and half of the other's.
"$PROFRUN" export -q -f flame -o part.html --time=0.505-1.25 made.trace 2>err ||
	complain "$(cat err)"
cat >steps <<'END'
picture part.png
see #rows beta
lacks #rows alpha
drag #time-canvas 180 25 1260 40
see #span-name 0.51
see #span-name s to 1.23
point #time-canvas 300 30
see #details 0.59
see #details mostly gamma_ray
END
browse part.html

# Without sums of each thread, since there were too many, none can be chosen.
sed 's/^"sums":/"too_many":/' profrun.html >without.html
if cmp -s profrun.html without.html; then complain 'has no sums'; fi
cat >steps <<'END'
picture without.png
hidden #of-label
press #time-canvas
hash -
see #rows beta
drag #time-canvas 180 25 300 40
lacks #rows beta
END
browse without.html

# A run, which has no times: the thread of each of two processes.
profile -q -F 250 -g -f flame -o run.html sh -c '"$0" 0.2; "$0" 0.6; :' "$workloads/shares"
ends_with 0
cat >steps <<'END'
picture run.png
hidden #time
hidden #time-toggle
see #rows four
choose #of shares
hash of=p
key Escape
hash -
END
browse run.html
exit "$bad"
