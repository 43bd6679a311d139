#include "profile/named_counts.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

/* FNV-1a. */
static size_t
hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return (size_t)(hash ^ hash >> 32);
}

/* TEXT's slot, or the free one where it belongs: half of them are free. */
static size_t *
slot_of(const struct prf_named_counts *names, const char *text)
{
	size_t mask = names->n_slots - 1, i = hash_of(text) & mask;

	while (names->slots[i] &&
	       strcmp(names->all[names->slots[i] - 1].text, text) != 0)
		i = (i + 1) & mask;
	return &names->slots[i];
}

static int
grow(struct prf_named_counts *names)
{
	size_t room = names->room ? names->room * 2 : FIRST_ROOM;

	if (names->n < names->room)
		return 0;
	struct prf_named_count *all =
		reallocarray(names->all, room, sizeof *names->all);
	if (!all)
		return -ENOMEM;
	names->all = all;
	size_t *slots = calloc(room, 2 * sizeof *slots);
	if (!slots)
		return -ENOMEM;
	free(names->slots);
	names->slots = slots;
	names->n_slots = 2 * room;
	names->room = room;
	for (size_t i = 0; i < names->n; i++)
		*slot_of(names, all[i].text) = i + 1;
	return 0;
}

int
prf_named_counts_intern(struct prf_named_counts *names, const char *text,
			size_t *number)
{
	size_t slot = names->n ? *slot_of(names, text) : 0;

	if (!slot) {
		char *copy = grow(names) ? NULL : strdup(text);

		if (!copy)
			return -ENOMEM;
		names->all[names->n] = (struct prf_named_count){.text = copy};
		slot = *slot_of(names, text) = ++names->n;
	}
	*number = slot - 1;
	return 0;
}

int
prf_named_counts_add(struct prf_named_counts *names, const char *text,
		     const struct prf_count *count)
{
	size_t number;
	int rc = prf_named_counts_intern(names, text, &number);

	if (!rc)
		prf_count_merge(&names->all[number].count, count);
	return rc;
}

int
prf_named_counts_merge(struct prf_named_counts *names,
		       const struct prf_named_counts *other)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < other->n; i++)
		rc = prf_named_counts_add(names, other->all[i].text,
					  &other->all[i].count);
	return rc;
}

void
prf_named_counts_clear(struct prf_named_counts *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->all[i].text);
	free(names->all);
	free(names->slots);
	*names = (struct prf_named_counts){0};
}

static int
by_text(const void *a, const void *b, void *arg)
{
	const struct prf_named_counts *names = arg;
	const size_t *left = a, *right = b;

	return strcmp(names->all[*left].text, names->all[*right].text);
}

size_t *
prf_named_counts_sorted(const struct prf_named_counts *names)
{
	size_t *numbers = calloc(names->n + 1, sizeof *numbers);

	if (!numbers)
		return NULL;
	for (size_t i = 0; i < names->n; i++)
		numbers[i] = i;
	qsort_r(numbers, names->n, sizeof *numbers, by_text, (void *)names);
	return numbers;
}
