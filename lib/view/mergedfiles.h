/* mergedfiles.h - a merge as files for gprof: again a gmon.out, and its list
 * of symbols.
 *
 * They are the same, byte for byte, whichever way round the files came, and
 * can be merged again. */
#ifndef PRF_VIEW_MERGEDFILES_H
#define PRF_VIEW_MERGEDFILES_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "view/merge.h"

struct prf_merged_place {
	const struct prf_merged_object *object;
	uint64_t lo, hi, shift; /* as in struct prf_syms_object */
	/* Of an object that goes by name: its functions, ascending. */
	struct prf_merged_placed {
		const struct prf_merged_function *function;
		uint64_t addr;
	} * placed;
	size_t n_placed;
};

struct prf_merged_layout {
	struct prf_merged_place *places; /* ascending; none without lists */
	size_t n;
	uint64_t end;
};

/* Where everything of MERGE, which must outlive it, is put, as gmon.syms(5)
 * has it.  -EOVERFLOW: it does not fit the program's pointers; -EBADMSG: two
 * system calls have one place; -ENOMEM. */
int prf_merged_layout_new(const struct prf_merge *merge,
			  struct prf_merged_layout **out,
			  struct prf_error *err) PRF_MUST_CHECK;
void prf_merged_layout_free(struct prf_merged_layout *layout); /* takes NULL */

/* -EOVERFLOW: more ticks at one place than gprof can add. */
int prf_mergedfiles_write_ticks(const struct prf_merge *merge,
				const struct prf_merged_layout *layout,
				FILE *out,
				struct prf_error *err) PRF_MUST_CHECK;
int prf_mergedfiles_write_syms(const struct prf_merged_layout *layout,
			       FILE *out, struct prf_error *err) PRF_MUST_CHECK;

#endif
