#include "space/space.h"

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
	struct prf_space_range *ranges =
		reallocarray(space->ranges, room, sizeof *ranges);
	if (!ranges)
		return -ENOMEM;
	space->ranges = ranges;
	space->room = room;
	return 0;
}

/* The N ranges from FROM on have changed. */
static void
note_lasts(struct prf_space *space, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		space->lasts[i] = space->ranges[i].last;
}

/* PIECES stand for the ranges in [first, end) from now on. */
static void
replace(struct prf_space *space, size_t first, size_t end,
	const struct prf_space_range *pieces, size_t n_pieces)
{
	size_t n_behind = space->n - end;

	if (n_pieces != end - first) {
		memmove(space->ranges + first + n_pieces, space->ranges + end,
			n_behind * sizeof *space->ranges);
		memmove(space->lasts + first + n_pieces, space->lasts + end,
			n_behind * sizeof *space->lasts);
	}
	memcpy(space->ranges + first, pieces, n_pieces * sizeof *pieces);
	space->n = first + n_pieces + n_behind;
	note_lasts(space, first, n_pieces);
}

int
prf_space_set(struct prf_space *space, const struct prf_space_range *range)
{
	struct prf_space_range pieces[3];
	size_t n_pieces = 0;

	if (range->last < range->addr)
		return -EINVAL;
	/* One range in the middle of another makes three of it. */
	if (reserve(space, space->n + 2))
		return -ENOMEM;

	size_t first = prf_space_first(space, range->addr), end = first;
	while (end < space->n && space->ranges[end].addr <= range->last)
		end++;
	if (end > first && space->ranges[first].addr < range->addr) {
		pieces[n_pieces] = space->ranges[first];
		pieces[n_pieces++].last = range->addr - 1;
	}
	if (range->kind != PRF_MAPPING_NONE)
		pieces[n_pieces++] = *range;
	if (end > first && space->ranges[end - 1].last > range->last) {
		pieces[n_pieces] = space->ranges[end - 1];
		pieces[n_pieces++].addr = range->last + 1;
	}
	if (space->n - (end - first) + n_pieces > PRF_SPACE_RANGES_MAX)
		return -E2BIG;
	replace(space, first, end, pieces, n_pieces);
	space->n_changes++;
	return 0;
}

void
prf_space_clear(struct prf_space *space)
{
	free(space->ranges);
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
	memcpy(copy->ranges, space->ranges, space->n * sizeof *copy->ranges);
	copy->n = space->n;
	note_lasts(copy, 0, copy->n);
	return 0;
}
