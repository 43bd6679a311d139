#include "view/space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
reserve(struct prf_space *space, size_t n)
{
	if (n <= space->room)
		return 0;
	size_t room = n * 2 + 16;
	uint64_t *lasts = reallocarray(space->lasts, room, sizeof *lasts);
	if (!lasts)
		return -ENOMEM;
	space->lasts = lasts;
	struct prf_place *places =
		reallocarray(space->places, room, sizeof *places);
	if (!places)
		return -ENOMEM;
	space->places = places;
	space->room = room;
	return 0;
}

/* The places from FROM on have changed. */
static void
note_lasts(struct prf_space *space, size_t from)
{
	for (size_t i = from; i < space->n; i++)
		space->lasts[i] = space->places[i].last;
}

int
prf_space_set(struct prf_space *space, const struct prf_place *place)
{
	struct prf_place pieces[3];
	size_t n_pieces = 0;

	if (place->last < place->addr)
		return -EINVAL;
	/* One place in the middle of another makes three of it. */
	if (reserve(space, space->n + 2))
		return -ENOMEM;

	size_t first = prf_space_first(space, place->addr), end = first;
	while (end < space->n && space->places[end].addr <= place->last)
		end++;
	if (end > first && space->places[first].addr < place->addr) {
		pieces[n_pieces] = space->places[first];
		pieces[n_pieces++].last = place->addr - 1;
	}
	if (place->kind != PRF_MAPPING_NONE)
		pieces[n_pieces++] = *place;
	if (end > first && space->places[end - 1].last > place->last) {
		pieces[n_pieces] = space->places[end - 1];
		pieces[n_pieces++].addr = place->last + 1;
	}
	memmove(space->places + first + n_pieces, space->places + end,
		(space->n - end) * sizeof *space->places);
	memcpy(space->places + first, pieces, n_pieces * sizeof *pieces);
	space->n = space->n - (end - first) + n_pieces;
	note_lasts(space, first);
	space->n_changes++;
	return 0;
}

void
prf_space_clear(struct prf_space *space)
{
	free(space->places);
	free(space->lasts);
	*space = (struct prf_space){0};
}

int
prf_space_copy(struct prf_space *copy, const struct prf_space *space)
{
	*copy = (struct prf_space){0};
	if (!space->n)
		return 0;
	if (reserve(copy, space->n)) {
		prf_space_clear(copy);
		return -ENOMEM;
	}
	memcpy(copy->places, space->places, space->n * sizeof *copy->places);
	copy->n = space->n;
	note_lasts(copy, 0);
	return 0;
}
