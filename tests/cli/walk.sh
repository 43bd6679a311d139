# walk.sh - each allocation of profrun fails, in a run of its own: profrun ends
# with 125 and one error that says why, or does without.  Sourced, not run.
# shellcheck shell=sh
. "$abs_top_srcdir/tests/cli/measure.sh"
library=$abs_top_builddir/tests/support/.libs/failing.so
# A sanitizer has an allocator of its own.
[ -e "$library" ] && [ -z "$SAN_CFLAGS" ] || exit 77

# with_failure N WORDS...: profrun in a new directory, and its Nth allocation
# fails; the file "failed" says where.
# shellcheck disable=SC2016
with_failure() {
	status=0
	rm -rf new failed
	mkdir new
	n=$1
	shift
	(cd new && timeout -s KILL 60 sh -c 'PRF_FAIL=$1 PRF_FAILED=../failed \
		MALLOC_PERTURB_=165 LD_PRELOAD=$0 && shift &&
		export PRF_FAIL PRF_FAILED MALLOC_PERTURB_ LD_PRELOAD && exec "$@"' \
		"$library" "$n" "$PROFRUN" "$@" >out 2>../err) || status=$?
}

# wrong: what is wrong with a run that had a failure, in a few words.  What it
# leaves out it has to say.
wrong() {
	lines=$(grep -c '^profrun: ' err) || :
	warnings=$(grep -c '^profrun: warning: ' err) || :
	case $status in
	0)
		[ "$warnings" -gt 0 ] || is_same || echo 'another result, and no word'
		[ "$lines" = "$warnings" ] || echo 'status 0 after an error'
		;;
	# What is lost besides is a warning.
	125) [ "$((lines - warnings))" = 1 ] || echo "$lines lines" ;;
	*) echo "status $status" ;;
	esac
}

# walk STEP WORDS...: every STEPth allocation of "profrun WORDS" fails, and fewer
# where there are thousands; all of them where PRF_ALLOCATIONS_STEP says 1.
walk() {
	step=${PRF_ALLOCATIONS_STEP-$1}
	sparser=${PRF_ALLOCATIONS_STEP:+0}
	shift
	what="profrun $*"
	with_failure 0 "$@"
	ends_with 0
	rm -rf good
	mv new good
	nth=1
	while with_failure "$nth" "$@" && [ -e failed ]; do
		wrong=$(wrong)
		[ -z "$wrong" ] ||
			complain "allocation $nth: $wrong: $(cat err failed)"
		nth=$((nth + step + ${sparser:-1} * nth / 10))
	done
	echo "$what: $nth allocations"
}
