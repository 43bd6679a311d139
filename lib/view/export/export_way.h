/* export_way.h - how a profile is written for another tool, and what it does not know
 * of its run. */
#ifndef PRF_VIEW_EXPORT_EXPORT_WAY_H
#define PRF_VIEW_EXPORT_EXPORT_WAY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "profile/binary_lines.h"

struct prf_export_way {
	const char *command; /* that was profiled; NULL: not known */
	bool full_names;     /* with parameters and template arguments */
	/* Source lines and inlined calls are told from these; NULL: they are
	 * not told. */
	struct prf_binary_lines *lines;
	/* What a profile does not know of its run. */
	const char *clock;    /* whose ticks they are: "cpu", "user", "wall";
			       * NULL: not known */
	uint64_t begin_ns;    /* since 1970; 0: not known */
	uint64_t duration_ns; /* 0: not known */
	uint64_t lost_ticks;  /* in nothing that was counted */
	double doubt; /* part of the profile that is of threads in step with
		       * the kernel's tick, see profile/count.h; 0: none, or
		       * not known */
};

static inline bool
prf_export_is_wall(const struct prf_export_way *way)
{
	return way->clock && strcmp(way->clock, "wall") == 0;
}

#endif
