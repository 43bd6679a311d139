/* kernel_time.h - system time that nothing in a profile explains: page faults
 * above all, and interrupts, where a trigger cannot see them.  Pure. */
#ifndef PRF_SRC_OUTPUT_KERNEL_TIME_H
#define PRF_SRC_OUTPUT_KERNEL_TIME_H

#include <stdint.h>

#include "live/sampler_stats.h"

/* How much of the time in the profile, in ns, threads were in the kernel but in
 * no system call: the kernel's system time, without what stops have taken, what
 * ticks found in calls and page faults, and what is not in the profile, such as the ends of
 * processes.  Ticks are PERIOD_NS long, the kernel's own KERNEL_TICK_NS, by which
 * it counts system time.  0: nothing, or no more than chance may make of
 * nothing, or too little to be of interest. */
uint64_t prf_kernel_time_outside_calls(const struct prf_sampler_stats *stats,
				       uint64_t period_ns,
				       uint64_t kernel_tick_ns);

#endif
