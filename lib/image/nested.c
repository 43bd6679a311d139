#include "image/nested.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"

enum { RANGES_MAX = 1 << 22 };

int
prf_nested_add(struct prf_nested *nested, uint64_t lo, uint64_t hi,
	       uint32_t what)
{
	if (lo >= hi)
		return 0;
	if (nested->n == RANGES_MAX)
		return -E2BIG;
	if (nested->n == nested->room) {
		size_t room = nested->room * 2 + 16;
		struct prf_nested_range *grown =
			reallocarray(nested->ranges, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		nested->ranges = grown;
		nested->room = room;
	}
	nested->ranges[nested->n++] = (struct prf_nested_range){lo, hi, what};
	return 0;
}

/* The outer of two ranges that begin together comes first. */
static int
by_begin(const void *a, const void *b)
{
	const struct prf_nested_range *left = a, *right = b;

	if (left->lo != right->lo)
		return left->lo < right->lo ? -1 : 1;
	return (left->what > right->what) - (left->what < right->what);
}

/* WHAT is the innermost from VADDR on. */
static void
add_step(struct prf_nested *nested, uint64_t vaddr, uint32_t what)
{
	struct prf_nested_step *steps = nested->steps;
	size_t n = nested->n_steps;

	if (n > 0 && steps[n - 1].vaddr == vaddr)
		n--;
	if (n == 0 || steps[n - 1].what != what)
		steps[n++] = (struct prf_nested_step){vaddr, what};
	nested->n_steps = n;
}

/* Leaves the ranges that end at VADDR or before; of OPEN, the outermost first,
 * the last is the one that holds the latest step.  Returns how many are left. */
static size_t
leave(struct prf_nested *nested, const struct prf_nested_range **open, size_t n,
      uint64_t vaddr)
{
	uint64_t end = 0;

	while (n > 0 && open[n - 1]->hi <= vaddr) {
		if (open[n - 1]->hi > end)
			end = open[n - 1]->hi;
		n--;
		/* One that ended within those that began after it is skipped. */
		if (n == 0 || open[n - 1]->hi > end)
			add_step(nested, end,
				 n ? open[n - 1]->what : PRF_NESTED_NONE);
	}
	return n;
}

int
prf_nested_sort(struct prf_nested *nested)
{
	PRF_AUTO(prf_auto_free)
	const struct prf_nested_range **open = calloc(nested->n, sizeof *open);
	size_t n_open = 0;

	nested->steps = calloc(2 * nested->n, sizeof *nested->steps);
	if (nested->n > 0 && (!open || !nested->steps))
		return -ENOMEM;
	if (nested->n > 0)
		qsort(nested->ranges, nested->n, sizeof *nested->ranges,
		      by_begin);
	for (size_t i = 0; i < nested->n; i++) {
		const struct prf_nested_range *range = &nested->ranges[i];

		n_open = leave(nested, open, n_open, range->lo);
		add_step(nested, range->lo, range->what);
		open[n_open++] = range;
	}
	leave(nested, open, n_open, UINT64_MAX);
	free(PRF_TAKE(nested->ranges));
	nested->n = nested->room = 0;
	return 0;
}

uint32_t
prf_nested_at(const struct prf_nested *nested, uint64_t vaddr)
{
	const struct prf_nested_step *steps = nested->steps;
	size_t lo = 0,
	       n = nested->n_steps; /* the first above is in [lo, lo+n] */

	while (n > 0) {
		size_t half = n / 2;

		if (steps[lo + half].vaddr <= vaddr) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo > 0 ? steps[lo - 1].what : PRF_NESTED_NONE;
}

void
prf_nested_clear(struct prf_nested *nested)
{
	free(nested->ranges);
	free(nested->steps);
	*nested = (struct prf_nested){0};
}
