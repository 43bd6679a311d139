/* line_ticks.h - the ticks of a profile by source line. */
#ifndef PRF_VIEW_TABLE_LINE_TICKS_H
#define PRF_VIEW_TABLE_LINE_TICKS_H

#include "core/attr.h"
#include "profile/binary_lines.h"
#include "profile/profile.h"

/* Ticks of one place in a binary. */
struct prf_line_ticks {
	const struct prf_binary *binary;
	const char *function; /* as in the file, mangled; NULL: not known */
	uint64_t vaddr;       /* 0: by name */
	const struct prf_line *line; /* the innermost; NULL: none is known */
	size_t n_lines;              /* from there on; see prf_lines_at() */
	struct prf_count count;
};

/* Calls VISIT for each counter of PROFILE that has ticks, by binary and address,
 * and for each name where there is no address, until it returns something else
 * than 0, which is returned.  -ENOMEM. */
int prf_line_ticks_walk(const struct prf_profile *profile,
			struct prf_binary_lines *lines,
			int (*visit)(void *arg,
				     const struct prf_line_ticks *ticks),
			void *arg) PRF_MUST_CHECK;

#endif
