#include "profile/tally.h"

#include <errno.h>
#include <stdlib.h>

/* Most objects of most processes have few ticks. */
enum { FIRST_SLOTS = 16 };

/* KEY's slot, or the free one where it belongs. */
static struct prf_tally_entry *
slot_of(const struct prf_tally *tally, uint64_t key)
{
	size_t mask = tally->n_slots - 1;
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & mask;

	while (tally->slots[i].count.ticks && tally->slots[i].key != key)
		i = (i + 1) & mask;
	return &tally->slots[i];
}

static int
grow(struct prf_tally *tally)
{
	struct prf_tally grown = {
		.n_slots = tally->n_slots ? tally->n_slots * 2 : FIRST_SLOTS,
		.n_entries = tally->n_entries,
	};

	grown.slots = calloc(grown.n_slots, sizeof *grown.slots);
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < tally->n_slots; i++)
		if (tally->slots[i].count.ticks)
			*slot_of(&grown, tally->slots[i].key) = tally->slots[i];
	free(tally->slots);
	*tally = grown;
	return 0;
}

int
prf_tally_reserve(struct prf_tally *tally)
{
	/* At most half full, so that a search is short and ends. */
	return tally->n_entries >= tally->n_slots / 2 ? grow(tally) : 0;
}

int
prf_tally_add_count(struct prf_tally *tally, uint64_t key,
		    const struct prf_count *count)
{
	if (!count->ticks)
		return 0;
	int rc = prf_tally_reserve(tally);
	if (rc)
		return rc;
	struct prf_tally_entry *slot = slot_of(tally, key);

	tally->n_entries += !slot->count.ticks;
	slot->key = key;
	prf_count_merge(&slot->count, count);
	return 0;
}

int
prf_tally_add(struct prf_tally *tally, uint64_t key, uint32_t ticks,
	      uint32_t certain)
{
	struct prf_count count = {0};

	prf_count_add(&count, ticks, certain);
	return prf_tally_add_count(tally, key, &count);
}

int
prf_tally_merge(struct prf_tally *tally, const struct prf_tally *other)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < other->n_slots; i++)
		rc = prf_tally_add_count(tally, other->slots[i].key,
					 &other->slots[i].count);
	return rc;
}

int
prf_tally_subtract(struct prf_tally *tally, const struct prf_tally *earlier)
{
	struct prf_tally rest = {0};
	size_t n_met = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < tally->n_slots; i++) {
		struct prf_tally_entry entry = tally->slots[i];
		const struct prf_tally_entry *part =
			earlier->n_slots && entry.count.ticks
				? slot_of(earlier, entry.key)
				: NULL;

		if (part && part->count.ticks > entry.count.ticks)
			rc = -ERANGE;
		n_met += part && part->count.ticks;
		if (!rc && part)
			prf_count_subtract(&entry.count, &part->count);
		if (!rc)
			rc = prf_tally_add_count(&rest, entry.key,
						 &entry.count);
	}
	if (!rc && n_met < earlier->n_entries)
		rc = -ERANGE;
	prf_tally_clear(rc ? &rest : tally);
	if (!rc)
		*tally = rest;
	return rc;
}

void
prf_tally_clear(struct prf_tally *tally)
{
	free(tally->slots);
	*tally = (struct prf_tally){0};
}

static int
by_key(const void *a, const void *b)
{
	const struct prf_tally_entry *left = a, *right = b;

	return (left->key > right->key) - (left->key < right->key);
}

struct prf_tally_entry *
prf_tally_sorted(const struct prf_tally *tally, size_t *n)
{
	struct prf_tally_entry *sorted;

	*n = tally->n_entries;
	if (!tally->n_entries)
		return NULL;
	sorted = calloc(tally->n_entries, sizeof *sorted);
	if (!sorted)
		return NULL;
	size_t used = 0;
	for (size_t i = 0; i < tally->n_slots; i++)
		if (tally->slots[i].count.ticks)
			sorted[used++] = tally->slots[i];
	qsort(sorted, used, sizeof *sorted, by_key);
	return sorted;
}
