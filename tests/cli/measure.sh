# measure.sh - for tests that read a profile.  Sourced, not run.
# shellcheck shell=sh
export LC_ALL=C
# A job of a cluster has a rank, which would name the files.
unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK SLURM_PROCID
# Names are those of this machine.
unset DEBUGINFOD_URLS
workloads=$abs_top_builddir/tests/workloads
sampled=$abs_top_builddir/tests/support/sampled
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

complain() {
	echo "$what: $*" >&2
	bad=1
}

# profile OPTION... PROGRAM...: its output in out, the summary in err.
profile() {
	what="profrun $*"
	status=0
	rm -f gmon.*
	"$PROFRUN" "$@" >out 2>err || status=$?
	if [ "$status" = 125 ] && grep -q 'ptrace is refused' err; then
		cat err >&2
		exit 77
	fi
}

# The triggers that a program cannot notice and that this machine has.
silent_triggers() {
	echo timer
	"$PROFRUN" -q -o /dev/null --trigger=perf true 2>/dev/null && echo perf
	true
}

ends_with() {
	[ "$status" = "$1" ] || complain "status $status, not $1: $(cat err)"
}

# share FUNCTION [OBJECT]: its self % in the summary, 0 if it is not there.
share() {
	awk -v name="$1" -v object="${2-}" '
		$2 == "±" { $2 = $2 $3; for (i = 3; i < NF; i++) $i = $(i + 1); NF-- }
		$2 ~ /^±/ && $4 == name && (object == "" || $5 == object) { sum += $1 }
		END { print sum + 0 }' err
}

# ticks: how many there are in the profile.  looks: how many stops they took.
ticks() { awk '$1 == "ticks" { print $2; exit }' err; }

# flat FILE: gprof's flat profile in FILE, as lines "percent seconds name".
flat() {
	awk 'NF >= 4 && $1 ~ /^[0-9.]+$/ { print $1, $3, $NF }' "$1"
}

# is_near FOUND TRUE N: is the percentage within 3.5 standard errors of N looks?
is_near() {
	awk -v found="$1" -v true="$2" -v n="$3" 'BEGIN {
		p = true / 100
		error = 100 * 3.5 * sqrt(p * (1 - p) / n)
		exit !(n > 0 && found >= true - error && found <= true + error)
	}'
}

# value NAME: of a workload's line "NAME value" in out.
value() { awk -v name="$1" '$1 == name { print $2; exit }' out; }

# once_more FUNCTION...: chance and a busy machine have one more try.
once_more() {
	"$@" && return
	echo "$what: once more" >&2
	"$@" || complain "$* fails twice: $(cat err)"
}
