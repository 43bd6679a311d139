#!/bin/sh
# A program whose CFI is in its debug file alone: no .eh_frame, and .debug_frame
# was taken away.  By build-id it would lie in /usr/lib/debug; here by its link.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

cat >program.c <<'EOC'
static volatile double sink;

static __attribute__((noinline)) void
leaf(int n)
{
	for (int i = 0; i < n; i++)
		sink += i * 0.5;
}

/* Of different sizes, which nobody can guess. */
static __attribute__((noinline)) void
middle(int n)
{
	volatile char room[n % 7 * 100 + 20];

	room[0] = 1;
	leaf(n * 100);
	sink += room[0];
}

int
main(void)
{
	for (int i = 0; i < 20000; i++)
		middle(i % 90 + 5);
	return 0;
}
EOC
compiler=${CC:-gcc}
# shellcheck disable=SC2086
if ! $compiler -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables \
	-fno-pie -no-pie program.c -o program 2>cc.err ||
	! objcopy --only-keep-debug program program.debug ||
	! objcopy --strip-debug --remove-section=.note.gnu.build-id program bare; then
	cat cc.err >&2
	exit 77
fi
objcopy --remove-section=.note.gnu.build-id program.debug
cp bare linked
objcopy --add-gnu-debuglink=program.debug linked
readelf -SW linked | grep -q '\.debug_frame' && exit 77

# look: found is how much of the time has a whole stack by CFI, in percent.
look() {
	profile --call-graph=cfi -F 250 -f folded -o linked.stacks ./linked
	ends_with 0
	found=$(awk '$1 == "stacks" && $3 == "%" { print int($2) }' err)
}
look
[ "${found:-0}" -ge 90 ] || complain "$found % of stacks: $(grep stacks err)"
grep -q 'main;middle;leaf ' linked.stacks ||
	complain "no main;middle;leaf: $(head -5 linked.stacks)"
rm program.debug linked.stacks
look
[ "${found:-0}" -lt 50 ] || complain "$found % without a debug file: this test cannot fail"
exit "$bad"
