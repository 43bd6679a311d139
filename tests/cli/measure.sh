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
# The devices themselves are not ours to be replaced, should that be what fails.
ln -s /dev/null null
ln -s /dev/full full
bad=0

complain() {
	echo "$what: $*" >&2
	bad=1
}

# skip TEXT...: the rest cannot be tried here, and TEXT says why.  What has been
# found wrong before stays wrong.
skip() {
	echo "$*" >&2
	[ "$bad" = 0 ] || exit "$bad"
	exit 77
}

# profile OPTION... PROGRAM...: its output in out, the summary in err.
profile() {
	what="profrun $*"
	status=0
	rm -f gmon.*
	"$PROFRUN" "$@" >out 2>err || status=$?
	if [ "$status" = 125 ] && grep -q 'ptrace is refused' err; then
		skip "$(cat err)"
	fi
}

# The triggers that a program cannot notice and that this machine has.
silent_triggers() {
	echo timer
	"$PROFRUN" -q -o null --trigger=ring true 2>/dev/null && echo ring
	true
}

ends_with() {
	[ "$status" = "$1" ] || complain "status $status, not $1: $(cat err)"
}

# runs_example COMMAND [STATUS]: what profrun-COMMAND(1) has as an example runs here,
# with the programs that are here, and may end with STATUS, too; what it prints is in
# out.
runs_example() {
	what="the example of profrun-$1(1)" status=0
	sed -n '/^\.EX/,/^\.EE/p' "$abs_top_srcdir/man/profrun-$1.1" |
		sed -e '/^\./d' -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" >example.sh
	PATH=$PWD:$(dirname "$PROFRUN"):$PATH CC=${CC:-cc} \
		sh -e example.sh >out 2>err || status=$?
	[ "$status" = 0 ] || [ "$status" = "${2-0}" ] ||
		complain "ends with $status: $(cat err)"
}

# is_valid NAME: is out, which is JSON, what the schema of that name says?
is_valid() {
	command -v python3 >/dev/null || return 0
	python3 "$abs_top_srcdir/tests/cli/check_schema.py" \
		"$abs_top_srcdir/data/schema/$1.schema.json" out 2>why ||
		complain "is not as its schema says: $(tail -n 1 why)"
}

# The ticks that were lost, as where the kernel tells of more than a ring has room for.
lost() {
	awk '$1 == "samples" {
		for (i = 2; i < NF; i++)
			if ($(i + 1) ~ /^lost,?$/)
				print $i
		exit
	}' err
}

# share FUNCTION [OBJECT]: its self % in the summary, 0 if it is not there.
share() {
	awk -v name="$1" -v object="${2-}" '
		$3 == ".." && $6 == name && (object == "" || $7 == object) { sum += $1 }
		END { print sum + 0 }' err
}

# ticks: how many there are in the profile.  looks: how many stops they took.
ticks() {
	awk '$1 == "samples" { ticks = $2 + late() }
		$1 == "ticks" { ticks = $2 }
		END { print ticks + 0 }
		function late(	i) {
			for (i = 1; i < NF; i++)
				if ($(i + 1) == "late,")
					return $i
		}' err
}

# cpu: CPU seconds in the summary.
cpu() {
	awk '$1 == "time" {
		for (i = 1; i < NF; i++)
			if ($i == "CPU")
				print $(i + 1)
		exit
	}' err
}

# flat FILE: gprof's flat profile in FILE, as lines "percent seconds name".
flat() {
	awk 'NF >= 4 && $1 ~ /^[0-9.]+$/ { print $1, $3, $NF }' "$1"
}

# value NAME: of a workload's line "NAME value" in out.
value() { awk -v name="$1" '$1 == name { print $2; exit }' out; }

# own_seconds: CPU time that a workload has used, without its stops.
own_seconds() {
	awk -v used="$(value cpu_seconds)" '
		$1 == "stops" { stops = $3 } END { print used - stops }' err
}

# state_of DIRECTORY: a letter, of a process or a thread in /proc; nothing: it is
# gone.
state_of() {
	sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "$1/status" 2>/dev/null || :
}

# Does $pid run, or could it?
lives() {
	state=$(state_of "/proc/$pid")
	[ -n "$state" ] && [ "$state" != Z ]
}

# await CONDITION...: until it holds, for a minute.
await() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		if [ $tries -gt 1200 ]; then
			complain "waits in vain for: $*"
			return 1
		fi
		sleep 0.05
	done
}

# ends_by_itself: $pid does, within a minute; its status in $status.
has_ended() { ! lives; }
ends_by_itself() {
	await has_ended || kill -KILL "$pid"
	status=0
	wait "$pid" || status=$?
}

# --- What is left to chance, and to a busy machine: a miss is measured once more,
# and another miss again, and judged by all runs together.

# once_more FUNCTION...: a run that takes its numbers by sum, covers and is_near.
# These must all be taken before it fails.
once_more() {
	rm -f sums
	for run in first second third; do
		"$@" && return
		echo "$what: the $run run is a miss" >&2
	done
	complain "$* fails: $(cat err sums)"
}

# sum NAME NUMBER: with what it was in the runs before, if there were any.
sum() {
	echo "$1 $2" >>sums
	awk -v name="$1" '$1 == name { sum += $2 } END { print sum }' sums
}

# hundredths: all self seconds of gprof's flat profile on standard input, as it
# adds them up, in 1/100 s.
hundredths() {
	awk '$1 ~ /^[0-9.]+$/ && NF >= 3 { s += $3 }
		END { printf "%d", s * 100 + 0.5 }'
}

# is_near NAME FOUND TRUE N: is the percentage within 3.5 standard errors of N
# looks?
is_near() {
	awk -v found="$(sum "$1.found" "$(product "$2" "$4")")" \
		-v true="$(sum "$1.true" "$(product "$3" "$4")")" \
		-v n="$(sum "$1.n" "$4")" 'BEGIN {
		if (n == 0)
			exit 1
		p = true / n / 100
		error = 100 * 3.5 * sqrt(p * (1 - p) / n)
		off = (found - true) / n
		exit !(off <= error && -off <= error)
	}'
}
# product A B, quotient B of what is read.
product() { awk -v a="$1" -v b="$2" 'BEGIN { print a * b }'; }
quotient() { awk -v b="$1" '{ print $1 / b }'; }

# are_near OBJECT NAME...: have these functions the shares that the workload says?
are_near() {
	object=$1
	near=0
	shift
	for name; do
		is_near "$name" "$(share "$name" "$object")" "$(value "$name")" \
			"$(ticks)" || near=1
	done
	return $near
}

# covers LEAST MOST [HZ]: are the ticks, at 100 Hz or HZ, so many percent of the CPU
# time?
covers() {
	awk -v ticks="$(sum ticks "$(ticks)")" -v cpu="$(sum cpu "$(cpu)")" \
		-v least="$1" -v most="$2" -v hz="${3-100}" 'BEGIN {
		found = 100 * ticks / hz
		exit !(found >= least * cpu && found <= most * cpu) }'
}

# is_between LOW HIGH VALUE
is_between() {
	awk -v low="$1" -v high="$2" -v value="$3" \
		'BEGIN { exit !(value >= low && value <= high) }'
}

# modes: the CPU time in err, its user and its system time, in seconds.
modes() {
	sed -n 's/.* CPU \([0-9.]*\) s (user \([0-9.]*\), system \([0-9.]*\)).*/\1 \2 \3/p' err
}
modes_add_up() {
	modes | awk '{ rest = $1 - $2 - $3; right = rest < 0.03 && rest > -0.03 }
		END { exit !right }' || complain "times: $(grep '^  time' err)"
}
