#!/bin/sh
# gprof(1) is the judge: what it reckons a function and all that it called to
# have taken is what the samples have, for any calls; functions that call each
# other have it in sum.
set -eu
LC_ALL=C
export LC_ALL

command -v gprof >/dev/null || {
	echo 'gprof is missing' >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRF_TEST_DIR="$work"

# read_totals: of gprof's call graph, a line "TICKS NAME" for each function but
# _start, the [root] and members of a cycle.  100 Hz: two decimals of a second
# are ticks.
read_totals() {
	awk '/^\[/ {
		name = $(NF - 1)
		if (/as a whole>/)
			name = "cycle"
		else if (/<cycle [0-9]+>/)
			next
		if (name != "_start" && name != "[root]")
			printf "%d %s\n", ($3 + $4) * 100 + 0.5, name
	}' | sort
}

# check WHAT COMMAND...: what gprof prints is true.
check() {
	what=$1
	shift
	"$@" >"$work/graph" 2>"$work/err"
	read_totals <"$work/graph" >"$work/found"
	if [ -s "$work/err" ] || [ ! -s "$work/found" ] ||
		! diff -u "$work/expected" "$work/found" >&2; then
		echo "$PRF_CALLS, $what, PRF_TEST_SEED=$PRF_TEST_SEED:" >&2
		cat "$work/err" "$work/graph" >&2
		exit 1
	fi
}

for PRF_CALLS in dag start recursion roots library cycle stripped; do
	seed=${PRF_TEST_SEED:-1}
	for PRF_TEST_SEED in "$seed" "$((seed + 1))" "$((seed + 2))" \
		"$((seed + 3))" "$((seed + 4))" "$((seed + 5))"; do
		export PRF_CALLS PRF_TEST_SEED
		"$abs_top_builddir/tests/view/write_calls" >"$work/log" || {
			cat "$work/log" >&2
			exit 1
		}
		sort -o "$work/expected" "$work/expected"
		check 'with the list' gprof -b -q -S "$work/gmon.syms" \
			"$work/prog" "$work/gmon.out"
		# Without it gprof knows the program alone, and of it only what
		# its symbols say.
		case $PRF_CALLS in
		library | stripped) ;;
		*) check 'without the list' gprof -b -q "$work/prog" \
			"$work/gmon.out" ;;
		esac
	done
done
