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

/* Measured, with programs whose work is known (bench/README.md): the way back
 * takes this part of the way in, and a stop of a thread that runs so much more
 * than one of a thread that makes a single step. */
#define BACK_OF_IN 0.4
#define RUN_OF_STEP 1.2

/* The machine may be busier than when it was tried; more is no way in. */
#define MOST_OF_USUAL 4

/* The mean follows what the machine does besides. */
enum { MEAN_OF = 64 };

/* --- A child to try it on */

enum {
	FIRST_STEPS = 8,
	STEPS = 24,
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

/* The first steps touch memory that the child does not have yet. */
static bool
try_steps(pid_t child, uint64_t *taken_ns)
{
	uint64_t before_ns, after_ns;

	if (ptrace(PTRACE_SEIZE, child, NULL,
		   (void *)(intptr_t)PTRACE_O_EXITKILL) ||
	    ptrace(PTRACE_INTERRUPT, child, NULL, NULL) || !await_stop(child) ||
	    !step(child, FIRST_STEPS) || !read_cpu(child, &before_ns) ||
	    !step(child, STEPS) || !read_cpu(child, &after_ns))
		return false;
	*taken_ns = after_ns - before_ns;
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
	return tried ? (uint64_t)((double)taken_ns / STEPS * RUN_OF_STEP) : 0;
}

/* --- One thread */

struct prf_stop_cost
prf_stop_cost_new(uint64_t usually_ns)
{
	return (struct prf_stop_cost){
		.in_ns = (double)usually_ns / (1 + BACK_OF_IN),
		.most_in_ns = MOST_OF_USUAL * (double)usually_ns,
		.n = 1,
	};
}

uint64_t
prf_stop_cost_back_ns(const struct prf_stop_cost *cost)
{
	return (uint64_t)(BACK_OF_IN * cost->in_ns);
}

uint64_t
prf_stop_cost_note(struct prf_stop_cost *cost, uint64_t late_ns,
		   bool in_user_mode)
{
	uint64_t whole_ns = late_ns + prf_stop_cost_back_ns(cost);
	uint64_t usual_ns = prf_stop_cost_usual_ns(cost);

	if (!in_user_mode || (double)late_ns > cost->most_in_ns)
		return usual_ns < whole_ns ? usual_ns : whole_ns;
	cost->n += cost->n < MEAN_OF;
	cost->in_ns += ((double)late_ns - cost->in_ns) / cost->n;
	return whole_ns;
}

uint64_t
prf_stop_cost_usual_ns(const struct prf_stop_cost *cost)
{
	return (uint64_t)((1 + BACK_OF_IN) * cost->in_ns);
}

/* --- Its time without stops */

uint64_t
prf_own_time_ns(const struct prf_own_time *own, uint64_t cpu_ns)
{
	return cpu_ns > own->born_cpu_ns ? cpu_ns - own->born_cpu_ns : 0;
}

uint64_t
prf_own_time_leave_out(struct prf_own_time *own, uint64_t cpu_ns,
		       uint64_t stop_ns)
{
	uint64_t now_ns = prf_own_time_ns(own, cpu_ns);

	if (stop_ns > now_ns)
		stop_ns = now_ns;
	own->born_cpu_ns += stop_ns;
	return stop_ns;
}
