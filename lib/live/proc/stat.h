/* stat.h - /proc/PID/stat and /proc/PID/task/TID/stat: the state, the processor and
 * the page faults of a thread, whether it is one of the program's, and where the
 * strings of a process are.  The parsers are pure. */
#ifndef PRF_LIVE_PROC_STAT_H
#define PRF_LIVE_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* Which processor the thread runs on or ran on last. */
int prf_stat_parse_processor(const char *text, int *cpu) PRF_MUST_CHECK;

/* How many page faults the thread has had, also those that brought a page from a
 * file. */
int prf_stat_parse_faults(const char *text, uint64_t *n) PRF_MUST_CHECK;
int prf_stat_read_faults(pid_t pid, pid_t tid, uint64_t *n) PRF_MUST_CHECK;

/* Where the arguments and the environment are in its memory; all 0: this process
 * may not know. */
struct prf_stat_strings {
	uint64_t args, args_end, env, env_end;
};

int prf_stat_parse_strings(const char *text,
			   struct prf_stat_strings *strings) PRF_MUST_CHECK;
int prf_stat_read_strings(pid_t pid,
			  struct prf_stat_strings *strings) PRF_MUST_CHECK;

/* The kernel's flags of the thread, PF_... */
int prf_stat_parse_flags(const char *text, uint64_t *flags) PRF_MUST_CHECK;
/* Is the thread a worker of the kernel's (io_uring's or vhost's), which is among
 * the threads of the process that it works for, but never runs in user mode?
 * It can be traced like others, and has all registers zero. */
bool prf_stat_is_worker(pid_t pid, pid_t tid);

/* The letter of its state; 0: there is none. */
char prf_stat_parse_state(const char *text);
char prf_stat_read_state(pid_t pid, pid_t tid);

#endif
