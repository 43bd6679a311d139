/* search.h - which of many extents holds this pc?  Not installed.
 *
 * Text lies in a few dense groups (the program, the libraries) far from each
 * other.  Each group is cut into buckets of equal size, a few for each
 * extent; a bucket knows the extents that can hold its pcs, and those few are
 * halved.  So the cost is much the same for one extent and for a million;
 * whatever they look like it is never more than halving them all: O(log n).
 *
 * What a search waits for is memory.  Extents are packed into 12 bytes each,
 * so that those of a large program fit a cache; and no branch depends on what
 * was read but the last one, "was it there?", so that the waiting of searches
 * that follow one another overlaps.  Two halves are offered for those who
 * have many pcs at once and can ask for the memory beforehand. */
#ifndef PRF_CORE_SEARCH_H
#define PRF_CORE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* pcs from FIRST to LAST, both inside: an extent may end with the address
 * space.  TAG is what its owner wants to know of it; ascending with the
 * extents, by less than 2^32 while they cover less than 4 GiB. */
struct prf_extent {
	uint64_t first, last;
	uint64_t tag;
};

/* An extent as it is kept, relative to its group. */
struct prf_search_extent {
	uint32_t first, reach; /* reach: from its first pc to its last */
	uint32_t tag;
};

/* Extents near each other, less than 4 GiB together; or a single one. */
struct prf_search_group {
	uint64_t first;  /* pc of its first extent */
	uint64_t reach;  /* from there to the last pc of the last */
	uint64_t tag;    /* of its first extent */
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
};

/* Makes SEARCH over N extents, ascending and not overlapping, that are the
 * caller's to free.  -EOVERFLOW if there are too many, -ENOMEM; then there is
 * nothing to free in SEARCH. */
int prf_search_init(struct prf_search *search, const struct prf_extent *extents,
		    size_t n);
/* Takes a search of zeros. */
void prf_search_fini(struct prf_search *search);

/* A search half done: the group and bucket that a pc belongs to. */
struct prf_search_probe {
	const struct prf_search_group *group;
	uint64_t distance;      /* from the group's first pc */
	const uint32_t *bucket; /* NULL: the pc is nowhere */
};

#define PRF_SEARCH_NONE ((size_t)-1)

struct prf_search_hit {
	size_t extent; /* its number, or PRF_SEARCH_NONE and all else is 0 */
	uint64_t tag;
	uint64_t distance; /* from the extent's first pc */
	uint64_t reach;    /* from there to its last */
};

/* All that follows reads memory and does nothing else: async-signal-safe. */

static inline struct prf_search_probe
prf_search_begin(const struct prf_search *search, uint64_t pc)
{
	struct prf_search_probe probe = {0};
	uint32_t at = 0, last = search->n_groups - 1;

	if (search->n_groups == 0)
		return probe;
	for (uint32_t step = search->group_step; step; step /= 2) {
		uint32_t next = at + step;

		next = next < last ? next : last;
		at = search->groups[next].first <= pc ? next : at;
	}
	probe.group = &search->groups[at];
	probe.distance = pc - probe.group->first;
	/* A pc below the first group wraps to something larger than any. */
	if (probe.distance <= probe.group->reach)
		probe.bucket = search->buckets + probe.group->bucket +
			       (probe.distance >> probe.group->shift);
	return probe;
}

static inline struct prf_search_hit
prf_search_end(const struct prf_search *search, struct prf_search_probe probe)
{
	const struct prf_search_group *group = probe.group;
	const struct prf_search_hit none = {.extent = PRF_SEARCH_NONE};

	if (!probe.bucket)
		return none;

	uint32_t at = *probe.bucket;
	for (uint32_t step = group->step; step; step /= 2) {
		uint32_t next = at + step;

		next = next < group->last ? next : group->last;
		at = search->extents[next].first <= probe.distance ? next : at;
	}

	const struct prf_search_extent *extent = &search->extents[at];
	uint64_t distance = probe.distance - extent->first;
	uint64_t reach = group->lone ? group->reach : extent->reach;
	if (distance > reach)
		return none;
	return (struct prf_search_hit){
		.extent = at,
		.tag = group->tag + extent->tag,
		.distance = distance,
		.reach = reach,
	};
}

static inline struct prf_search_hit
prf_search_find(const struct prf_search *search, uint64_t pc)
{
	return prf_search_end(search, prf_search_begin(search, pc));
}

#endif
