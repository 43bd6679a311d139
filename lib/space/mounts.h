/* mounts.h - which files are on a file system that may never answer.
 *
 * Who asks a FUSE file system waits for a process, and once that has taken the
 * question, no signal ends the wait, nor lets the process that asks end.  (A server
 * on the network can be silent, too; but that wait ends by SIGKILL.) */
#ifndef PRF_SPACE_MOUNTS_H
#define PRF_SPACE_MOUNTS_H

#include <stdint.h>

/* What a table of mounts (mountinfo, see proc(5)) says of a file. */
enum prf_mount_kind {
	PRF_MOUNT_UNKNOWN, /* its device is not mounted there */
	PRF_MOUNT_KERNEL,  /* the kernel, or a server, answers for it */
	PRF_MOUNT_PROCESS, /* a process does */
};

/* That of the file of device DEV at PATH; one of the two is enough to say that it
 * is a process.  TEXT is the table. */
enum prf_mount_kind prf_mounts_kind(const char *text, const char *path,
				    uint64_t dev);

/* The table of this process, read again when it has changed. */
struct prf_mounts;

/* NULL: out of memory. */
struct prf_mounts *prf_mounts_new(void);
void prf_mounts_free(struct prf_mounts *mounts); /* takes NULL */

/* Its text as it is now; "" if it cannot be read. */
const char *prf_mounts_text(struct prf_mounts *mounts);

/* That of process PID (0: this one), as PROC, where /proc is mounted, tells of it; to
 * be free()d.  NULL: it cannot be read. */
char *prf_mounts_of(const char *proc, int pid);

#endif
