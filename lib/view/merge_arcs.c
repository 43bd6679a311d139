/* Arcs of one file, added to those of a merge. */
#include "view/merge_sums.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"

/* Where ADDR of the file is, as its own address.  Without a list it is
 * there. */
static int
find_end(const struct prf_merge_list *list, uint64_t addr,
	 const struct prf_merged_object **object, uint64_t *own,
	 struct prf_error *err)
{
	*object = NULL;
	*own = addr;
	for (size_t i = 0; list && i < list->syms->n_objects; i++) {
		const struct prf_syms_object *at = &list->syms->objects[i];

		if (addr < at->lo || addr >= at->hi)
			continue;
		*object = list->objects[i];
		*own = addr - at->shift;
		if ((*object)->by_name)
			return prf_error_set(err, -EINVAL,
					     "an arc in %s, which is elsewhere "
					     "in each file",
					     at->path);
		return 0;
	}
	return list ? prf_error_set(err, -EBADMSG,
				    "an arc at 0x%" PRIx64
				    ", where its list of symbols has nothing",
				    addr)
		    : 0;
}

static int
compare_ends(const struct prf_merged_object *left_object, uint64_t left,
	     const struct prf_merged_object *right_object, uint64_t right)
{
	if (left_object != right_object)
		return left_object < right_object ? -1 : 1;
	return (left > right) - (left < right);
}

static int
by_ends(const void *a, const void *b)
{
	const struct prf_merged_arc *left = a, *right = b;
	int order = compare_ends(left->from_object, left->from,
				 right->from_object, right->from);

	return order ? order
		     : compare_ends(left->to_object, left->to, right->to_object,
				    right->to);
}

/* Arcs by their ends, each pair of ends once. */
struct arcs {
	struct prf_merged_arc *all;
	size_t n;
};

/* Puts ARC, which is of the last ends or of later ones, behind those in ARCS,
 * where there is room. */
static int
put(struct arcs *arcs, const struct prf_merged_arc *arc, struct prf_error *err)
{
	struct prf_merged_arc *end = &arcs->all[arcs->n];

	if (!arcs->n || by_ends(&end[-1], arc) != 0) {
		*end = *arc;
		arcs->n++;
		return 0;
	}
	if (arc->count > UINT64_MAX - end[-1].count)
		return prf_error_set(err, -EOVERFLOW,
				     "more calls from 0x%" PRIx64
				     " than 64 bits hold",
				     arc->from);
	end[-1].count += arc->count;
	return 0;
}

/* The arcs of a file, found and sorted, in ARCS, which has room. */
static int
take_arcs(struct arcs *arcs, const struct prf_gmon *gmon,
	  const struct prf_merge_list *list, struct prf_error *err)
{
	for (; arcs->n < gmon->n_arcs; arcs->n++) {
		const struct prf_gmon_arc *from = &gmon->arcs[arcs->n];
		struct prf_merged_arc *arc = &arcs->all[arcs->n];
		int rc = find_end(list, from->from_vaddr, &arc->from_object,
				  &arc->from, err);

		if (!rc)
			rc = find_end(list, from->to_vaddr, &arc->to_object,
				      &arc->to, err);
		if (rc)
			return rc;
		arc->count = from->count;
	}
	qsort(arcs->all, arcs->n, sizeof *arcs->all, by_ends);
	return 0;
}

/* Those in LEFT and RIGHT, sorted, in SUM, which has room for all. */
static int
add_sorted(struct arcs *sum, const struct arcs *left, const struct arcs *right,
	   struct prf_error *err)
{
	size_t l = 0, r = 0;
	int rc = 0;

	while (!rc && (l < left->n || r < right->n)) {
		bool is_left = r == right->n ||
			       (l < left->n &&
				by_ends(&left->all[l], &right->all[r]) <= 0);

		rc = put(sum, is_left ? &left->all[l++] : &right->all[r++],
			 err);
	}
	return rc;
}

/* What there is, is sorted: only what is new is sorted for each file. */
int
prf_merge_add_arcs(struct prf_merge *merge, const struct prf_gmon *gmon,
		   const struct prf_merge_list *list, struct prf_error *err)
{
	const struct arcs before = {merge->arcs, merge->n_arcs};
	size_t n_most = merge->n_arcs + gmon->n_arcs;

	if (!gmon->n_arcs)
		return 0;
	PRF_AUTO(prf_auto_free)
	struct prf_merged_arc *taken = calloc(gmon->n_arcs, sizeof *taken);
	PRF_AUTO(prf_auto_free)
	struct prf_merged_arc *summed = calloc(n_most, sizeof *summed);
	if (!taken || !summed)
		return prf_error_set(err, -ENOMEM, "out of memory");

	struct arcs file = {.all = taken}, sum = {.all = summed};
	int rc = take_arcs(&file, gmon, list, err);
	if (!rc)
		rc = add_sorted(&sum, &before, &file, err);
	if (rc)
		return rc;
	free(merge->arcs);
	merge->arcs = PRF_TAKE(summed);
	merge->n_arcs = sum.n;
	return 0;
}
