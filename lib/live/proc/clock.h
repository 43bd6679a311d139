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

#endif
