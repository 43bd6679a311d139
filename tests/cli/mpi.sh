#!/bin/sh
# Each rank of an MPI program leaves a file of its own without being told, and
# merge calls them ranks.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# ranks MPIRUN OPTION...: runs 4 of them.
ranks() {
	what="$* profrun"
	rm -f gmon.* sum.*
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		timeout 120 "$@" -n 4 "$PROFRUN" -F 1000 ./prog \
		>out 2>err || {
		cat err >&2
		grep -q 'ptrace is refused' err && exit 77
		return 0
	}
	tried=yes
	for rank in 0 1 2 3; do
		[ -e gmon.out.$rank ] || complain "no file of rank $rank"
	done
	"$PROFRUN" merge -o sum.out gmon.out.[0-3] 2>err ||
		complain "merge: $(cat err)"
	grep -q 'ranks  *4' err || complain "no ranks: $(cat err)"
	grep -q 'rank [0-3].*  work  ' err || complain "no work: $(cat err)"
	profiled "$@"
}

# profiled MPIRUN OPTION...: profrun runs mpirun, and tells its ranks apart.
profiled() {
	what="profrun $*"
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		timeout 120 "$PROFRUN" -F 1000 -o p.%r.out "$@" -n 4 ./prog \
		>out 2>err || complain "fails: $(cat err)"
	for rank in 0 1 2 3; do
		"$PROFRUN" report --csv p.$rank.out | grep -q '"work","prog"' ||
			complain "no work of rank $rank: $(cat err)"
	done
	merge_has "$(ticks)" p.*.out
}

# merge_has TICKS FILE...: so many are in all of them.
merge_has() {
	wanted=$1
	shift
	"$PROFRUN" merge -o sum.out "$@" 2>merge.err ||
		complain "merge: $(cat merge.err)"
	grep -q "ticks  *$wanted," merge.err ||
		complain "not $wanted ticks: $(cat merge.err)"
	rm -f sum.* p.*
}

cat >prog.c <<'END'
volatile long count;
__attribute__((noinline)) void work(long n) { while (n--) count += n; }
int main(void) { work(100000000); }
END
${CC:-cc} -O1 -o prog prog.c

# Its environment is what tells, also where there is no MPI.
profile -q ./prog
[ -e gmon.out ] || complain 'no gmon.out'
profile -q env true
PMI_RANK=7 profile -q ./prog
[ -e gmon.out.7 ] && [ -e gmon.out.7.syms ] || complain "leaves: $(ls)"
PMI_RANK=7 profile -q -o named ./prog
[ -e named ] || complain '-o is not heard'
# Profrun is no rank, but what it runs is.
profile -F 1000 -o p.%r.out sh -c 'for rank in 0 1 2; do
		PMI_RANK=$rank ./prog &
	done
	SLURM_PROCID=2 ./prog
	wait'
for rank in 0 1 2; do
	[ -e p.$rank.out ] && [ -e p.$rank.syms ] || complain "leaves: $(ls)"
done
merge_has "$(ticks)" p.*.out
profile -q -o p.%r.out ./prog
[ "$(echo p.*.out)" = p.0.out ] || complain "leaves: $(ls)"
rm p.*
[ "$bad" = 0 ] || exit "$bad"

tried=
! command -v mpirun.openmpi >/dev/null || ranks mpirun.openmpi --oversubscribe
! command -v mpirun.mpich >/dev/null || ranks mpirun.mpich
[ -n "$tried" ] || exit 77
exit "$bad"
