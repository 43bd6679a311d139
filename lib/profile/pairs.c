#include "profile/pairs.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "profile/large.h"

enum { FIRST_SLOTS = 256 };

/* The pair's slot, or the free one where it belongs: half of them are free. */
static struct prf_pair *
slot_of(const struct prf_pairs *pairs, size_t left, size_t right)
{
	const uint64_t odd = 0x9e3779b97f4a7c15ULL;
	uint64_t hash = (left * odd ^ left >> 7 ^ right) * odd;
	size_t mask = pairs->n_slots - 1, i = (size_t)(hash >> 24) & mask;

	while (pairs->slots[i].number &&
	       (pairs->slots[i].left != left || pairs->slots[i].right != right))
		i = (i + 1) & mask;
	return &pairs->slots[i];
}

static int
grow(struct prf_pairs *pairs)
{
	struct prf_pairs grown = {
		.n = pairs->n,
		.n_slots = pairs->n_slots ? 2 * pairs->n_slots : FIRST_SLOTS,
	};

	if (pairs->n < pairs->n_slots / 2)
		return 0;
	grown.slots = prf_large_new(grown.n_slots, sizeof *grown.slots);
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < pairs->n_slots; i++) {
		const struct prf_pair *pair = &pairs->slots[i];

		if (pair->number)
			*slot_of(&grown, pair->left, pair->right) = *pair;
	}
	free(pairs->slots);
	*pairs = grown;
	return 0;
}

int
prf_pairs_intern(struct prf_pairs *pairs, size_t left, size_t right,
		 size_t *number)
{
	if (grow(pairs))
		return -ENOMEM;
	struct prf_pair *slot = slot_of(pairs, left, right);
	if (!slot->number)
		*slot = (struct prf_pair){left, right, ++pairs->n};
	*number = slot->number - 1;
	return 0;
}

bool
prf_pairs_find(const struct prf_pairs *pairs, size_t left, size_t right,
	       size_t *number)
{
	const struct prf_pair *slot =
		pairs->n ? slot_of(pairs, left, right) : NULL;

	if (!slot || !slot->number)
		return false;
	*number = slot->number - 1;
	return true;
}

void
prf_pairs_clear(struct prf_pairs *pairs)
{
	free(pairs->slots);
	*pairs = (struct prf_pairs){0};
}
