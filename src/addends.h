/* addends.h - the files that are to be added: gmon.outs, and traces as the
 * gmon.outs that they stand for. */
#ifndef PRF_SRC_ADDENDS_H
#define PRF_SRC_ADDENDS_H

#include "core/attr.h"
#include "core/error.h"
#include "reading.h"
#include "view/merge.h"

/* Adds each of PATHS, NULL at the end, to MERGE.  A gmon.out comes with the
 * list of symbols beside it, if there is one.
 *
 * A trace counts as what "profrun export" would make of it: the profile of its
 * first process, and those of all others that were the same program.  What is
 * of another program cannot be in the same sum, and is a warning.
 * ERR names the file; MERGE is then good for nothing. */
int prf_addends_add(struct prf_merge *merge, char *const *paths,
		    const struct prf_reading *reading,
		    struct prf_error *err) PRF_MUST_CHECK;

#endif
