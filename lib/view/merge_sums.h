/* merge_sums.h - ticks and arcs of one file, added to those of a merge. */
#ifndef PRF_VIEW_MERGE_SUMS_H
#define PRF_VIEW_MERGE_SUMS_H

#include "view/merge_list.h"

/* GMON fits MERGE, but for where its histograms are.  LIST is its list; NULL:
 * it has none.  What is added belongs to the file that is the next.
 * -EBADMSG: something is in no object of LIST; -EINVAL: histograms of other
 * ranges; -ENOMEM. */
int prf_merge_add_hists(struct prf_merge *merge, const struct prf_gmon *gmon,
			const struct prf_merge_list *list,
			struct prf_error *err) PRF_MUST_CHECK;
/* -EBADMSG; -EOVERFLOW: calls that do not add up in 64 bits; -ENOMEM. */
int prf_merge_add_arcs(struct prf_merge *merge, const struct prf_gmon *gmon,
		       const struct prf_merge_list *list,
		       struct prf_error *err) PRF_MUST_CHECK;

#endif
