#include "live/kept.h"

#include <stddef.h>

struct prf_kept *
prf_kept_find(struct prf_kept *list, const void *owner)
{
	while (list && list->owner != owner)
		list = list->next;
	return list;
}

void
prf_kept_add(struct prf_kept **list, struct prf_kept *kept)
{
	kept->next = *list;
	*list = kept;
}

static void
free_first(struct prf_kept **list)
{
	struct prf_kept *kept = *list;

	*list = kept->next;
	kept->free(kept);
}

void
prf_kept_drop(struct prf_kept **list, const void *owner)
{
	while (*list && (*list)->owner != owner)
		list = &(*list)->next;
	if (*list)
		free_first(list);
}

void
prf_kept_clear(struct prf_kept **list)
{
	while (*list)
		free_first(list);
}
