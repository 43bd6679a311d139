/* handlers - works in a callback of qsort, in memcpy and snprintf, and in a
 * signal's handler that has a stack of its own, at any depth of a recursion.
 *
 *	handlers [SECONDS]
 *
 * For stacks that are compared with a debugger's (bench/gdb_stacks.sh). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

enum { NUMBERS = 2000, BYTES = 1 << 16, DEPTH = 12 };

static volatile unsigned long turns;
static char from[BYTES], to[BYTES], other_stack[1 << 16];

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static APART int
compare(const void *a, const void *b)
{
	const int *left = a, *right = b;

	turns++;
	return (*left > *right) - (*left < *right);
}

static APART void
sort(void)
{
	int numbers[NUMBERS];

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = (int)((turns + (unsigned)i * 7919) % 10007);
	qsort(numbers, NUMBERS, sizeof *numbers, compare);
	turns += (unsigned)numbers[3];
}

static APART void
copy(void)
{
	for (int i = 0; i < 50; i++)
		memcpy(to, from, sizeof to);
	for (int i = 0; i < 200; i++)
		snprintf(to, sizeof to, "%d %s %g", i, "and", i * 0.3);
	turns++;
}

/* Room of another size each time: a frame that is found by its own register. */
static APART void
recur(int depth)
{
	volatile char room[depth % 5 * 40 + 8];

	room[0] = 1;
	if (depth > 0) {
		recur(depth - 1);
	} else {
		sort();
		copy();
	}
	turns += (unsigned)room[0];
}

static APART void
in_handler(int signal)
{
	for (int i = 0; i < 3; i++)
		sort();
	turns += (unsigned)signal;
}

int
main(int argc, char **argv)
{
	double until = now() + (argc > 1 ? strtod(argv[1], NULL) : 30);
	const stack_t other = {.ss_sp = other_stack,
			       .ss_size = sizeof other_stack};
	const struct sigaction action = {.sa_handler = in_handler,
					 .sa_flags = SA_ONSTACK | SA_RESTART};
	const struct itimerval at = {{0, 3000}, {0, 3000}};

	if (sigaltstack(&other, NULL) || sigaction(SIGPROF, &action, NULL) ||
	    setitimer(ITIMER_PROF, &at, NULL))
		return 1;
	for (int depth = 0; now() < until; depth = (depth + 1) % DEPTH)
		recur(depth);
	return 0;
}
