/* monitorfile.h - the file that a process leaves when it ends, or crashes.
 *
 * All that allocates is done when it is made: what comes then opens, writes
 * and renames, and may be done in a handler. */
#ifndef PRF_INPROC_MONITORFILE_H
#define PRF_INPROC_MONITORFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct prf_monitorfile {
	FILE *stream; /* opens the file with the first byte that is written */
	char *buffer;
	char path[PATH_MAX];         /* absolute */
	char path_in_use[PATH_MAX];  /* of this process */
	char path_not_yet[PATH_MAX]; /* until it is whole */
	pid_t owner;                 /* who made it; a child's has its pid */
	int fd;
};

/* 0 or a negative errno value; then there is nothing to free. */
int prf_monitorfile_init(struct prf_monitorfile *file, const char *path);
void prf_monitorfile_fini(struct prf_monitorfile *file);

/* Is this process a child of the one that made it? */
bool prf_monitorfile_is_childs(const struct prf_monitorfile *file);

/* After the last byte was flushed: gives the file its name, or takes it away
 * if it is not to be kept.  0 or a negative errno value. */
int prf_monitorfile_close(struct prf_monitorfile *file, bool keep);

#endif
