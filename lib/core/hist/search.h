/* search.h - which of many extents holds this pc?  Not installed.
 *
 * Text lies in a few dense groups (the program, the libraries) far from each
 * other.  Each group is cut into buckets of equal size, a few for each extent;
 * a bucket knows the extents that can hold its pcs, and those few are searched
 * by halving.  So the cost is much the same for one extent and for a million;
 * in the worst case it is that of halving them all: O(log n).
 *
 * A search spends its time waiting for memory.  Extents are packed into 8 bytes
 * each, so that those of a large program fit a cache; and no branch but the
 * last one, "was it there?", depends on what was read, so that searches that
 * follow one another wait at the same time.
 *
 * The groups, put one behind the other without the gaps between them, are a
 * shorter address space.  The position of a pc in it, its place, is known from
 * the few groups, which the nearest cache holds, without waiting for the
 * extent. */
#ifndef PRF_CORE_HIST_SEARCH_H
#define PRF_CORE_HIST_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* pcs from FIRST to LAST, both inside: an extent may end with the address
 * space. */
struct prf_extent {
	uint64_t first, last;
};

/* An extent as it is kept, relative to its group. */
struct prf_search_extent {
	uint32_t first, reach; /* reach: from its first pc to its last */
};

/* Extents near each other, less than 4 GiB together; or a single one. */
struct prf_search_group {
	uint64_t first;  /* pc of its first extent */
	uint64_t reach;  /* from there to the last pc of the last */
	uint64_t place;  /* of its first pc */
	uint32_t bucket; /* the number of its first bucket */
	uint32_t last;   /* the number of its last extent */
	uint32_t step;   /* to begin halving with: a power of two, or 0 */
	uint8_t shift;   /* a bucket is 2^shift pcs */
	bool lone;       /* one extent, and that may be of any size */
};

struct prf_search {
	struct prf_search_group *groups;
	struct prf_search_extent *extents;
	uint32_t *buckets; /* the last extent to begin before it, or with it;
			    * of its group, and the group's first if none */
	uint32_t n_groups, group_step;
	uint64_t n_places; /* at most 5 for each pc that an extent holds; 0
			    * also for the whole address space, all 2^64 */
};

/* Makes SEARCH over N extents, ascending and not overlapping; they stay the
 * caller's.  -EOVERFLOW if there are too many, -ENOMEM; then there is nothing
 * to free in SEARCH. */
int prf_search_init(struct prf_search *search, const struct prf_extent *extents,
		    size_t n);
/* A struct of zeros is allowed. */
void prf_search_fini(struct prf_search *search);

#define PRF_SEARCH_NONE ((size_t)-1)

struct prf_search_hit {
	size_t extent;  /* its number, or PRF_SEARCH_NONE and all else is 0 */
	uint64_t place; /* of the pc */
	uint64_t distance; /* from the extent's first pc */
	uint64_t reach;    /* from there to its last */
};

/* The functions below only read memory, and are async-signal-safe. */

/* The last group that begins at PC or before it, or the first group if none
 * does.  There must be groups. */
static inline const struct prf_search_group *
prf_search_group(const struct prf_search *search, uint64_t pc)
{
	uint32_t at = 0, last = search->n_groups - 1;

	for (uint32_t step = search->group_step; step; step /= 2) {
		uint32_t next = at + step;

		next = next < last ? next : last;
		at = search->groups[next].first <= pc ? next : at;
	}
	return search->groups + at;
}

/* The place of PC, or n_places if it is in no group.  Pcs in the gaps within
 * a group have a place too. */
static inline uint64_t
prf_search_place(const struct prf_search *search, uint64_t pc)
{
	if (search->n_groups == 0)
		return 0;

	const struct prf_search_group *group = prf_search_group(search, pc);
	/* A pc below the first group wraps to something larger than any. */
	uint64_t distance = pc - group->first;
	uint64_t place = group->place + distance;
	return distance <= group->reach ? place : search->n_places;
}

static inline struct prf_search_hit
prf_search_find(const struct prf_search *search, uint64_t pc)
{
	const struct prf_search_hit none = {.extent = PRF_SEARCH_NONE};
	if (search->n_groups == 0)
		return none;

	const struct prf_search_group *group = prf_search_group(search, pc);
	uint64_t from_group = pc - group->first;
	if (from_group > group->reach)
		return none;

	uint32_t at =
		search->buckets[group->bucket + (from_group >> group->shift)];
	for (uint32_t step = group->step; step; step /= 2) {
		uint32_t next = at + step;

		next = next < group->last ? next : group->last;
		at = search->extents[next].first <= from_group ? next : at;
	}

	const struct prf_search_extent *extent = &search->extents[at];
	uint64_t distance = from_group - extent->first;
	uint64_t reach = group->lone ? group->reach : extent->reach;
	if (distance > reach)
		return none;
	return (struct prf_search_hit){
		.extent = at,
		.place = group->place + from_group,
		.distance = distance,
		.reach = reach,
	};
}

#endif
