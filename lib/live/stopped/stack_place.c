#include "live/stopped/stack_place.h"

#include <string.h>

static bool
holds(const struct prf_stack_mapping *mapping, uint64_t addr)
{
	return addr >= mapping->addr && addr < mapping->end;
}

const struct prf_stack_mapping *
prf_stack_place_find(const struct prf_stack_place *place, uint64_t sp)
{
	if (holds(&place->usual, sp))
		return &place->usual;
	return holds(&place->other, sp) ? &place->other : NULL;
}

/* A mapping that has grown is still the same one. */
void
prf_stack_place_learn(struct prf_stack_place *place,
		      const struct prf_stack_mapping *mapping)
{
	bool is_usual =
		!place->usual.end || holds(mapping, place->usual.end - 1);

	*(is_usual ? &place->usual : &place->other) = *mapping;
}

bool
prf_stack_place_is_elsewhere(const struct prf_stack_place *place, uint64_t sp)
{
	return !holds(&place->usual, sp);
}

void
prf_stack_place_visit(struct prf_stack_place *place, uint64_t sp,
		      bool usual_is_behind)
{
	enum { SETTLED = 16 };
	const struct prf_stack_mapping left = place->usual;

	if (holds(&place->usual, sp) || usual_is_behind) {
		place->n_elsewhere = 0;
		return;
	}
	if (++place->n_elsewhere < SETTLED)
		return;
	place->usual = place->other;
	place->other = left;
	place->n_elsewhere = 0;
}

bool
prf_stack_place_is_shared(const struct prf_stack_mapping *mapping, uint64_t sp)
{
	return !mapping->is_main && mapping->end - sp > PRF_STACK_MOST_BYTES;
}

size_t
prf_stack_place_bytes(const struct prf_stack_mapping *mapping, uint64_t sp,
		      size_t shared_bytes)
{
	uint64_t n_bytes = mapping->end - sp;

	if (prf_stack_place_is_shared(mapping, sp))
		return shared_bytes;
	return n_bytes < PRF_STACK_MOST_BYTES ? n_bytes : PRF_STACK_MOST_BYTES;
}

static uint64_t
word_at(const char *at, uint8_t addr_bytes)
{
	uint64_t word64;
	uint32_t word32;

	if (addr_bytes == sizeof word32)
		return memcpy(&word32, at, sizeof word32), word32;
	return memcpy(&word64, at, sizeof word64), word64;
}

uint64_t
prf_stack_place_behind(const struct prf_stack_mapping *usual, const void *stack,
		       size_t n_bytes, uint8_t addr_bytes)
{
	uint64_t lowest = 0;

	for (size_t at = 0; at + addr_bytes <= n_bytes; at += addr_bytes) {
		uint64_t word = word_at((const char *)stack + at, addr_bytes);

		if (holds(usual, word) && (!lowest || word < lowest))
			lowest = word;
	}
	return lowest;
}
