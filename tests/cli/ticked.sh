#!/bin/sh
# A program whose own signals come at the same moments as ours: its time is where it
# was then, and not at the begin of its handler.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile --trigger=timer "$workloads/ticked" 1
ends_with 0
[ "$(value signals)" -gt 20 ] || complain "has few signals: $(cat out)"
is_between 90 100 "$(share work)" || complain "work has $(share work) %: $(cat err)"
exit "$bad"
