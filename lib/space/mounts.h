/* mounts.h - which files are on a file system that may never answer.
 *
 * Who asks a FUSE file system waits for a process, and once that has taken the
 * question, no signal ends the wait, nor lets the process that asks end.  (A server
 * on the network can be silent, too; but that wait ends by SIGKILL.) */
#ifndef PRF_SPACE_MOUNTS_H
#define PRF_SPACE_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* A table of mounts (mountinfo, see proc(5)).  The file system with this process's "/"
 * is trusted, whatever its type: if it did not answer, nothing could be opened at
 * all. */
struct prf_mounts;

/* That of this process, which is read again when it has changed.  NULL: out of
 * memory. */
struct prf_mounts *prf_mounts_new(void);
/* That of process PID (0: this one) as it is now, as PROC, where /proc is mounted,
 * tells of it.  NULL: it cannot be read. */
struct prf_mounts *prf_mounts_read(const char *proc, int pid);
/* TEXT as such a table, where "/" is on ROOT_DEV.  NULL: out of memory. */
struct prf_mounts *prf_mounts_parse(const char *text, uint64_t root_dev);
void prf_mounts_free(struct prf_mounts *mounts); /* takes NULL */

/* Is the file of device DEV at PATH on a file system that may never answer?  One of
 * the two is enough to say so. */
bool prf_mounts_may_be_silent(struct prf_mounts *mounts, const char *path,
			      uint64_t dev);
/* The same of PATH, which nothing is known of, or of anything that the way to it leads
 * through, links followed.  Where nobody can say, it may.  A path that is not absolute
 * may not. */
bool prf_mounts_path_may_be_silent(struct prf_mounts *mounts, const char *path);

#endif
