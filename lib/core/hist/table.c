#include "core/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/hist/scale.h"
#include "core/scope.h"
#include "core/hist/search.h"

struct prf_table {
	struct prf_search search; /* over stretches */
	uint32_t *entry_of;       /* of each stretch, its number in the list */
	struct prf_region *list;
	size_t n_list, n_regions;
	size_t overflow; /* its number in the list, or PRF_TABLE_NONE */
	unsigned width_bytes;
	struct prf_dialect dialect;
};

PRF_DEFINE_AUTO(prf_table, prf_table_free);

int
prf_table_width(unsigned flags, const struct prf_dialect *dialect)
{
	if (dialect->list == PRF_LIST_LENIENT)
		flags &= ~PRF_TABLE_FAST;
	switch (flags) {
	case PRF_TABLE_USHORT:
		return 2;
	case PRF_TABLE_UINT:
		return 4;
	case PRF_TABLE_UINT64:
		return 8;
	default:
		return -EINVAL;
	}
}

/* --- Checking. */

static bool
is_overflow(const struct prf_region *region)
{
	return region->offset == 0 && region->scale == 2;
}

static int
check_overflow(struct prf_table *table, size_t i, struct prf_error *err)
{
	if (table->list[i].size_bytes != table->width_bytes)
		return prf_error_set(
			err, -EINVAL,
			"region %zu (offset 0, scale 2) must have "
			"one counter of %u bytes, not %" PRIu64 " bytes",
			i, table->width_bytes, table->list[i].size_bytes);
	if (table->overflow != PRF_TABLE_NONE)
		return prf_error_set(err, -EINVAL,
				     "regions %zu and %zu both take what no "
				     "other region takes",
				     table->overflow, i);
	table->overflow = i;
	return 0;
}

static int
check_size(const struct prf_table *table, size_t i, struct prf_error *err)
{
	const struct prf_region *region = &table->list[i];

	if (region->size_bytes == 0)
		return prf_error_set(err, -EINVAL, "region %zu has no counters",
				     i);
	if (region->size_bytes % table->width_bytes)
		return prf_error_set(err, -EINVAL,
				     "region %zu: %" PRIu64
				     " bytes is no multiple of %u",
				     i, region->size_bytes, table->width_bytes);
	if (region->size_bytes >
	    prf_scale_down(PRF_TABLE_MAX_SPAN, region->scale))
		return prf_error_set(err, -EINVAL,
				     "region %zu is for more than 2^46 bytes "
				     "of text",
				     i);
	return 0;
}

/* The rules that are about one entry. */
static int
check_region(struct prf_table *table, size_t i, struct prf_error *err)
{
	const struct prf_region *region = &table->list[i];

	if (region->scale > table->dialect.scale_max)
		return prf_error_set(
			err, -EINVAL,
			"region %zu: scale 0x%" PRIx32 " is above 0x%" PRIx32,
			i, region->scale, table->dialect.scale_max);
	if (is_overflow(region))
		return check_overflow(table, i, err);
	return check_size(table, i, err);
}

/* An ordinary region, and the pcs it could take. */
struct claim {
	uint64_t first, last;
	size_t entry;
};

/* The rules of a strict list: the last of N claims against the one before it.
 * Entries that are ignored do not stand between them. */
static int
check_order(const struct prf_table *table, const struct claim *claims, size_t n,
	    struct prf_error *err)
{
	const struct claim *claim = &claims[n - 1];

	if (table->dialect.list == PRF_LIST_LENIENT)
		return 0;
	if (table->overflow != PRF_TABLE_NONE)
		return prf_error_set(err, -EINVAL,
				     "region %zu takes what no other region "
				     "takes, and must be the last",
				     table->overflow);
	if (n > 1 && claim->first < claim[-1].first)
		return prf_error_set(
			err, -EINVAL,
			"region %zu at 0x%" PRIx64 " is below region %zu",
			claim->entry, claim->first, claim[-1].entry);
	if (n > 1 && claim->first <= claim[-1].last)
		return prf_error_set(
			err, -EINVAL,
			"region %zu at 0x%" PRIx64 " overlaps region %zu",
			claim->entry, claim->first, claim[-1].entry);
	return 0;
}

/* Checks the list and fills CLAIMS, as many as there are entries at most. */
static int
stake_claims(struct prf_table *table, struct claim *claims, size_t *n_claims,
	     struct prf_error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < table->n_list; i++) {
		struct prf_region region = table->list[i];

		if (prf_region_kind(region, table->width_bytes,
				    &table->dialect) == PRF_OFF)
			continue;
		int rc = check_region(table, i, err);
		if (rc < 0)
			return rc;
		table->n_regions++;
		if (i == table->overflow)
			continue;

		claims[n] = (struct claim){.first = region.offset, .entry = i};
		prf_region_last_pc(region, table->width_bytes, &table->dialect,
				   &claims[n].last);
		rc = check_order(table, claims, ++n, err);
		if (rc < 0)
			return rc;
	}
	*n_claims = n;
	return 0;
}

/* --- Compiling: of claims that may overlap, stretches that do not. */

/* Of two claims to a pc, the later in this order has precedence: the larger
 * offset, and of equal ones the first in the list. */
static int
compare_claims(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->entry < y->entry) - (x->entry > y->entry);
}

struct sweep {
	struct prf_extent *stretches;
	uint32_t *entry_of;
	size_t n;
	const struct claim **open; /* the one with precedence last */
	size_t n_open;
	uint64_t pc; /* all below is assigned, or unclaimed */
};

/* The open claim with precedence gets what is left up to LAST. */
static void
give(struct sweep *sweep, uint64_t last)
{
	const struct claim *best = sweep->open[sweep->n_open - 1];

	sweep->stretches[sweep->n] = (struct prf_extent){
		.first = sweep->pc,
		.last = last,
	};
	sweep->entry_of[sweep->n++] = (uint32_t)best->entry;
}

/* Assigns all below PC. */
static void
advance(struct sweep *sweep, uint64_t pc)
{
	for (; sweep->n_open; sweep->n_open--) {
		uint64_t last = sweep->open[sweep->n_open - 1]->last;

		if (last >= pc)
			break;
		if (last < sweep->pc)
			continue; /* it ended below one with precedence */
		give(sweep, last);
		sweep->pc = last + 1;
	}
	if (sweep->n_open && sweep->pc < pc)
		give(sweep, pc - 1);
	sweep->pc = pc;
}

/* Assigns all that is left, up to the end of the address space. */
static void
finish(struct sweep *sweep)
{
	advance(sweep, UINT64_MAX);
	if (sweep->n_open)
		give(sweep, UINT64_MAX);
}

static int
compile(struct prf_table *table, struct claim *claims, size_t n)
{
	/* A claim begins at most one stretch and lets at most one continue. */
	PRF_AUTO(prf_auto_free)
	struct prf_extent *stretches = calloc(2 * n + 1, sizeof *stretches);
	PRF_AUTO(prf_auto_free)
	const struct claim **open = calloc(n + 1, sizeof *open);
	table->entry_of = calloc(2 * n + 1, sizeof *table->entry_of);
	if (!stretches || !open || !table->entry_of)
		return -ENOMEM;

	struct sweep sweep = {
		.stretches = stretches,
		.entry_of = table->entry_of,
		.open = open,
	};
	qsort(claims, n, sizeof *claims, compare_claims);
	for (size_t i = 0; i < n; i++) {
		advance(&sweep, claims[i].first);
		sweep.open[sweep.n_open++] = &claims[i];
	}
	finish(&sweep);
	return prf_search_init(&table->search, stretches, sweep.n);
}

static int
build(struct prf_table *table, const struct prf_region *list,
      struct prf_error *err)
{
	size_t n_claims = 0;
	PRF_AUTO(prf_auto_free)
	struct claim *claims = calloc(table->n_list + 1, sizeof *claims);
	table->list = calloc(table->n_list + 1, sizeof *table->list);
	if (!claims || !table->list)
		return prf_error_set(err, -ENOMEM, "%zu regions: %m",
				     table->n_list);

	if (table->n_list > 0)
		memcpy(table->list, list, table->n_list * sizeof *list);
	int rc = stake_claims(table, claims, &n_claims, err);
	if (rc < 0)
		return rc;
	rc = compile(table, claims, n_claims);
	if (rc < 0)
		return prf_error_set(err, rc, "%zu regions", table->n_list);
	return 0;
}

int
prf_table_new(const struct prf_region *list, long n, unsigned width_bytes,
	      const struct prf_dialect *dialect, struct prf_table **out,
	      struct prf_error *err)
{
	if (n < 0 || n > PRF_TABLE_MAX)
		return prf_error_set(err, -E2BIG,
				     "%ld regions: 0 to %d are possible", n,
				     PRF_TABLE_MAX);
	if (!prf_width_is_valid(width_bytes))
		return prf_error_set(err, -EINVAL,
				     "counters of %u bytes: 2, 4 or 8 are "
				     "possible",
				     width_bytes);

	PRF_AUTO(prf_table_auto)
	struct prf_table *table = calloc(1, sizeof *table);
	if (!table)
		return prf_error_set(err, -ENOMEM, "%ld regions: %m", n);
	table->n_list = (size_t)n;
	table->overflow = PRF_TABLE_NONE;
	table->width_bytes = width_bytes;
	table->dialect = *dialect;

	int rc = build(table, list, err);
	if (rc < 0)
		return rc;
	*out = PRF_TAKE(table);
	return 0;
}

void
prf_table_free(struct prf_table *table)
{
	if (!table)
		return;
	prf_search_fini(&table->search);
	free(table->entry_of);
	free(table->list);
	free(table);
}

size_t
prf_table_n_regions(const struct prf_table *table)
{
	return table->n_regions;
}

struct prf_table_hit
prf_table_find(const struct prf_table *table, uint64_t pc)
{
	struct prf_search_hit found = prf_search_find(&table->search, pc);
	if (found.extent == PRF_SEARCH_NONE)
		return (struct prf_table_hit){.entry = table->overflow};

	size_t entry = table->entry_of[found.extent];
	struct prf_hit hit = prf_region_map(
		table->list[entry], table->width_bytes, &table->dialect, pc);
	return (struct prf_table_hit){
		.entry = entry,
		.index = hit.index,
		.byte = hit.byte,
	};
}

struct prf_region
prf_table_region(const struct prf_table *table, size_t entry)
{
	return table->list[entry];
}
