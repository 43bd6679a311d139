#include "profile/arcs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

static bool
is_same_end(const struct prf_arc_end *left, const struct prf_arc_end *right)
{
	return left->binary == right->binary && left->vaddr == right->vaddr;
}

static size_t
hash_of(const struct prf_arc *arc)
{
	const uint64_t odd = 0x9e3779b97f4a7c15ULL;
	uint64_t hash = (uintptr_t)arc->from.binary * odd ^ arc->from.vaddr;

	hash = (hash * odd ^ (uintptr_t)arc->to.binary) * odd ^ arc->to.vaddr;
	return (size_t)(hash * odd >> 20);
}

/* ARC's slot, or the free one where it belongs: half of them are free. */
static size_t *
slot_of(const struct prf_arcs *arcs, const struct prf_arc *arc)
{
	size_t mask = arcs->n_slots - 1, i = hash_of(arc) & mask;

	for (; arcs->slots[i]; i = (i + 1) & mask) {
		const struct prf_arc *there = &arcs->all[arcs->slots[i] - 1];

		if (is_same_end(&there->from, &arc->from) &&
		    is_same_end(&there->to, &arc->to))
			break;
	}
	return &arcs->slots[i];
}

static int
grow(struct prf_arcs *arcs)
{
	size_t room = arcs->room ? arcs->room * 2 : FIRST_ROOM;

	if (arcs->n < arcs->room)
		return 0;
	struct prf_arc *all = reallocarray(arcs->all, room, sizeof *all);
	if (!all)
		return -ENOMEM;
	arcs->all = all;
	size_t *slots = calloc(room, 2 * sizeof *slots);
	if (!slots)
		return -ENOMEM;
	free(arcs->slots);
	arcs->slots = slots;
	arcs->n_slots = 2 * room;
	arcs->room = room;
	for (size_t i = 0; i < arcs->n; i++)
		*slot_of(arcs, &all[i]) = i + 1;
	return 0;
}

int
prf_arcs_add(struct prf_arcs *arcs, const struct prf_arc *arc)
{
	if (grow(arcs))
		return -ENOMEM;
	size_t *slot = slot_of(arcs, arc);
	if (!*slot) {
		arcs->all[arcs->n] = *arc;
		*slot = ++arcs->n;
		return 0;
	}
	struct prf_arc *there = &arcs->all[*slot - 1];
	if (arc->count > UINT64_MAX - there->count)
		return -EOVERFLOW;
	there->count += arc->count;
	return 0;
}

int
prf_arcs_subtract(struct prf_arcs *arcs, const struct prf_arc *arc)
{
	size_t at = arcs->n_slots ? *slot_of(arcs, arc) : 0;

	if (!at || arcs->all[at - 1].count < arc->count)
		return -ERANGE;
	arcs->all[at - 1].count -= arc->count;
	return 0;
}

void
prf_arcs_clear(struct prf_arcs *arcs)
{
	free(arcs->all);
	free(arcs->slots);
	*arcs = (struct prf_arcs){0};
}
