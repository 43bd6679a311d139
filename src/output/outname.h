/* outname.h - names of files that stand beside an output file. */
#ifndef PRF_SRC_OUTPUT_OUTNAME_H
#define PRF_SRC_OUTPUT_OUTNAME_H

#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"

/* The symbol list that belongs to an output file: "X.out" has "X.syms" (so
 * "gmon.out" has "gmon.syms"), every other "X" has "X.syms", too.  The caller's; NULL when memory is short. */
char *prf_outname_symbols(const char *name);

/* One file for each object: NAME, a dot, and the object's own name without its
 * directory, made fit for a file name.  OBJECTS are N paths, or names such as
 * "[vdso]"; the results are in their order and all different: the second
 * "libx.so" is "libx.so~2".  *NAMES and its N members are the caller's, see
 * prf_outname_free.  -ENOMEM. */
int prf_outname_split(const char *name, const char *const *objects, size_t n,
		      char ***names, struct prf_error *err) PRF_MUST_CHECK;
void prf_outname_free(char **names, size_t n); /* takes NULL */

/* Names that a run has given to its files; all zero: none yet. */
struct prf_outnames {
	void *hashes; /* a tree, see tsearch(3) */
};

/* -EEXIST: NAME or that of its symbol list has been given (or, once in a very
 * long while, another that looks like it); -ENOMEM. */
int prf_outnames_claim(struct prf_outnames *names,
		       const char *name) PRF_MUST_CHECK;
void prf_outnames_clear(struct prf_outnames *names);

#endif
