/* procfs.h - how the files of /proc are read, and those that need hardly any
 * parsing.  The others have a file each: status, stat, schedstat, and
 * position for the one named syscall. */
#ifndef PRF_LIVE_PROC_PROCFS_H
#define PRF_LIVE_PROC_PROCFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"

/* More than any file about one thread has, but for lines that may be of any
 * length, such as the groups in its status. */
enum { PRF_PROCFS_BYTES = 8192 };

/* Is /proc there, and does it tell of this process by its own number?
 * -ENOENT: ERR says what it is. */
int prf_procfs_check(struct prf_error *err) PRF_MUST_CHECK;

/* A file of /proc, to be read: a descriptor, or a negative errno value and errno.
 * (One that tells of memory has to wait for an exec that replaces that.) */
int prf_procfs_open_path(const char *path);

/* At most SIZE - 1 bytes of /proc/PID/task/TID/NAME, NUL-terminated.
 * -ENOENT: the thread has ended. */
int prf_procfs_read(pid_t pid, pid_t tid, const char *name, char *text,
		    size_t size) PRF_MUST_CHECK;
/* The same file, to be read often: a descriptor. */
int prf_procfs_open(pid_t pid, pid_t tid, const char *name);
/* The same by FD, such a descriptor. -ESRCH: the thread has ended. */
int prf_procfs_pread(int fd, char *text, size_t size) PRF_MUST_CHECK;

/* The same two of a file that has long lines: where SIZE is too little for all of
 * it, of each line as much is left out as is beyond PRF_PROCFS_LINE_BYTES. */
enum { PRF_PROCFS_LINE_BYTES = 512 };
int prf_procfs_read_lines(pid_t pid, pid_t tid, const char *name, char *text,
			  size_t size) PRF_MUST_CHECK;
int prf_procfs_pread_lines(int fd, char *text, size_t size) PRF_MUST_CHECK;

/* More than that no file of /proc is read: a program can have millions of
 * mappings. */
enum { PRF_PROCFS_MAX_BYTES = 64 << 20 };

/* A whole file of /proc, NUL-terminated, to be free()d; NULL and errno, EFBIG
 * perhaps. */
char *prf_procfs_slurp(const char *path, size_t *size);
/* The same of an open one, from its beginning. */
char *prf_procfs_slurp_fd(int fd, size_t *size);

/* The name of a thread, at most 15 bytes; "" if it has ended. */
void prf_procfs_read_name(pid_t pid, pid_t tid,
			  char name[PRF_THREAD_NAME_BYTES]);

/* The *VALUE of TYPE (AT_...)  in the auxiliary vector that PID's program,
 * of ADDR_BYTES, was started with. -ENOENT: there is none; else why it
 * cannot be read, -EACCES perhaps. */
int prf_procfs_find_auxv(pid_t pid, uint8_t addr_bytes, uint64_t type,
			 uint64_t *value);

/* kernel.yama.ptrace_scope; -1: there is no Yama. */
int prf_procfs_read_yama_scope(void);

#endif
