/* objectfile.h - the file behind a mapping, found while its process lives and,
 * with luck, after. */
#ifndef PRF_SPACE_OBJECTFILE_H
#define PRF_SPACE_OBJECTFILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "core/sample.h"
#include "image/buildid.h"

/* What is known of file systems that may never answer (mounts.h).  For one thread
 * at a time.  Where it may be NULL, no file is thought to be on one. */
struct prf_objectfile_finder;

/* NULL: out of memory. */
struct prf_objectfile_finder *prf_objectfile_finder_new(void);
/* Takes NULL. */
void prf_objectfile_finder_free(struct prf_objectfile_finder *finder);

/* An open file descriptor, the caller's to close; *ST tells of the file.  -ENOENT:
 * the file is gone, or the path leads to another one by now; or what opening it by
 * its path failed with.  Where the file may never answer, it is a copy, which is
 * no file of ST's numbers; -ETIMEDOUT: the file does not answer, nor is another of
 * its file system asked again; -ETIME: it answers too slowly, or others have taken
 * all the time that there is for such; -EFBIG: it is too large to be copied. */
int prf_objectfile_open(struct prf_objectfile_finder *finder,
			const struct prf_mapping *map, struct stat *st);
/* The build-id of that file, into BYTES; returns its length, or is negative as
 * above.  Where the file may never answer, it is not copied, and *ST is all zero. */
int prf_objectfile_build_id(struct prf_objectfile_finder *finder,
			    const struct prf_mapping *map, struct stat *st,
			    uint8_t bytes[PRF_BUILDID_MAX_BYTES]);
/* The same as the first, but it only tells of the file: 0. */
int prf_objectfile_stat(struct prf_objectfile_finder *finder,
			const struct prf_mapping *map, struct stat *st);
/* What is at MAP's path by now, if no link leads there.  -EAGAIN: it may never answer,
 * and is not asked; -errno. */
int prf_objectfile_stat_path(struct prf_objectfile_finder *finder,
			     const struct prf_mapping *map, struct stat *st);
/* May it never answer?  Then its path is not to be asked for. */
bool prf_objectfile_may_be_silent(struct prf_objectfile_finder *finder,
				  const struct prf_mapping *map);

/* The same of PATH, which nothing is known of, or of where links in it lead.  FINDER
 * is a struct prf_objectfile_finder, or NULL. */
bool prf_objectfile_path_may_be_silent(void *finder, const char *path);

/* How files are found, where that is another way.  OPEN returns as
 * prf_objectfile_open(), or -ESTALE: what is there is not the file that was
 * recorded.  All zero: as above. */
struct prf_objectfile_way {
	int (*open)(void *arg, const struct prf_mapping *map);
	void *arg;
	/* Lent, for who finds files as above; NULL: each table of files has its
	 * own. */
	struct prf_objectfile_finder *finder;
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
