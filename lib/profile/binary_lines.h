/* binary_lines.h - the source lines of the binaries of a profile, whose files
 * are opened again, each when it is first asked for. */
#ifndef PRF_PROFILE_BINARY_LINES_H
#define PRF_PROFILE_BINARY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/debuginfod.h"
#include "image/lines.h"
#include "profile/binary.h"
#include "profile/warnings.h"

/* All zero: nothing was asked for yet; servers are asked if the environment says
 * so. */
struct prf_binary_lines {
	const char *symfs; /* stands for the root; NULL: it does itself */
	/* When the thread has used so much CPU time nothing is known any more;
	 * 0: there is no limit. */
	uint64_t until_cpu_ns;
	struct prf_warnings warnings;
	bool is_short; /* of memory: lines of some binary are not known */

	struct prf_binary_lines_entry *all;
	size_t n;
	struct prf_debuginfod *servers;
	bool has_servers;
	/* NULL: files that may never answer are read like others. */
	struct prf_objectfile_finder *finder;
};

/* No server is asked, no debug information is unpacked that needs more than BUDGET_NS
 * of the thread's CPU time, and after those nothing is known any more: for who has no
 * time to wait. */
void prf_binary_lines_hurry(struct prf_binary_lines *all, uint64_t budget_ns);
/* No file that may never answer is opened: for who must come to an end.  To be
 * called once at most. */
void prf_binary_lines_avoid_silent(struct prf_binary_lines *all);

/* The lines of BINARY, which lives as long as ALL or until it is let go; NULL: it has
 * none, or its file is gone or another by now, which is a warning, unless its names
 * could not be read either. */
struct prf_lines *prf_binary_lines_of(struct prf_binary_lines *all,
				      const struct prf_binary *binary);
/* From here on the binaries that were asked for need not live; those of another
 * profile that are the same have the same lines, which stay open. */
void prf_binary_lines_let_go(struct prf_binary_lines *all);
/* What prf_lines_at() says of VADDR in BINARY, or 0.  IN_COUNTER: the sample was
 * somewhere in the counter at VADDR, which has two bytes, so that two instructions
 * can begin there: the latter has the ticks, as where functions are counted. */
size_t prf_binary_lines_at(struct prf_binary_lines *all,
			   const struct prf_binary *binary, uint64_t vaddr,
			   bool in_counter, const struct prf_line **out);
/* Notes what of the debug information that was read by now was amiss. */
void prf_binary_lines_warn(struct prf_binary_lines *all);
void prf_binary_lines_clear(struct prf_binary_lines *all);

/* The file of BINARY, opened, which is the caller's to close.  -ESTALE: what is
 * there is another by now; -ENOENT: it has none, or it is gone; -errno. */
int prf_binary_lines_open(const struct prf_binary_lines *all,
			  const struct prf_binary *binary);

/* The servers that are asked for what is not here, ALL's; NULL: none are. */
struct prf_debuginfod *prf_binary_lines_servers(struct prf_binary_lines *all);
/* The source file of BINARY that its compiler knew as PATH, absolute, from the
 * servers; see prf_debuginfod_find(). */
int prf_binary_lines_find_source(struct prf_binary_lines *all,
				 const struct prf_binary *binary,
				 const char *path, struct prf_error *warning);

/* Which function an address of BINARY is in; NULL: none is known. */
const char *prf_binary_lines_function(const struct prf_binary *binary,
				      uint64_t vaddr);

#endif
