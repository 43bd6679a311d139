/* objectfile.h - the file behind a mapping, found while its process lives and,
 * with luck, after. */
#ifndef PRF_SPACE_OBJECTFILE_H
#define PRF_SPACE_OBJECTFILE_H

#include <stdbool.h>

#include "core/sample.h"

/* An open file descriptor, the caller's to close.  -ENOENT: the file is gone, or
 * the path leads to another one by now; or what opening it by its path failed
 * with. */
int prf_objectfile_open(const struct prf_mapping *map);

/* How files are found, where that is another way.  OPEN returns as
 * prf_objectfile_open(), or -ESTALE: what is there is not the file that was
 * recorded.  All zero: as above. */
struct prf_objectfile_way {
	int (*open)(void *arg, const struct prf_mapping *map);
	void *arg;
	/* Ask the servers of DEBUGINFOD_URLS, if it is set, for what is not
	 * here: files by the build-id of their mapping, debug files. */
	bool ask;
};

/* A recorded file, by its path alone: /proc may tell of another process by now.
 * ARG is a directory that stands for the root, or NULL.  The build-id decides
 * whether it is the one; without one the inode does, unless ARG was given. */
int prf_objectfile_open_recorded(void *arg, const struct prf_mapping *map);
/* The same where nobody recorded build-ids: the inode decides alone. */
int prf_objectfile_open_by_inode(void *arg, const struct prf_mapping *map);

#endif
