#!/bin/sh
# What being watched costs is not the program's: at a high rate its CPU time and
# the shares of its threads are those of a program that nobody watches.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# At the usual rate no word is said of it.
profile -F 100 "$workloads/uneven" 200
ends_with 0
! grep -q 'stops ' err || complain "says: $(grep 'stops ' err)"

# of_stops: the percentage in the summary, 0 if there is none.
of_stops() { awk '$1 == "stops" { p = $6 + 0 } END { print p + 0 }' err; }
# bare: CPU seconds of the same work when nobody watches.
bare() { "$workloads/uneven" 700 | awk '$1 == "cpu_seconds" { print $2 }'; }
seconds_up() { cut -d ' ' -f 1 /proc/uptime; }

# skip_if_busy CPU_SECONDS WALL_SECONDS: have the bare threads, of which one takes
# three quarters, waited for processors?  Where all are busy a stop takes a thread
# two to five times as long whenever another one must be woken for it, and what was
# tried on a child before the run is not what stops take in it.
skip_if_busy() {
	awk -v cpu="$1" -v wall="$2" 'BEGIN { exit !(wall > 1.5 * 0.75 * cpu) }' ||
		return 0
	skip "the machine is busy: $1 s of work take $2 s"
}

# What is shown is nearer to the bare run than what the program has used, and
# two threads have their parts.  (Where stops cost less than a tenth, noise can be
# more than that.)
is_as_if_bare() {
	begin=$(seconds_up)
	alone_now=$(bare)
	wall_now=$(awk -v a="$begin" -v b="$(seconds_up)" 'BEGIN { print b - a }')
	alone=$(sum bare "$alone_now")
	profile --trigger=interrupt -F 10000 "$workloads/uneven" 700
	ends_with 0
	used=$(sum used "$(value cpu_seconds)")
	shown=$(sum shown "$(cpu)")
	heavy=$(sum heavy "$(share heavy)")
	light=$(sum light "$(share light)")
	percent=$(sum percent "$(of_stops)")
	echo "$what: bare $alone, used $used, shown $shown; heavy $heavy, light $light"
	awk -v bare="$alone" -v used="$used" -v shown="$shown" -v heavy="$heavy" \
		-v light="$light" -v percent="$percent" 'BEGIN {
		left = shown > bare ? shown - bare : bare - shown
		part = 100 * heavy / (heavy + light)
		exit !((used < 1.1 * bare || left < (used - bare) / 2) &&
			part > 71 && part < 79)
	}' && return
	# once_more counts them.
	[ "$run" != third ] || skip_if_busy "$alone_now" "$wall_now"
	return 1
}
once_more is_as_if_bare

# What is warned of is what the summary says.
if awk -v percent="$(of_stops)" 'BEGIN { exit percent < 6 }'; then
	grep -q 'warning: stops cost the program [0-9]* % of its CPU' err ||
		complain "does not warn: $(cat err)"
fi
# The table's ticks make up what is left.
coverage=$(sed -n 's/.*coverage *\([0-9.]*\) %.*/\1/p' err)
is_between 97 103 "$coverage" || complain "coverage $coverage: $(cat err)"
exit "$bad"
