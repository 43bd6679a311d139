/* usage.h - the CPU time that a process has used. */
#ifndef PRF_LIVE_USAGE_H
#define PRF_LIVE_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a process has used, with all of its threads, those that have ended too
 * (but without its children). */
struct prf_usage {
	uint64_t cpu_ns;             /* by the kernel's exact clock */
	uint64_t user_ns, system_ns; /* as its ticks have found it */
	bool unknown;                /* the exact clock could not be read */
};

/* PID may be a zombie, but must not have been reaped. */
struct prf_usage prf_usage_read(pid_t pid);
/* Adds to *SUM how much more USAGE is than SINCE. */
void prf_usage_add(struct prf_usage *sum, const struct prf_usage *usage,
		   const struct prf_usage *since);

/* The exact time in user mode and in the kernel, divided as the ticks have found it:
 * of one process that was shorter than a tick they tell nothing, and both are 0, but
 * of many the right shares. */
struct prf_usage_modes {
	uint64_t user_ns, system_ns;
};
struct prf_usage_modes prf_usage_modes(const struct prf_usage *usage);

#endif
