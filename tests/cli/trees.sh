#!/bin/sh
# Each process of a run has a profile and files of its own, and together they
# have every tick.
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || exit 77
"$PROFRUN" --help | grep -q -e --follow || {
	echo 'this profrun does not follow children' >&2
	exit 77
}

# tree: the rows "ticks pid command" of the tree in err, and "ticks rest".
tree() {
	awk '
		/ticks      PID  process$/ { inside = 1; next }
		!NF { inside = 0 }
		inside {
			sub(/±/, "± ")
			if ($2 == "±") {
				printf "%s %s", $4, $5
				for (i = 6; i <= NF; i++) printf " %s", $i
				print ""
			} else if ($3 == "in") {
				print $2, "rest"
			}
		}' err
}

# hundredths PROGRAM FILE: all time in it, as gprof adds it up.
hundredths() {
	gprof -b -p -S "$2.syms" "$1" "$2" 2>gprof.err |
		awk '$1 ~ /^[0-9.]+$/ && NF >= 3 { s += $3 } END { printf "%d", s * 100 + 0.5 }'
}

# sums_up: the rows of the tree are all ticks in the profile.
sums_up() {
	sum=$(tree | awk '{ s += $1 } END { print s + 0 }')
	[ "$sum" = "$(ticks)" ] || complain "the tree has $sum of $(ticks) ticks"
}

# Two busy children of a shell: a file for each, with the ticks that it has in
# the tree, and none else.
profile sh -c '"$0" 0.6 & "$0" 0.6 & wait; :' "$workloads/shares"
ends_with 0
sums_up
[ -s gmon.out ] && [ -s gmon.syms ] || complain 'no gmon.out of the shell'
children=0
tree >rows
while read -r n pid command; do
	case $command in
	*shares*) ;;
	*) continue ;;
	esac
	children=$((children + 1))
	found=$(hundredths "$workloads/shares" "gmon.out.$pid")
	[ "$found" = "$n" ] ||
		complain "gmon.out.$pid has $found of $n ticks: $(cat gprof.err)"
	gprof -b -p "$workloads/shares" "gmon.out.$pid" | grep -q ' four$' ||
		complain "gmon.out.$pid does not know of four()"
done <rows
[ "$children" = 2 ] || complain "$children busy children: $(cat err)"
grep -q 'gmon\.out\.[0-9]*  *# .*shares' err || complain 'names no file'

# The functions are those of all processes together.
right_in_all() {
	profile sh -c '"$0" 1 & "$0" 1 & wait; :' "$workloads/shares"
	for name in one two three four; do
		is_near "$(share "$name" shares)" "$(value "$name")" \
			"$(ticks)" || return 1
	done
}
once_more right_in_all

# An exec chain: gmon.out is what the first process has ended as.
profile sh -c 'exec sh -c "exec \"\$0\" 0.4" "$0"' "$workloads/shares"
ends_with 0
gprof -b -p "$workloads/shares" gmon.out 2>gprof.err | grep -q ' four$' ||
	complain "gmon.out is not of the last program: $(cat gprof.err)"

# What was run before the exec has a file of its own.
profile sh -c 'i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done
	exec "$0" 0.3' "$workloads/shares"
sums_up
[ "$(tree | grep -c .)" = 2 ] || complain "not two programs: $(cat err)"
pid=$(tree | awk 'NR == 1 { print $2 }')
[ -s "gmon.out.$pid.0" ] || complain "no gmon.out.$pid.0"
gprof -b -p "$workloads/shares" gmon.out | grep -q ' four$' ||
	complain 'gmon.out is not of the last program'

# Children of the shell stand below it, theirs below them.
profile sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done
	sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done
		\"\$0\" 0.3; :" "$0"; :' "$workloads/shares"
grep -q '^[^a-z]*  sh -c' err && grep -q '^[^a-z]*    sh -c' err &&
	grep -q '^[^a-z]*      [^ ]*shares' err || complain "no tree: $(cat err)"
sums_up

# Hundreds of processes without ticks are one line, and no files.
profile sh -c 'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done
	"$0" 0.2; :' "$workloads/shares"
ends_with 0
sums_up
idle=$(sed -n 's/^  and \([0-9]*\) process.* without ticks$/\1/p' err)
[ "${idle:-0}" -gt 100 ] || complain "${idle:-0} processes without ticks"

# A pattern names each process, by the program that it is.
profile -o x.%n.%p sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done
	"$0" 0.3; :' "$workloads/shares"
for program in sh shares; do
	set -- "x.$program."*[0-9]
	[ -s "$1" ] || complain "no x.$program.PID: $(echo x.*)"
done
rm -f x.*

# Nothing stands beside a device.
profile -o /dev/null sh -c '"$0" 0.2; :' "$workloads/shares"
ends_with 0
set -- gmon.*
[ ! -e "$1" ] || complain "writes $*"
exit "$bad"
