/* rewritten.h - whatever is written of a profile must be read as the same. */
#ifndef PRF_TESTS_FUZZ_REWRITTEN_H
#define PRF_TESTS_FUZZ_REWRITTEN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/gmon_read.h"
#include "profile/profile.h"

/* A gmon.out and its list. */
struct prf_rewritten_files {
	char *gmon, *syms; /* SYMS is NULL: there is none */
	size_t n_gmon, n_syms;
	struct prf_gmon_hint hint; /* what its reader is told */
};

/* Reads FILES into a new profile, TIMES times; NULL: they are refused. */
struct prf_profile *prf_rewritten_read(const struct prf_rewritten_files *files,
				       const struct prf_gmon_hint *hint,
				       int times);
/* Writes PROFILE, with ALL its symbols or those that are needed, and reads it
 * again: the same functions, ticks and calls; else aborts. */
void prf_rewritten_check(const struct prf_profile *profile, bool all);

#endif
