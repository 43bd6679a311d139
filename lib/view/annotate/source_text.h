/* source_text.h - a file of source code, found and read, by line. */
#ifndef PRF_VIEW_ANNOTATE_SOURCE_TEXT_H
#define PRF_VIEW_ANNOTATE_SOURCE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/attr.h"

/* All zero: none. */
struct prf_source_text {
	char *path; /* where it was found */
	char *bytes;
	char **lines; /* each ends in NUL */
	size_t n_lines;
	struct timespec mtime;
};

/* Searches for FILE, a path as the compiler knew it, relative to DIRECTORY (NULL:
 * not known) unless it is absolute; below ROOT (NULL: not given) first, which no
 * ".." leads out of, the whole path and then without its leading directories, one by
 * one.  -ENOENT: it is not there; -EFBIG; -ENOMEM; -errno. */
int prf_source_text_read(struct prf_source_text *text, const char *root,
			 const char *directory,
			 const char *file) PRF_MUST_CHECK;
/* Finds it in the same way, but does not read it: TEXT has no lines. */
int prf_source_text_find(struct prf_source_text *text, const char *root,
			 const char *directory,
			 const char *file) PRF_MUST_CHECK;
/* Reads FD, at any offset and still the caller's, which was found as PATH. */
int prf_source_text_read_fd(struct prf_source_text *text, int fd,
			    const char *path) PRF_MUST_CHECK;
void prf_source_text_clear(struct prf_source_text *text);

/* Line NUMBER, from 1 on; NULL: there is none. */
const char *prf_source_text_line(const struct prf_source_text *text,
				 uint32_t number);

#endif
