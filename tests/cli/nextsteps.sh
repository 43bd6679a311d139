#!/bin/sh
# The last lines of the summary are commands that work as they stand there; what
# was not written is not offered.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
ln -s "$PROFRUN" profrun
PATH=$PWD:$PATH

# steps: the commands of the last run's summary, a line each.
# What a command is good for stands after it, or below it where a line is full.
# (Where others have the processors, any program waits.)
steps() {
	grep '^  \(profrun\|gprof\|[A-Z_]*=[^ ]* profrun\) ' err |
		grep -v '^  profrun -w ' | sed 's/^  //; s/    # .*//' || :
}
# work N: so many commands, which work, and name the function that has run most.
work() {
	steps >commands
	[ "$(wc -l <commands)" = "$1" ] || complain "not $1 steps: $(cat err)"
	hottest=$(awk '$NF == "shares" && $1 + 0 > 0 { print $(NF - 1); exit }' err)
	[ -n "$hottest" ] || complain "nothing of shares: $(cat err)"
	while read -r step; do
		case $step in
		gprof*) command -v gprof >/dev/null || continue ;;
		esac
		sh -c "$step" >table 2>table.err || complain "$step: $(cat table.err)"
		grep -qF "$hottest" table ||
			complain "$step: no '$hottest': $(cat err table)"
	done <commands
}
none() {
	steps >commands
	[ ! -s commands ] || complain "offers $(cat commands)"
}

profile "$workloads/shares" 0.3
work 3
grep -qx 'profrun report' commands || complain "not the newest: $(cat commands)"
profile -o 'a b.out' "$workloads/shares" 0.3
work 3
grep -qx "profrun report 'a b.out'" commands || complain "another file: $(cat commands)"
rm 'a b.out' 'a b.syms'
profile -f pcsample "$workloads/shares" 0.3
work 2
grep -qx 'profrun report' commands || complain "not the newest: $(cat commands)"
profile -g -f pcsample "$workloads/shares" 0.3
work 3
grep -qx 'profrun report --tree' commands || complain "no tree: $(cat commands)"
profile -g "$workloads/shares" 0.3
work 5
grep -q '^gprof -b -q -S ' commands || complain "no arcs: $(cat commands)"
grep -qx 'profrun report --tree' commands || complain "no tree: $(cat commands)"
rm profrun.pb.gz
profile -g -f gmon "$workloads/shares" 0.3
work 5
grep -q '^profrun -g ' commands || complain "no stacks: $(cat commands)"
rm profrun.pb.gz
profile -f gmon,pcsample "$workloads/shares" 0.3
work 5
grep -qx 'profrun report gmon.out' commands || complain "not by name: $(cat commands)"

# Where nothing can be read, or nothing was counted.
profile -o null "$workloads/shares" 0.3
none
profile -f pcsample -o null "$workloads/shares" 0.3
none
profile true
if [ "$(ticks)" = 0 ]; then none; fi

# --- A sleeper is told of -w, and -w is not.

# by_its_figures: whatever else the machine does, -w is offered if the run took a second,
# and a twentieth of that at most was CPU time.
by_its_figures() {
	offered=$(grep -c '^  profrun -w sleep [0-9.]*    # where it waits' err) || :
	awk -v offered="$offered" '$1 == "time" { wall = $3; cpu = $6; n++ }
		END { exit !(n == 1 && offered == (wall >= 1 && cpu < wall / 20)) }' err ||
		complain "$(cat err)"
}
profile -o null sleep 1.2
by_its_figures
profile -w -o null sleep 1.2
grep -q 'profrun -w' err && complain "$(cat err)"
profile -o null sleep 0.2
by_its_figures

# --- JIT code without a map

# hinted VARIABLE COMMAND...: what it has computed in has no names, and it is told
# how to get them; with VARIABLE it is not.
hinted() {
	variable=$1
	shift
	profile -o null "$@"
	[ "$status" = 0 ] || return 0
	share=$(awk '$NF == "[jit]" && $(NF - 1) == "[jit]" { print int($1) }' err)
	[ "${share:-0}" -ge 50 ] || return 0
	grep -qFx "  $variable profrun $*" err || grep -qF "  $variable profrun $*    #" err ||
		complain "no hint: $(cat err)"
	export "${variable?}"
	profile -o null "$@"
	unset "${variable%%=*}"
	grep -qF "$variable" err && complain "hints again: $(cat err)"
	true
}
cat >loop.js <<'END'
function f(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003; return s }
let t = 0
for (let k = 0; k < 60; k++) t += f(3e6)
console.log(t)
END
if command -v node >/dev/null; then
	hinted NODE_OPTIONS=--perf-basic-prof node loop.js
fi

# Code that was made and keeps no frame pointers is where stacks end: they say so.
if "$workloads/jitted" 0.01 >null; then
	cp "$workloads/jitted" java
	profile -g -o null ./java 0.5
	ends_with 0
	grep -q '  stacks .* end in code without CFI (\[jit\] ' err ||
		complain "stacks do not end there: $(cat err)"
	grep -q '^  JAVA_TOOL_OPTIONS=-XX:+PreserveFramePointer profrun -g ./java 0.5$' err ||
		complain "no hint: $(cat err)"
	profile -o null ./java 0.2
	grep -q PreserveFramePointer err && complain "hint without stacks: $(cat err)"
fi
exit "$bad"
