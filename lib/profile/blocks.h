/* blocks.h - counters of 64 bits for the 2-byte units of text, in the blocks
 * that gmon.out has: those in which something was counted. */
#ifndef PRF_PROFILE_BLOCKS_H
#define PRF_PROFILE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/gmon.h"

#define PRF_BLOCK_BINS (PRF_GMON_BLOCK_BYTES / 2)

/* More of them than any profile has ticks in: few bytes of a file can ask for the
 * 4 KiB of one. */
enum { PRF_BLOCKS_MAX = 1 << 17 };

struct prf_block {
	uint64_t vaddr; /* a multiple of PRF_GMON_BLOCK_BYTES */
	uint64_t counts[PRF_BLOCK_BINS];
};

/* All zero: there are none. */
struct prf_blocks {
	struct prf_block **slots; /* a hash table */
	size_t n, n_slots;
	size_t *n_all; /* those of a whole profile; NULL: of none */
};

/* The block that VADDR is in; a new one has zeros.  NULL: out of memory. */
struct prf_block *prf_blocks_at(struct prf_blocks *blocks, uint64_t vaddr);
/* Is VADDR in one that is there, or are there fewer in all than
 * PRF_BLOCKS_MAX? */
bool prf_blocks_have_room(const struct prf_blocks *blocks, uint64_t vaddr);
/* -EFBIG: N of one file are more than PRF_BLOCKS_MAX. */
int prf_blocks_check(size_t n, struct prf_error *err) PRF_MUST_CHECK;
/* All of them, ascending, n of them; the array is the caller's to free().
 * NULL: out of memory. */
const struct prf_block **prf_blocks_sorted(const struct prf_blocks *blocks);
/* Adds all of OTHER.  -ENOMEM: perhaps a part. */
int prf_blocks_merge(struct prf_blocks *blocks,
		     const struct prf_blocks *other) PRF_MUST_CHECK;
void prf_blocks_clear(struct prf_blocks *blocks);

#endif
