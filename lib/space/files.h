/* files.h - the files of a whole run, each of them once.
 *
 * Files are told apart by device, inode and path.  One is opened when it is
 * first mapped, so that it can be read even if it is gone by then, but is read
 * only when a tick falls in it; one that may never answer, which is copied as a
 * whole, is opened only then.  Files that nobody uses any more are forgotten;
 * of those that were read, the latest are kept for who comes next. */
#ifndef PRF_SPACE_FILES_H
#define PRF_SPACE_FILES_H

#include <stdint.h>

#include "core/error.h"
#include "core/sample.h"
#include "space/file.h"

/* Files that are found by WAY; NULL: as usual.  NULL: out of memory. */
struct prf_files *prf_files_new(const struct prf_objectfile_way *way);
/* When all files have been dropped; takes NULL. */
void prf_files_free(struct prf_files *files);

/* The file behind MAP (of kind FILE or VDSO) of a process with pointers of
 * ADDR_BYTES; to be dropped.  NULL: out of memory. */
struct prf_file *prf_files_take(struct prf_files *files,
				const struct prf_mapping *map,
				uint8_t addr_bytes);
/* One user more; returns FILE. */
struct prf_file *prf_files_hold(struct prf_file *file);
void prf_files_drop(struct prf_file *file); /* takes NULL */

/* As prf_file_read(). */
void prf_files_read(struct prf_file *file, const struct prf_mapping *map,
		    struct prf_error *warning);
/* As prf_file_code(). */
struct prf_code *prf_files_code(struct prf_file *file,
				const struct prf_mapping *map);

#endif
