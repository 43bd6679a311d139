/* clock.h - the clocks that are read here, in nanoseconds. */
#ifndef PRF_LIVE_PROC_CLOCK_H
#define PRF_LIVE_PROC_CLOCK_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "core/attr.h"
#include "core/clock_ns.h"

/* How long the kernel's own tick is, one of its HZ a second. */
uint64_t prf_clock_tick_ns(void);

/* What CLOCK_MONOTONIC has more in this process's time namespace than it has for
 * the kernel, modulo 2^64; 0 where there are no time namespaces. */
uint64_t prf_clock_namespace_ns(void);

/* CPU time that process PID has used, with all of its threads, those that
 * have ended too.  Exact once the process is a zombie. -ESRCH: the process
 * is gone. */
int prf_clock_of_process(pid_t pid, uint64_t *cpu_ns) PRF_MUST_CHECK;

/* The same time in user mode and in the kernel, as the kernel has counted it: most
 * give a whole tick of theirs to the mode in which that met the thread, so that
 * the two need not add up to the exact time. */
int prf_clock_modes_of_process(pid_t pid, uint64_t *user_ns,
			       uint64_t *system_ns) PRF_MUST_CHECK;

#endif
