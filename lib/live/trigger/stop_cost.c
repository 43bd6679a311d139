#include "live/trigger/stop_cost.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/arch.h"
#include "live/proc/clock.h"
#include "live/proc/schedstat.h"

/* Measured, with programs whose work is known (bench/README.md): a stop of a thread
 * that runs takes so much more than one of a thread that makes a single step. */
#define RUN_OF_STEP 1.2

/* --- A child to try it on */

enum {
	FIRST_STEPS = 8,
	STEPS = 4, /* that are measured together, */
	TIMES = 8, /* so many times, of which so many count */
	TIMES_COUNTED = 6,
	/* It ends by itself if this process does not. */
	CHILD_CPU_NS = 500000000,
};

_Noreturn static void
turn(void)
{
	while (prf_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < CHILD_CPU_NS)
		for (volatile int turns = 0; turns < 100000; turns++)
			;
	_exit(0);
}

static bool
await_stop(pid_t child)
{
	int status;

	while (waitpid(child, &status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	return WIFSTOPPED(status);
}

static bool
step(pid_t child, int n)
{
	while (n-- > 0)
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) ||
		    !await_stop(child))
			return false;
	return true;
}

/* What CHILD, which is stopped, has run.  Its registers are there to be read
 * as soon as it has left its processor. */
static bool
read_cpu(pid_t child, uint64_t *cpu_ns)
{
	struct prf_regs regs;

	return !prf_arch.read(child, &regs) &&
	       !prf_schedstat_read_cpu(child, child, cpu_ns);
}

static int
by_size(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Some steps take many times as long, where other programs, or other machines, have
 * had the processor meanwhile: the longest do not count.  The first steps touch
 * memory that the child does not have yet. */
static bool
try_steps(pid_t child, uint64_t *taken_ns)
{
	uint64_t taken[TIMES], before_ns, after_ns;

	if (ptrace(PTRACE_SEIZE, child, NULL,
		   (void *)(intptr_t)PTRACE_O_EXITKILL) ||
	    ptrace(PTRACE_INTERRUPT, child, NULL, NULL) || !await_stop(child) ||
	    !step(child, FIRST_STEPS) || !read_cpu(child, &before_ns))
		return false;
	for (int i = 0; i < TIMES; i++) {
		if (!step(child, STEPS) || !read_cpu(child, &after_ns))
			return false;
		taken[i] = after_ns - before_ns;
		before_ns = after_ns;
	}
	qsort(taken, TIMES, sizeof *taken, by_size);
	*taken_ns = 0;
	for (int i = 0; i < TIMES_COUNTED; i++)
		*taken_ns += taken[i];
	return true;
}

uint64_t
prf_stop_cost_try(void)
{
	uint64_t taken_ns = 0;
	pid_t child = fork();

	if (child == 0)
		turn();
	if (child < 0)
		return 0;
	bool tried = try_steps(child, &taken_ns);
	kill(child, SIGKILL);
	while (waitpid(child, NULL, __WALL) != child)
		if (errno != EINTR)
			break;
	return tried ? (uint64_t)((double)taken_ns / (TIMES_COUNTED * STEPS) *
				  RUN_OF_STEP)
		     : 0;
}
