#!/bin/sh
# report -s: what each table groups by, against the samples themselves.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

profile -q -F 1000 -f pcsample -o trace sh -c '"$0" zero 0.3 & "$1" 2 0.1; wait' \
	"$workloads/callshare" "$workloads/threads"
ends_with 0
what='profrun report'
"$PROFRUN" export -f samples trace >out
is_valid samples
grep '"ticks":' out >samples

# reported KEY: "TICKS NAME" of each row, the largest first.
reported() {
	"$PROFRUN" report --csv -s "$1" trace 2>err |
		awk -F, 'NR > 1 { gsub(/"/, "", $6); print $1, $6 }' | sort
}
# summed FIELD: the same, of the field of the samples.  A tick in a system call is
# in the kernel.
summed() {
	awk -v field="$1" '
		function value(name) {
			if (!match($0, "\"" name "\":[^,}]*"))
				return ""
			found = substr($0, RSTART, RLENGTH)
			sub(/^[^:]*:/, "", found)
			gsub(/"/, "", found)
			return found
		}
		{
			of = value(field)
			if (field == "object" && value("syscall") != "null")
				of = "[kernel]"
			sum[of] += value("ticks")
		}
		END { for (of in sum) print sum[of], of }' samples | sort
}
reported object >found
summed object >true
[ "$(wc -l <true)" -ge 3 ] || complain "few objects: $(cat true)"
cmp -s found true || complain "by object: $(cat found), not $(cat true)"
# What was another program before has a line for each, if ticks fell in both.
for key in process thread; do
	reported $key | awk '{ sum[$2] += $1 }
		END { for (of in sum) print sum[of], of }' | sort >found
	case $key in
	process) summed pid ;;
	thread) summed tid ;;
	esac >true
	cmp -s found true || complain "by $key: $(cat found), not $(cat true)"
done
exit "$bad"
