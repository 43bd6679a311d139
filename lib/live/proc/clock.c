#include "live/proc/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/scope.h"
#include "live/proc/procfs.h"

static uint64_t
ns_of(struct timespec time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t
prf_clock_tick_ns(void)
{
	struct timespec tick = {0};

	/* The coarse clock moves with it. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	return ns_of(tick);
}

uint64_t
prf_clock_namespace_ns(void)
{
	PRF_AUTO(prf_auto_free)
	char *text = prf_procfs_slurp("/proc/self/timens_offsets", NULL);
	int64_t seconds, ns;

	if (!text ||
	    sscanf(text, "monotonic %" SCNd64 " %" SCNd64, &seconds, &ns) != 2)
		return 0;
	return (uint64_t)seconds * 1000000000 + (uint64_t)ns;
}

/* The last two bits of a process's clock, as the kernel numbers them. */
enum kind { USER_AND_SYSTEM, USER, EXACT, KINDS = 3 };

static int
read_clock(pid_t pid, enum kind kind, uint64_t *used_ns)
{
	clockid_t clock;
	struct timespec used;

	if (clock_getcpuclockid(pid, &clock) ||
	    clock_gettime((clock & ~KINDS) | (clockid_t)kind, &used))
		return -ESRCH;
	*used_ns = ns_of(used);
	return 0;
}

int
prf_clock_of_process(pid_t pid, uint64_t *cpu_ns)
{
	return read_clock(pid, EXACT, cpu_ns);
}

int
prf_clock_modes_of_process(pid_t pid, uint64_t *user_ns, uint64_t *system_ns)
{
	uint64_t both_ns;

	/* In this order the sum cannot be less than its part. */
	if (read_clock(pid, USER, user_ns) ||
	    read_clock(pid, USER_AND_SYSTEM, &both_ns))
		return -ESRCH;
	*system_ns = both_ns - *user_ns;
	return 0;
}
