#include "profile/blocks.h"

#include <errno.h>
#include <stdlib.h>

/* Where VADDR's block is, or would be. */
static struct prf_block **
slot_of(struct prf_block **slots, size_t n_slots, uint64_t vaddr)
{
	uint64_t number = vaddr / PRF_GMON_BLOCK_BYTES;
	size_t slot = (size_t)(number * 0x9e3779b97f4a7c15 >> 20) % n_slots;

	while (slots[slot] && slots[slot]->vaddr != vaddr)
		slot = (slot + 1) % n_slots;
	return &slots[slot];
}

/* Half of the slots stay free. */
static int
grow(struct prf_blocks *blocks)
{
	size_t n_slots = blocks->n_slots ? blocks->n_slots * 2 : 64;

	if (blocks->n < blocks->n_slots / 2)
		return 0;
	struct prf_block **slots = calloc(n_slots, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < blocks->n_slots; i++)
		if (blocks->slots[i])
			*slot_of(slots, n_slots, blocks->slots[i]->vaddr) =
				blocks->slots[i];
	free(blocks->slots);
	blocks->slots = slots;
	blocks->n_slots = n_slots;
	return 0;
}

struct prf_block *
prf_blocks_at(struct prf_blocks *blocks, uint64_t vaddr)
{
	vaddr -= vaddr % PRF_GMON_BLOCK_BYTES;
	if (grow(blocks))
		return NULL;
	struct prf_block **slot =
		slot_of(blocks->slots, blocks->n_slots, vaddr);
	if (*slot)
		return *slot;
	*slot = calloc(1, sizeof **slot);
	if (!*slot)
		return NULL;
	(*slot)->vaddr = vaddr;
	blocks->n++;
	if (blocks->n_all)
		++*blocks->n_all;
	return *slot;
}

bool
prf_blocks_have_room(const struct prf_blocks *blocks, uint64_t vaddr)
{
	size_t n = blocks->n_all ? *blocks->n_all : blocks->n;

	return n < PRF_BLOCKS_MAX ||
	       (blocks->n && *slot_of(blocks->slots, blocks->n_slots,
				      vaddr - vaddr % PRF_GMON_BLOCK_BYTES));
}

int
prf_blocks_check(size_t n, struct prf_error *err)
{
	return n <= PRF_BLOCKS_MAX
		       ? 0
		       : prf_error_set(err, -EFBIG,
				       "ticks in more than %d pieces of %d "
				       "bytes of text, which no profile has",
				       PRF_BLOCKS_MAX, PRF_GMON_BLOCK_BYTES);
}

static int
by_vaddr(const void *a, const void *b)
{
	const struct prf_block *left = *(const struct prf_block *const *)a;
	const struct prf_block *right = *(const struct prf_block *const *)b;

	return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

const struct prf_block **
prf_blocks_sorted(const struct prf_blocks *blocks)
{
	const struct prf_block **sorted =
		calloc(blocks->n + 1, sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; sorted && i < blocks->n_slots; i++)
		if (blocks->slots[i])
			sorted[n++] = blocks->slots[i];
	if (sorted)
		qsort(sorted, n, sizeof(*sorted), by_vaddr);
	return sorted;
}

int
prf_blocks_merge(struct prf_blocks *blocks, const struct prf_blocks *other)
{
	for (size_t i = 0; i < other->n_slots; i++) {
		const struct prf_block *from = other->slots[i];
		struct prf_block *to =
			from ? prf_blocks_at(blocks, from->vaddr) : NULL;

		if (from && !to)
			return -ENOMEM;
		for (size_t bin = 0; from && bin < PRF_BLOCK_BINS; bin++)
			to->counts[bin] += from->counts[bin];
	}
	return 0;
}

void
prf_blocks_clear(struct prf_blocks *blocks)
{
	for (size_t i = 0; i < blocks->n_slots; i++)
		free(blocks->slots[i]);
	if (blocks->n_all)
		*blocks->n_all -= blocks->n;
	free(blocks->slots);
	*blocks = (struct prf_blocks){0};
}
