#!/bin/sh
# Programs of 32 bits have whole stacks too, dynamic and static, also out of
# functions whose CFI is wrong (memcpy of glibc, in qsort).
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

cat >program.c <<'EOC'
#include <pthread.h>
#include <stdlib.h>

enum { NUMBERS = 3000 };
static volatile double sink;

static __attribute__((noinline)) int
compare(const void *a, const void *b)
{
	const int *left = a, *right = b;

	sink += 1;
	return (*left > *right) - (*left < *right);
}

static __attribute__((noinline)) void
leaf(int n)
{
	for (int i = 0; i < n; i++)
		sink += i * 0.5;
}

static __attribute__((noinline)) void
middle(int n)
{
	leaf(n * 300);
	leaf(n * 100);
	sink += 1;
}

static __attribute__((noinline)) void
sorts(int n)
{
	int numbers[NUMBERS];

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = (i * 7919 + n) % 10007;
	qsort(numbers, NUMBERS, sizeof *numbers, compare);
	sink += numbers[3];
}

static void *
run(void *arg)
{
	for (int i = 0; i < 1200; i++) {
		middle(i % 90 + 5);
		sorts(i);
	}
	return arg;
}

int
main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		return 1;
	run(NULL);
	return pthread_join(thread, NULL);
}
EOC
for way in '' -static; do
	# shellcheck disable=SC2086
	if ! gcc -m32 -O2 $way program.c -o program -lpthread 2>gcc.err; then
		skip "$(tail -n 3 gcc.err)"
	fi
	# A kernel without 32 bits takes it for a script of the shell's.
	env ./program 2>run.err || {
		skip "$(cat run.err)"
	}
	rm -f stacks
	profile -g -F 250 -f folded -o stacks ./program
	ends_with 0
	# complete: how much of the time, in percent.
	complete=$(awk '$1 == "stacks" && $3 == "%" { print int($2) }' err)
	[ "${complete:-0}" -ge 97 ] || complain "$way: $(grep stacks err)"
	for stack in 'main;run;middle;leaf ' 'run;sorts;.*qsort.*;compare '; do
		grep -q "$stack" stacks || complain "$way: no $stack: $(head -5 stacks)"
	done
done
exit "$bad"
