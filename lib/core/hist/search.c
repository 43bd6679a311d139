#include "core/hist/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Buckets for each extent.  Two are 8 bytes, no more than an extent takes, and
 * leave some two extents to choose from; more buckets would not fit the
 * cache. */
#define BUCKETS_PER_EXTENT 2

/* As many extents are halved in the time of one wait for memory. */
#define GROUPS_WANTED 64

/* Gaps within groups take buckets, and memory of the owner for each place.  So
 * they are at most this many times the text, however many groups that makes. */
#define MAX_GAPS_TO_TEXT 4

#define MAX_EXTENTS (UINT32_MAX / (2 * BUCKETS_PER_EXTENT))

static unsigned
log2_floor(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

/* The largest power of two up to N, 0 for 0: steps of this size, then of half
 * of it, and so on to 1, reach everything up to N. */
static uint32_t
first_step(uint32_t n)
{
	return n ? UINT32_C(1) << log2_floor(n) : 0;
}

/* Bytes between an extent and the one below it. */
static uint64_t
gap_before(const struct prf_extent *extent)
{
	return extent[0].first - extent[-1].last - 1;
}

/* Are gaps of GAPS bytes in all too much within groups?  Yes if they exceed the
 * text many times, or exceed it at all while there are few groups. */
static bool
is_too_much(uint64_t gaps, uint64_t text, size_t n_groups)
{
	return gaps / MAX_GAPS_TO_TEXT > text ||
	       (gaps > text && n_groups <= GROUPS_WANTED);
}

/* Which gaps part groups: those of at least 2^result bytes.  As few as possible
 * do, the largest first, so that the others are together no larger than the
 * text; or no larger than some times the text, if the former takes more groups
 * than wanted. */
static unsigned
gap_that_parts(const struct prf_extent *extents, size_t n)
{
	size_t n_gaps[64] = {0}, n_groups = 1;
	uint64_t gap_bytes[64] = {0}, gaps = 0, text = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t gap = i > 0 ? gap_before(&extents[i]) : 0;

		text += extents[i].last - extents[i].first + 1;
		if (gap == 0)
			continue;
		n_gaps[log2_floor(gap)]++;
		gap_bytes[log2_floor(gap)] += gap;
		gaps += gap;
	}

	unsigned log2_gap = 64;
	while (log2_gap > 0 &&
	       is_too_much(gaps, text, n_groups + n_gaps[log2_gap - 1])) {
		log2_gap--;
		n_groups += n_gaps[log2_gap];
		gaps -= gap_bytes[log2_gap];
	}
	return log2_gap;
}

/* Where the group that begins with extent LO ends. */
static uint32_t
group_end(const struct prf_extent *extents, uint32_t lo, uint32_t n,
	  unsigned log2_gap)
{
	uint32_t i;

	for (i = lo + 1; i < n; i++) {
		uint64_t gap = gap_before(&extents[i]);

		if (gap > 0 && log2_floor(gap) >= log2_gap)
			break;
		if (extents[i].last - extents[lo].first > UINT32_MAX)
			break;
	}
	return i;
}

/* The extents [lo, group->last] as the search keeps them. */
static void
pack_extents(struct prf_search *search, const struct prf_search_group *group,
	     const struct prf_extent *extents, uint32_t lo)
{
	for (uint32_t i = lo; i <= group->last; i++) {
		uint64_t reach = extents[i].last - extents[i].first;

		search->extents[i] = (struct prf_search_extent){
			.first = (uint32_t)(extents[i].first - group->first),
			.reach = reach < UINT32_MAX ? (uint32_t)reach
						    : UINT32_MAX,
		};
	}
}

/* Fills the group's buckets, and learns how many steps the fullest of them
 * needs.  Returns their number. */
static uint32_t
fill_buckets(struct prf_search *search, struct prf_search_group *group,
	     uint32_t lo)
{
	const struct prf_search_extent *extents = search->extents;
	uint32_t n_buckets = (uint32_t)(group->reach >> group->shift) + 1;
	uint32_t at = lo, most = 0;

	for (uint32_t i = 0; i < n_buckets; i++) {
		uint64_t begin = (uint64_t)i << group->shift;
		uint32_t before = at;

		while (at < group->last && extents[at + 1].first <= begin)
			at++;
		search->buckets[group->bucket + i] = at;
		most = at - before > most ? at - before : most;
	}
	most = group->last - at > most ? group->last - at : most;
	group->step = first_step(most);
	return n_buckets;
}

/* The group of the extents [LO, HI), with its buckets from BUCKET on.
 * Returns where the next group's buckets begin. */
static uint32_t
add_group(struct prf_search *search, const struct prf_extent *extents,
	  uint32_t lo, uint32_t hi, uint32_t bucket)
{
	struct prf_search_group *group = &search->groups[search->n_groups++];
	uint64_t max_buckets = (uint64_t)(hi - lo) * BUCKETS_PER_EXTENT;

	*group = (struct prf_search_group){
		.first = extents[lo].first,
		.reach = extents[hi - 1].last - extents[lo].first,
		.place = search->n_places,
		.bucket = bucket,
		.last = hi - 1,
		.lone = hi - lo == 1,
	};
	while (group->reach >> group->shift >= max_buckets)
		group->shift++;
	search->n_places += group->reach + 1;
	pack_extents(search, group, extents, lo);
	return bucket + fill_buckets(search, group, lo);
}

static uint32_t
count_groups(const struct prf_extent *extents, uint32_t n, unsigned log2_gap)
{
	uint32_t n_groups = 0;

	for (uint32_t lo = 0; lo < n; n_groups++)
		lo = group_end(extents, lo, n, log2_gap);
	return n_groups;
}

int
prf_search_init(struct prf_search *search, const struct prf_extent *extents,
		size_t n)
{
	memset(search, 0, sizeof *search);
	if (n == 0)
		return 0;
	if (n > MAX_EXTENTS)
		return -EOVERFLOW;

	unsigned log2_gap = gap_that_parts(extents, n);
	uint32_t n_groups = count_groups(extents, (uint32_t)n, log2_gap);
	search->groups = calloc(n_groups, sizeof *search->groups);
	search->extents = calloc(n, sizeof *search->extents);
	search->buckets =
		calloc(n * BUCKETS_PER_EXTENT, sizeof *search->buckets);
	if (!search->groups || !search->extents || !search->buckets) {
		prf_search_fini(search);
		return -ENOMEM;
	}

	uint32_t bucket = 0, lo = 0;
	while (lo < n) {
		uint32_t hi = group_end(extents, lo, (uint32_t)n, log2_gap);

		bucket = add_group(search, extents, lo, hi, bucket);
		lo = hi;
	}
	search->group_step = first_step(search->n_groups - 1);
	return 0;
}

void
prf_search_fini(struct prf_search *search)
{
	free(search->groups);
	free(search->extents);
	free(search->buckets);
	memset(search, 0, sizeof *search);
}
