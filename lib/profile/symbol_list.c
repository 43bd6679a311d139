#include "profile/symbol_list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int
reserve(struct prf_symbol_list *list, size_t n)
{
	if (n <= list->room)
		return 0;
	size_t room = n * 2 + 16;
	struct prf_listed_symbol *grown =
		reallocarray(list->all, room, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	list->all = grown;
	list->room = room;
	return 0;
}

int
prf_symbol_list_append(struct prf_symbol_list *list, uint64_t vaddr,
		       const char *name)
{
	int rc = reserve(list, list->n + 1);
	char *copy = rc ? NULL : strdup(name);

	if (!copy)
		return -ENOMEM;
	list->all[list->n++] = (struct prf_listed_symbol){vaddr, copy};
	return 0;
}

void
prf_symbol_list_clear(struct prf_symbol_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->all[i].name);
	free(list->all);
	*list = (struct prf_symbol_list){0};
}

/* Does LIST have SYMBOL already, or a name that comes before it? */
static bool
has(const struct prf_symbol_list *list, const struct prf_listed_symbol *symbol)
{
	size_t at = prf_symbol_list_at(list, symbol->vaddr);

	return at != (size_t)-1 && list->all[at].vaddr == symbol->vaddr &&
	       strcmp(list->all[at].name, symbol->name) <= 0;
}

static bool
has_all(const struct prf_symbol_list *list, const struct prf_symbol_list *other)
{
	for (size_t i = 0; i < other->n; i++)
		if (!has(list, &other->all[i]))
			return false;
	return true;
}

/* Below 0: the L-th of LEFT comes next; above: the R-th of RIGHT; 0: both, at
 * one address.  One of them is there. */
static int
compare_next(const struct prf_symbol_list *left, size_t l,
	     const struct prf_symbol_list *right, size_t r)
{
	if (l == left->n || r == right->n)
		return l == left->n ? 1 : -1;
	return (left->all[l].vaddr > right->all[r].vaddr) -
	       (left->all[l].vaddr < right->all[r].vaddr);
}

/* The symbols of both, in SUM; their names stay their owners'. */
static void
merge_sorted(struct prf_symbol_list *sum, const struct prf_symbol_list *left,
	     const struct prf_symbol_list *right)
{
	size_t l = 0, r = 0;

	while (l < left->n || r < right->n) {
		int next = compare_next(left, l, right, r);
		bool is_left = next ? next < 0
				    : strcmp(left->all[l].name,
					     right->all[r].name) <= 0;

		sum->all[sum->n++] = is_left ? left->all[l] : right->all[r];
		l += next <= 0;
		r += next >= 0;
	}
}

/* Gives LIST names of its own. */
static int
copy_names(struct prf_symbol_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		list->all[i].name = strdup(list->all[i].name);
		if (!list->all[i].name) {
			list->n = i;
			return -ENOMEM;
		}
	}
	return 0;
}

int
prf_symbol_list_merge(struct prf_symbol_list *list,
		      const struct prf_symbol_list *other)
{
	struct prf_symbol_list sum = {0};

	if (has_all(list, other))
		return 0;
	int rc = reserve(&sum, list->n + other->n);
	if (rc)
		return rc;
	merge_sorted(&sum, list, other);
	rc = copy_names(&sum);
	if (rc) {
		prf_symbol_list_clear(&sum);
		return rc;
	}
	prf_symbol_list_clear(list);
	*list = sum;
	return 0;
}

size_t
prf_symbol_list_at(const struct prf_symbol_list *list, uint64_t vaddr)
{
	size_t lo = 0, hi = list->n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (list->all[middle].vaddr <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo - 1;
}
