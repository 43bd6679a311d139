/* procfs.h - what /proc tells of a thread.  The parsers are pure; the readers
 * around them open, read once and close. */
#ifndef PRF_LIVE_PROCFS_H
#define PRF_LIVE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* Of /proc/PID/task/TID/status. */
struct prf_thread_status {
	unsigned seccomp_mode;    /* 0 none, 1 strict, 2 filter */
	unsigned seccomp_filters; /* how many; 0 where the kernel won't say */
	uint64_t signals_blocked, signals_ignored, signals_caught; /* bit n-1 */
	uint64_t signals_pending; /* for this thread alone */
};

/* -EINVAL: a field is missing. */
int prf_thread_status_parse(const char *text,
			    struct prf_thread_status *status) PRF_MUST_CHECK;
int prf_thread_status_read(pid_t pid, pid_t tid,
			   struct prf_thread_status *status) PRF_MUST_CHECK;

/* Of /proc/TID/status: the process that thread TID belongs to, the one that it
 * came from, and who has power over it. */
struct prf_kin {
	pid_t pid, parent;
	pid_t tracer; /* 0: it is not traced */
	uid_t uid;    /* real */
	int n_threads;
	bool is_zombie;
	bool is_kernel;        /* it has no memory of its own */
	uint64_t capabilities; /* effective, bit n */
};

int prf_kin_parse(const char *text, struct prf_kin *kin) PRF_MUST_CHECK;
int prf_kin_read(pid_t tid, struct prf_kin *kin) PRF_MUST_CHECK;

/* The name of a thread, at most 15 bytes; "" if it has gone. */
enum { PRF_THREAD_NAME_BYTES = 16 };
void prf_thread_name_read(pid_t pid, pid_t tid,
			  char name[PRF_THREAD_NAME_BYTES]);

/* Of /proc/PID/task/TID/schedstat: nanoseconds that the thread has run, and
 * that it could have run but had no processor.  Exact while it is stopped or a
 * zombie. */
struct prf_thread_times {
	uint64_t cpu_ns, waited_ns;
};

int prf_thread_times_parse(const char *text,
			   struct prf_thread_times *times) PRF_MUST_CHECK;
/* -ENOENT: it has gone. */
int prf_thread_times_read(pid_t pid, pid_t tid,
			  struct prf_thread_times *times) PRF_MUST_CHECK;
/* The first of them alone. */
int prf_thread_cpu_read(pid_t pid, pid_t tid, uint64_t *cpu_ns) PRF_MUST_CHECK;

/* Of /proc/PID/stat, for the whole process without its children. */
struct prf_process_times {
	uint64_t user_us, system_us; /* in steps of 1/CLK_TCK */
};

/* The times are in ticks of CLK_TCK_HZ a second there. */
int prf_process_times_parse(const char *text, long clk_tck_hz,
			    struct prf_process_times *times) PRF_MUST_CHECK;
int prf_process_times_read(pid_t pid,
			   struct prf_process_times *times) PRF_MUST_CHECK;

/* Of /proc/PID/cmdline: the arguments, with a blank after each but the last, cut
 * at PRF_COMMAND_BYTES; to be free()d.  NULL: it has gone, or no memory. */
enum { PRF_COMMAND_BYTES = 4096 };

char *prf_process_command_read(pid_t pid);

/* Which processor the thread runs on or ran on last, from the same file of the
 * thread. */
int prf_thread_cpu_of_stat(const char *text, int *cpu) PRF_MUST_CHECK;
int prf_thread_processor_read(pid_t pid, pid_t tid, int *cpu) PRF_MUST_CHECK;

/* Is the thread runnable, by FD, its open /proc/.../syscall? */
bool prf_thread_is_running(int fd);
int prf_thread_syscall_open(pid_t pid, pid_t tid);
/* What that file says: "running", or the number of a call first. */
int prf_thread_syscall_read(pid_t pid, pid_t tid, char *text,
			    size_t size) PRF_MUST_CHECK;

/* A whole file of /proc, NUL-terminated, to be free()d; NULL and errno. */
char *prf_procfs_slurp(const char *path, size_t *size);
/* The same of an open one, from its beginning. */
char *prf_procfs_slurp_fd(int fd, size_t *size);

#endif
