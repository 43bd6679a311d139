/* monitorfile.h - the file that a process leaves when it ends, or crashes.
 *
 * It is written under another name and renamed when all of it is there.  What
 * exists and is no regular file (a device, a FIFO, a symbolic link, even one
 * whose target does not exist yet) stays what it is, and is written in place.
 *
 * What is written stays in a buffer of the file's own as long as there is room:
 * the program may flush all streams, and fork, at any time.
 *
 * Everything that allocates happens when the file is made: what follows opens,
 * writes and renames, and may be done in a handler. */
#ifndef PRF_INPROC_MONITORFILE_H
#define PRF_INPROC_MONITORFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct prf_monitorfile {
	FILE *stream;
	char *buffer;
	size_t n_buffered;
	char path[PATH_MAX];         /* absolute */
	char path_in_use[PATH_MAX];  /* of this process */
	char path_not_yet[PATH_MAX]; /* until it is complete */
	pid_t owner;                 /* the process that made it */
	int fd; /* -1 until the buffer is full, or the file is closed */
	bool is_in_place; /* path_not_yet is not used */
};

/* 0 or a negative errno value; then there is nothing to free. */
int prf_monitorfile_init(struct prf_monitorfile *file, const char *path);
void prf_monitorfile_fini(struct prf_monitorfile *file);

/* Is this process a child of the owner? */
bool prf_monitorfile_is_childs(const struct prf_monitorfile *file);

/* Is it, as far as can be seen before it is written, no regular file?  To write
 * it may take for ever. */
bool prf_monitorfile_is_in_place(struct prf_monitorfile *file);

/* In a child of fork: what its parent has begun to write stays the parent's. */
void prf_monitorfile_leave(struct prf_monitorfile *file);

/* Writes the rest and gives the file its name, or removes it if it is not to be
 * kept.  0 or a negative errno value. */
int prf_monitorfile_close(struct prf_monitorfile *file, bool keep);

#endif
