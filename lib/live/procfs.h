/* procfs.h - the files of /proc: how they are read, and what there is to say
 * of those that are taken as they are.  Those that have to be parsed are a
 * file each: status, stat, schedstat, and place for that named syscall. */
#ifndef PRF_LIVE_PROCFS_H
#define PRF_LIVE_PROCFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/sample.h"

/* More than any line-oriented file about one thread has. */
enum { PRF_PROCFS_BYTES = 8192 };

/* At most SIZE - 1 bytes of /proc/PID/task/TID/NAME, NUL-terminated.  -ENOENT:
 * the thread has gone. */
int prf_procfs_read(pid_t pid, pid_t tid, const char *name, char *text,
		    size_t size) PRF_MUST_CHECK;
/* The same file, to be read often: a descriptor. */
int prf_procfs_open(pid_t pid, pid_t tid, const char *name);
/* The same by FD, such a descriptor.  -ESRCH: the thread has gone. */
int prf_procfs_pread(int fd, char *text, size_t size) PRF_MUST_CHECK;

/* A whole file of /proc, NUL-terminated, to be free()d; NULL and errno. */
char *prf_procfs_slurp(const char *path, size_t *size);
/* The same of an open one, from its beginning. */
char *prf_procfs_slurp_fd(int fd, size_t *size);

/* The name of a thread, at most 15 bytes; "" if it has gone. */
void prf_thread_name_read(pid_t pid, pid_t tid,
			  char name[PRF_THREAD_NAME_BYTES]);

/* Of /proc/PID/cmdline: the arguments, with a blank after each but the last, cut
 * at PRF_COMMAND_BYTES; to be free()d.  NULL: it has gone, or no memory. */
enum { PRF_COMMAND_BYTES = 4096 };

char *prf_process_command_read(pid_t pid);

/* Of the auxiliary vector that PID's program, of ADDR_BYTES, was started with:
 * the value of TYPE (AT_...).  -ENOENT: there is none; else why it cannot be
 * read, -EACCES perhaps. */
int prf_process_auxv_find(pid_t pid, uint8_t addr_bytes, uint64_t type,
			  uint64_t *value);

/* kernel.yama.ptrace_scope; -1: there is no Yama. */
int prf_yama_scope_read(void);

#endif
