#!/bin/sh
# A function that costs little for one caller and much for another: gprof divides
# its time by the stacks that were seen, not by how often it was called; so it does
# for a callback, which a library calls.  The program knows what each took.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
command -v gprof >/dev/null || skip 'gprof is missing'

cat >callers.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BIG = 40000, SMALL = 4000 };
static volatile unsigned sink;
static int all[BIG];

static __attribute__((noinline)) void
helper(unsigned n)
{
	while (n-- > 0)
		sink += n;
}

static __attribute__((noinline)) void
cheap(void)
{
	for (int i = 0; i < 200; i++)
		helper(500);
}

static __attribute__((noinline)) void
expensive(void)
{
	helper(3900000);
}

static __attribute__((noinline)) int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void
sort(int n)
{
	for (int i = 0; i < n; i++)
		all[i] = (int)(i * 7919L % n);
	qsort(all, (size_t)n, sizeof *all, compare);
}

static __attribute__((noinline)) void
sortbig(void)
{
	sort(BIG);
}

static __attribute__((noinline)) void
sortsmall(void)
{
	sort(SMALL);
}

int
main(void)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} parts[] = {{"cheap", cheap},
		     {"expensive", expensive},
		     {"sortbig", sortbig},
		     {"sortsmall", sortsmall}};
	clock_t took[4] = {0}, total = 0;

	while (total < 2 * CLOCKS_PER_SEC)
		for (int i = 0; i < 4; i++) {
			clock_t begin = clock();

			parts[i].call();
			begin = clock() - begin;
			took[i] += begin;
			total += begin;
		}
	for (int i = 0; i < 4; i++)
		printf("%s %.2f\n", parts[i].name, 100.0 * took[i] / total);
	return 0;
}
END
# shellcheck disable=SC2086 # CC may have words
${CC:-cc} -O1 -g -o callers callers.c || skip 'no compiler'

# inclusive FUNCTION: its share with all that it called, as gprof has it
inclusive() {
	awk -v name="$1" '/^\[/ && $(NF - 1) == name { print $2 }' graph
}
all_are_true() {
	profile -g -F 250 ./callers
	ends_with 0
	gprof -b -q -S gmon.syms ./callers gmon.out >graph
	near=0
	for name in cheap expensive sortbig sortsmall; do
		is_near "$name" "$(inclusive "$name")" "$(value "$name")" \
			"$(ticks)" || near=1
	done
	return $near
}
once_more all_are_true
exit "$bad"
