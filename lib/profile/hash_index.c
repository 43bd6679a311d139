#include "profile/hash_index.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/large.h"

enum { FIRST_SLOTS = 256 };

bool
prf_hash_index_is_full(const struct prf_hash_index *index, size_t n)
{
	return n > index->n_slots / 3 * 2;
}

int
prf_hash_index_clear(struct prf_hash_index *index, size_t n)
{
	size_t n_slots = FIRST_SLOTS;

	while (n > n_slots / 3 * 2)
		n_slots *= 2;
	prf_hash_index_free(index);
	if (n_slots > UINT32_MAX / 2)
		return -ENOMEM;
	index->slots = prf_large_new(n_slots, sizeof *index->slots);
	if (!index->slots)
		return -ENOMEM;
	index->n_slots = n_slots;
	return 0;
}

void
prf_hash_index_free(struct prf_hash_index *index)
{
	free(index->slots);
	*index = (struct prf_hash_index){0};
}
