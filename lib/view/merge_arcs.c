/* Arcs of one file, added to those of a merge. */
#include "view/merge_sums.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

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

/* Adds those of the N ARCS, sorted, that have the same ends. */
static int
add_equal(struct prf_merged_arc *arcs, size_t *n, struct prf_error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		struct prf_merged_arc *last = kept ? &arcs[kept - 1] : NULL;

		if (!last || by_ends(last, &arcs[i]) != 0) {
			arcs[kept++] = arcs[i];
			continue;
		}
		if (arcs[i].count > UINT64_MAX - last->count)
			return prf_error_set(err, -EOVERFLOW,
					     "more calls from 0x%" PRIx64
					     " than 64 bits hold",
					     arcs[i].from);
		last->count += arcs[i].count;
	}
	*n = kept;
	return 0;
}

int
prf_merge_add_arcs(struct prf_merge *merge, const struct prf_gmon *gmon,
		   const struct prf_merge_list *list, struct prf_error *err)
{
	if (!gmon->n_arcs)
		return 0;
	size_t n = merge->n_arcs + gmon->n_arcs;
	struct prf_merged_arc *arcs =
		reallocarray(merge->arcs, n, sizeof *arcs);
	if (!arcs)
		return prf_error_set(err, -ENOMEM, "out of memory");
	merge->arcs = arcs;
	for (size_t i = 0; i < gmon->n_arcs; i++) {
		const struct prf_gmon_arc *from = &gmon->arcs[i];
		struct prf_merged_arc *arc = &arcs[merge->n_arcs + i];

		int rc = find_end(list, from->from_vaddr, &arc->from_object,
				  &arc->from, err);
		if (!rc)
			rc = find_end(list, from->to_vaddr, &arc->to_object,
				      &arc->to, err);
		if (rc)
			return rc;
		arc->count = from->count;
	}
	qsort(arcs, n, sizeof *arcs, by_ends);
	merge->n_arcs = n;
	return add_equal(arcs, &merge->n_arcs, err);
}
