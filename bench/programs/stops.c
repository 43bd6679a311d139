/* stops - the least that a stop under ptrace takes.
 *
 *	stops [N]
 *
 * A process sends itself a signal that it ignores, N (2000) times; then the same
 * under a tracer, which is told of each and does nothing but let it go on: no
 * look at a register, no other request, no thread to be woken.  What a stop costs
 * is the difference, where both run.
 * Prints the medians:
 *
 *	bare_us T
 *	stop_us T */
#include "work.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define MOST 100000

static int
compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The median of N times. */
static double
signal_us(size_t n)
{
	static uint64_t ns[MOST];

	for (size_t i = 0; i < n; i++) {
		uint64_t start_ns = wall_ns();

		raise(SIGWINCH);
		ns[i] = wall_ns() - start_ns;
	}
	qsort(ns, n, sizeof *ns, compare);
	return (double)ns[n / 2] * 1e-3;
}

static void
be_stopped(size_t n)
{
	double bare_us = signal_us(n);

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) {
		puts("refused ptrace");
		exit(77);
	}
	raise(SIGSTOP); /* the tracer waits for it */
	printf("bare_us %.3f\nstop_us %.3f\n", bare_us, signal_us(n) - bare_us);
	exit(0);
}

int
main(int argc, char **argv)
{
	size_t n = (size_t)number(argc, argv, 1, 2000);
	int status = 0;
	pid_t child;

	if (n < 1 || n > MOST)
		usage(argv[0], "[1<=N<=100000]");
	signal(SIGWINCH, SIG_IGN);
	child = fork();
	if (child < 0)
		die("fork");
	if (child == 0)
		be_stopped(n);
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
		if (ptrace(PTRACE_CONT, child, NULL, NULL))
			die("ptrace");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
