/* file.h - what can be mapped and has names: an object's file, or the vDSO.
 *
 * A file is what many processes have in common, and is read once for all of
 * them; what one process did in it is in an object, see object.h. */
#ifndef PRF_SPACE_FILE_H
#define PRF_SPACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "core/error.h"
#include "core/hist.h"
#include "core/sample.h"
#include "image/code.h"
#include "image/image.h"
#include "space/objectfile.h"

struct prf_files;

/* A function, a linkage stub or a gap, by its first piece. */
struct prf_named {
	const char *name; /* as in the file, mangled; the file's */
	uint64_t lo;
};

/* Text of one function without a break; one that lies around another has
 * several. */
struct prf_piece {
	uint64_t lo, hi; /* [lo, hi), even, the object's own addresses */
	size_t function; /* index into the object's functions */
};

struct prf_file {
	bool is_vdso;
	char *path;       /* "" where there is none */
	const char *name; /* the path's last part, or "[vdso]" */
	uint64_t dev, inode;
	uint64_t vdso_bytes;     /* 0 for files */
	size_t index;            /* of all files of a run, as they came */
	uint64_t off_lo, off_hi; /* [lo, hi), even: what was mapped of it */
	uint8_t *build_id;       /* as its mapping told; NULL: not known */
	uint8_t build_id_bytes;

	bool is_read;
	/* What was read; without an image there are no names, and none of the
	 * rest. */
	struct prf_image *image;
	struct prf_hist *model;      /* over its texts; stays empty */
	uint64_t lo, hi;             /* from its first text to its last */
	struct prf_named *functions; /* ascending by lo */
	size_t n_functions;
	struct prf_piece
		*pieces; /* ascending; the image's texts, one for one */
	size_t n_pieces;
	struct prf_span *runs; /* of pieces that touch each other: a few */
	size_t n_runs;

	bool code_is_read;
	struct prf_code *code; /* what was read of it; NULL: nothing */

	/* Its own, and its cache's (files.h). */
	char **made_names;
	size_t n_made_names;
	struct prf_objectfile_way way;
	struct prf_debuginfod *servers; /* or NULL: nobody is asked */
	struct prf_cfi_cache *rows;     /* of all files; or NULL */
	int fd; /* open until its names are read; or why it is not: -ENOENT,
		 * -errno */
	struct {
		int64_t size_bytes;
		struct timespec mtime, ctime;
		bool is_copy; /* it may never answer */
	} seen;               /* when it was opened */
	struct prf_files *files;
	size_t n_users;
	bool is_replaced; /* another has its numbers by now */
	TAILQ_ENTRY(prf_file) unused;
};

/* What is behind MAP, a file or the vDSO; not opened.  NULL: out of memory. */
struct prf_file *prf_file_new(const struct prf_mapping *map);
void prf_file_free(struct prf_file *file); /* takes NULL */

/* PATH without its directories. */
const char *prf_file_last_part(const char *path);

/* The piece that VADDR is in; NULL: none. */
const struct prf_piece *prf_file_piece_at(const struct prf_file *file,
					  uint64_t vaddr);
/* Is there one?  It is known sooner than which. */
bool prf_file_has(const struct prf_file *file, uint64_t vaddr);

/* Opens it by way of MAP, unless it is open or was read. */
void prf_file_open(struct prf_file *file, const struct prf_mapping *map);
/* Is what MAP leads to by now the file that was opened? */
bool prf_file_is_same(const struct prf_file *file,
		      const struct prf_mapping *map);
/* Has what MAP leads to, of the same numbers, been written since it was opened?
 * Another name for it, or one less, is no change; nor is it one that it is gone. */
bool prf_file_has_changed(const struct prf_file *file,
			  const struct prf_mapping *map);
/* Opens it if it is not, and reads the names, once.  Why there are none, or
 * that they may be fewer, is in *WARNING (code 0: nothing is amiss). */
void prf_file_read(struct prf_file *file, const struct prf_mapping *map,
		   struct prf_error *warning);
/* What unwinding needs of it, read at the first call, names or not; NULL: it
 * cannot be had. */
struct prf_code *prf_file_code(struct prf_file *file,
			       const struct prf_mapping *map);

#endif
