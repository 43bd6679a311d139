/* table.h - a list of regions, as sprofil(2) takes it: which region, and
 * which of its counters, is a pc's?
 *
 * A list is checked and compiled once.  That allocates; finding in the table
 * does not, and is async-signal-safe. */
#ifndef PRF_CORE_TABLE_H
#define PRF_CORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "dialect.h"
#include "error.h"
#include "region.h"

PRF_BEGIN_DECLS

/* The flags of sprofil(2): the width of the counters. */
#define PRF_TABLE_USHORT 0u /* 2 bytes */
#define PRF_TABLE_UINT 1u   /* 4 bytes */
#define PRF_TABLE_FAST 2u   /* a hint; lenient lists ignore it */
#define PRF_TABLE_UINT64 4u /* 8 bytes */

/* Entries a list may have. */
#define PRF_TABLE_MAX 1048576

/* Text that one region may cover, in bytes. */
#define PRF_TABLE_MAX_SPAN (UINT64_C(1) << 46)

struct prf_table;

/* The width in bytes that FLAGS ask for; -EINVAL if they ask for no width, for
 * two, or for one that the dialect does not have. */
int prf_table_width(unsigned flags, const struct prf_dialect *dialect);

/* Compiles the N regions of LIST.  Neither LIST nor DIALECT is needed
 * afterwards; both stay the caller's.  The counters are never touched.
 *
 * An entry that the dialect's scale rule says is off is ignored, whatever else
 * is in it.  An entry with offset 0, scale 2 and the size of one counter is the
 * overflow entry: it takes every pc that no other entry takes.
 *
 * -E2BIG: N is negative or above PRF_TABLE_MAX (0 is an empty table).  -EINVAL:
 * the width; a scale above the dialect's largest; a size that is 0, no multiple
 * of the width, or good for more than PRF_TABLE_MAX_SPAN bytes of text; offset
 * 0 and scale 2 with more than one counter; two overflow entries.  If lists are
 * strict also: offsets that do not ascend, regions that overlap, an overflow
 * entry that is not the last one counted.  -ENOMEM. */
int prf_table_new(const struct prf_region *list, long n, unsigned width_bytes,
		  const struct prf_dialect *dialect, struct prf_table **out,
		  struct prf_error *err) PRF_MUST_CHECK;
/* Takes NULL. */
void prf_table_free(struct prf_table *table);

/* Entries that count, the overflow entry too; with none profiling is off. */
size_t prf_table_n_regions(const struct prf_table *table);

#define PRF_TABLE_NONE ((size_t)-1)

struct prf_table_hit {
	size_t entry;   /* its number in the list, from 0; PRF_TABLE_NONE and
		       * all else is 0 if no entry takes the pc */
	uint64_t index; /* of the counter */
	uint64_t byte;  /* where the counter starts: index * width */
};

/* Where a tick at PC is counted.  O(log n), and better where the regions are
 * near each other.  In lenient lists regions may overlap: of those that hold
 * PC the one with the largest offset takes it, of equal offsets the first. */
struct prf_table_hit prf_table_find(const struct prf_table *table, uint64_t pc);

/* Entry number ENTRY (< n) of the list, as it was given, also if ignored. */
struct prf_region prf_table_region(const struct prf_table *table, size_t entry);

PRF_END_DECLS

#endif
