/* procfs.h - what /proc tells of a thread.  The parsers are pure; the readers
 * around them open, read once and close. */
#ifndef PRF_LIVE_PROCFS_H
#define PRF_LIVE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/sample.h"

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
void prf_thread_name_read(pid_t pid, pid_t tid,
			  char name[PRF_THREAD_NAME_BYTES]);

/* Of /proc/PID/task/TID/schedstat: nanoseconds that the thread has run, and
 * that it could have run but had no processor; and how often it was given one.
 * Exact while it is not running, and of a zombie. */
struct prf_thread_times {
	uint64_t cpu_ns, waited_ns;
	uint64_t n_slices;
};

int prf_thread_times_parse(const char *text,
			   struct prf_thread_times *times) PRF_MUST_CHECK;
/* -ENOENT: it has gone. */
int prf_thread_times_read(pid_t pid, pid_t tid,
			  struct prf_thread_times *times) PRF_MUST_CHECK;
/* The same by FD, the open file.  -ESRCH: the thread has gone. */
int prf_thread_times_open(pid_t pid, pid_t tid);
int prf_thread_times_pread(int fd,
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

/* kernel.yama.ptrace_scope; -1: there is no Yama. */
int prf_yama_scope_read(void);

/* Of /proc/PID/cmdline: the arguments, with a blank after each but the last, cut
 * at PRF_COMMAND_BYTES; to be free()d.  NULL: it has gone, or no memory. */
enum { PRF_COMMAND_BYTES = 4096 };

char *prf_process_command_read(pid_t pid);

/* Of the auxiliary vector that PID's program, of ADDR_BYTES, was started with:
 * the value of TYPE (AT_...).  -ENOENT: there is none; else why it cannot be
 * read, -EACCES perhaps. */
int prf_process_auxv_find(pid_t pid, uint8_t addr_bytes, uint64_t type,
			  uint64_t *value);

/* Which processor the thread runs on or ran on last, from the same file of the
 * thread. */
int prf_thread_cpu_of_stat(const char *text, int *cpu) PRF_MUST_CHECK;
int prf_thread_processor_read(pid_t pid, pid_t tid, int *cpu) PRF_MUST_CHECK;

/* Does the thread run, or could it if it had a processor?  By FD, its open
 * /proc/.../syscall; what may not be read so (-1 will do), by the longer stat. */
bool prf_thread_is_running(pid_t pid, pid_t tid, int fd);
/* Of the latter: the letter of its state; 0: there is none. */
char prf_thread_state_of_stat(const char *text);
int prf_thread_syscall_open(pid_t pid, pid_t tid);
/* What that file says: "running", or the number of a call first. */
int prf_thread_syscall_read(pid_t pid, pid_t tid, char *text,
			    size_t size) PRF_MUST_CHECK;

/* Where a thread is that does not run, by the same file. */
struct prf_thread_place {
	uint64_t pc, sp; /* 0: it has ended */
	int32_t syscall; /* or PRF_NO_SYSCALL: it was in user mode */
};

/* -EAGAIN: it runs, or could run.  -EINVAL. */
int prf_thread_place_parse(const char *text,
			   struct prf_thread_place *place) PRF_MUST_CHECK;
int prf_thread_place_pread(int fd,
			   struct prf_thread_place *place) PRF_MUST_CHECK;

/* A whole file of /proc, NUL-terminated, to be free()d; NULL and errno. */
char *prf_procfs_slurp(const char *path, size_t *size);
/* The same of an open one, from its beginning. */
char *prf_procfs_slurp_fd(int fd, size_t *size);

#endif
