#!/bin/sh
# All processes of a run have one profile, which has every tick; or each has
# files of its own, if they are wanted, and together those have every tick.
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
			if ($3 == "..") {
				printf "%s %s", $5, $6
				for (i = 7; i <= NF; i++) printf " %s", $i
				print ""
			} else if ($3 == "in") {
				print $2, "rest"
			}
		}' err
}

# programs: the rows "ticks processes program" of the totals in err.
programs() {
	awk '
		/ticks  processes  program$/ { inside = 1; next }
		!NF { inside = 0 }
		inside && $3 == ".." { print $5, $6, $7 }' err
}

# in_file PROGRAM FILE [LIST]: the ticks in it, as gprof adds them up.
in_file() {
	gprof -b -p -S "${3:-$2.syms}" "$1" "$2" 2>gprof.err | hundredths
}

# adds_up COMMAND: the first column of what it prints is all ticks.
adds_up() {
	sum=$("$1" | awk '{ s += $1 } END { print s + 0 }')
	[ "$sum" = "$(ticks)" ] ||
		complain "$1 has $sum of $(ticks) ticks: $(cat err)"
}

# One file for two busy children of a shell, with every tick of the run; the
# totals of programs come first, and the tree is there for those who ask.
profile sh -c '"$0" 0.6 & "$0" 0.6 & wait; :' "$workloads/shares"
ends_with 0
adds_up programs
[ "$(programs | awk '$3 == "shares" { print $2 }')" = 2 ] ||
	complain "not two processes of shares: $(programs)"
[ "$(echo gmon.*)" = 'gmon.out gmon.syms' ] || complain "leaves $(echo gmon.*)"
[ "$(in_file "$workloads/shares" gmon.out gmon.syms)" = "$(ticks)" ] ||
	complain "gmon.out has not $(ticks) ticks: $(cat gprof.err)"
[ -z "$(tree)" ] || complain 'shows the tree to everybody'
for option in -t -v; do
	profile $option sh -c '"$0" 0.2 & "$0" 0.2 & wait; :' \
		"$workloads/shares"
	adds_up programs
	adds_up tree
done

# A file for each of them, with the ticks that it has in the tree.
profile -v -o gmon.out.%p sh -c '"$0" 0.6 & "$0" 0.6 & wait; :' \
	"$workloads/shares"
ends_with 0
adds_up tree
[ ! -e gmon.out ] || complain 'writes a gmon.out, too'
children=0
tree >rows
while read -r n pid command; do
	file=gmon.out.$pid
	# A shell can have a tick before it becomes another program.
	case $command in
	sh\ *) [ ! -e "$file.0" ] || file=$file.0 ;;
	esac
	found=$(in_file "$workloads/shares" "$file")
	[ "$found" = "$n" ] ||
		complain "$file has $found of $n ticks: $(cat gprof.err)"
	case $command in
	*shares*) ;;
	*) continue ;;
	esac
	children=$((children + 1))
	gprof -b -p "$workloads/shares" "gmon.out.$pid" | grep -q ' four$' ||
		complain "gmon.out.$pid does not know of four()"
done <rows
[ "$children" = 2 ] || complain "$children busy children: $(cat err)"
grep -q 'gmon\.out\.[0-9]*  *# .*shares' err || complain 'names no file'

# The functions are those of all processes together.
right_in_all() {
	profile sh -c '"$0" 1 & "$0" 1 & wait; :' "$workloads/shares"
	are_near shares one two three four
}
once_more right_in_all

# An exec chain: the program is what the first process has ended as.
profile sh -c 'exec sh -c "exec \"\$0\" 0.4" "$0"' "$workloads/shares"
ends_with 0
gprof -b -p "$workloads/shares" gmon.out 2>gprof.err | grep -q ' four$' ||
	complain "gmon.out is not of the last program: $(cat gprof.err)"

# What was run before the exec is in the file, too; or has one of its own.
chain='i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done; exec "$0" 0.3'
profile -v sh -c "$chain" "$workloads/shares"
adds_up tree
[ "$(tree | grep -c .)" = 2 ] || complain "not two programs: $(cat err)"
[ "$(in_file "$workloads/shares" gmon.out gmon.syms)" = "$(ticks)" ] ||
	complain "gmon.out has not $(ticks) ticks: $(cat gprof.err)"
gprof -b -p "$workloads/shares" gmon.out | grep -q ' four$' ||
	complain 'gmon.out is not of the last program'
profile -v -o gmon.out.%p sh -c "$chain" "$workloads/shares"
pid=$(tree | awk 'NR == 1 { print $2 }')
n=$(tree | awk 'NR == 1 { print $1 }')
[ "$(in_file /bin/sh "gmon.out.$pid.0")" = "$n" ] ||
	complain "gmon.out.$pid.0 has not $n ticks: $(cat gprof.err)"
gprof -b -p "$workloads/shares" "gmon.out.$pid" | grep -q ' four$' ||
	complain "gmon.out.$pid is not of the last program"

# Children of the shell stand below it, theirs below them.
profile -v sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done
	sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done
		\"\$0\" 0.3; :" "$0"; :' "$workloads/shares"
grep -q '^[^a-z]*  sh -c' err && grep -q '^[^a-z]*    sh -c' err &&
	grep -q '^[^a-z]*      [^ ]*shares' err || complain "no tree: $(cat err)"
adds_up tree

# Hundreds of processes without ticks are one line, and no files.  (Where page
# faults are dear they live for some milliseconds each.)
for pattern in gmon.out gmon.%p.out; do
	profile -v -F 20 -o "$pattern" sh -c 'i=0
		while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done
		"$0" 0.5; :' "$workloads/shares"
	ends_with 0
	modes_add_up
	adds_up programs
	adds_up tree
	idle=$(sed -n 's/^  and \([0-9]*\) process.* without ticks$/\1/p' err |
		head -n 1)
	[ "${idle:-0}" -gt 100 ] || complain "${idle:-0} processes without ticks"
	set -- gmon.*
	# Two of each that has ticks, and of what it was before an exec.
	all=$(awk '$1 == "processes" { print $2 + 0; exit }' err)
	[ $# -le $((4 * (all - ${idle:-0}))) ] || complain "leaves $# files: $(cat err)"
done

# A pattern names each process, by the program that it is.
profile -o x.%n.%p sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done
	"$0" 0.3; :' "$workloads/shares"
for program in sh shares; do
	set -- "x.$program."*[0-9]
	[ -s "$1" ] || complain "no x.$program.PID: $(echo x.*)"
done
rm -f x.*

# Nothing stands beside a device.
profile -o null sh -c '"$0" 0.2; :' "$workloads/shares"
ends_with 0
set -- gmon.*
[ ! -e "$1" ] || complain "writes $*"
exit "$bad"
