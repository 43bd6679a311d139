/* merge_list.h - a list of symbols, and what it means in a merge. */
#ifndef PRF_VIEW_MERGE_LIST_H
#define PRF_VIEW_MERGE_LIST_H

#include "view/merge.h"

/* Many files have the same list: it is read once. */
struct prf_merge_list {
	char *text;
	size_t n_bytes;
	struct prf_syms *syms;
	struct prf_merged_object **objects;     /* of each of its objects */
	struct prf_merged_function **functions; /* of each of its symbols */
	uint64_t *ticks; /* of each, in the file that is being added */
};

/* TEXT's list, its objects and functions among those of MERGE.  Good until the
 * next call.  -EBADMSG; -EINVAL: of another program; -ENOMEM. */
int prf_merge_list_find(struct prf_merge *merge, const char *text,
			size_t n_bytes, const struct prf_merge_list **out,
			struct prf_error *err) PRF_MUST_CHECK;
void prf_merge_lists_free(struct prf_merge *merge);

#endif
