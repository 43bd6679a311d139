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
	uint64_t user_us, system_us; /* by its accounting, in steps of
				      * 1/CLK_TCK */
	bool unknown;                /* the exact clock could not be read */
};

/* PID may be a zombie, but must not have been reaped. */
struct prf_usage prf_usage_read(pid_t pid);
/* Adds to *SUM how much more USAGE is than SINCE. */
void prf_usage_add(struct prf_usage *sum, const struct prf_usage *usage,
		   const struct prf_usage *since);

#endif
