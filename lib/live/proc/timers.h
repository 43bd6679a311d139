/* timers.h - /proc/PID/timers: the POSIX timers of a process. */
#ifndef PRF_LIVE_PROC_TIMERS_H
#define PRF_LIVE_PROC_TIMERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct prf_timers_entry {
	int id;         /* the process's name for it */
	int signal;     /* that it sends, */
	uint64_t value; /* with this */
};

/* Is there such a timer in the text IN?  Pure. */
bool prf_timers_parse(FILE *in, const struct prf_timers_entry *wanted);
/* Is it known that PID has no such timer?  (The kernel need not tell of
 * timers.) */
bool prf_timers_lacks(pid_t pid, const struct prf_timers_entry *wanted);

#endif
