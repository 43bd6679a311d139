/* lines.h - which line of which source file an instruction of one ELF file is
 * from, and what was inlined there.
 *
 * Nothing is read before it is needed: a unit of the debug information when an
 * address in it is first asked for.  Every address is a vaddr.  Files are
 * hostile: what is damaged has no lines. */
#ifndef PRF_IMAGE_LINES_H
#define PRF_IMAGE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "image/debug_way.h"

/* Not for two threads at once. */
struct prf_lines;

/* A place in the source. */
struct prf_line {
	const char *function;  /* as the linker knows it (mangled), else as it
			       * was written; NULL: not known */
	const char *file;      /* a path, as the compiler knew it; NULL */
	uint32_t line;         /* 0: of none */
	const char *directory; /* that the path begins at unless it is absolute;
				* NULL: not told */
};

/* Opens the debug information of the file at FD, which stays the caller's: its
 * own, or in a separate debug file (see image.h), which is looked for by
 * WAY (NULL: no server is asked, nothing is too large); .gnu_debugaltlink and split
 * DWARF are followed.  PATH is for messages and for finding files.  That there is
 * none is no failure.
 * -ENOEXEC, -EINVAL: no ELF file; -ENOMEM. */
int prf_lines_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		      struct prf_lines **out,
		      struct prf_error *err) PRF_MUST_CHECK;
/* The same from SIZE bytes in memory, which are copied. */
int prf_lines_open_memory(const void *bytes, size_t size, const char *name,
			  struct prf_lines **out,
			  struct prf_error *err) PRF_MUST_CHECK;
void prf_lines_close(struct prf_lines *lines); /* takes NULL */

/* Is there any debug information? */
bool prf_lines_are_known(const struct prf_lines *lines);

/* Where the instruction at VADDR is from: the innermost function first, with
 * the line; then each that the one before was inlined into, with the line that
 * calls it; the last is the one that was not inlined.  Returns how many there
 * are in *OUT, which lasts until the next call; 0: nothing is known of it.  The
 * names are the lines' as long as these are open. */
size_t prf_lines_at(struct prf_lines *lines, uint64_t vaddr,
		    const struct prf_line **out);

/* One line on what could not be read, or NULL. */
const char *prf_lines_warning(const struct prf_lines *lines);

struct prf_lines_stats {
	size_t n_units, n_read; /* of the file; of them, read by now */
	size_t n_rows, n_functions, n_ranges;
};
struct prf_lines_stats prf_lines_stats(const struct prf_lines *lines);

#endif
