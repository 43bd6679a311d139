/* stat.h - /proc/PID/stat and /proc/PID/task/TID/stat: the time that a process
 * has run, and the state and the processor of a thread.  The parsers are pure.
 */
#ifndef PRF_LIVE_STAT_H
#define PRF_LIVE_STAT_H

#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* Of the whole process, without its children. */
struct prf_process_times {
	uint64_t user_us, system_us; /* in steps of 1/CLK_TCK */
};

/* The times are in ticks of CLK_TCK_HZ a second there. */
int prf_process_times_parse(const char *text, long clk_tck_hz,
			    struct prf_process_times *times) PRF_MUST_CHECK;
int prf_process_times_read(pid_t pid,
			   struct prf_process_times *times) PRF_MUST_CHECK;

/* Which processor the thread runs on or ran on last. */
int prf_thread_cpu_of_stat(const char *text, int *cpu) PRF_MUST_CHECK;

/* The letter of its state; 0: there is none. */
char prf_thread_state_of_stat(const char *text);
char prf_thread_state_read(pid_t pid, pid_t tid);

#endif
