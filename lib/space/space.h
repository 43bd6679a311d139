/* space.h - an address space: what lies where, as of now. */
#ifndef PRF_SPACE_SPACE_H
#define PRF_SPACE_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/sample.h"

struct prf_file;

/* No space has more ranges: Linux lets a process have 65,530 mappings, if it is
 * not told otherwise. */
enum { PRF_SPACE_RANGES_MAX = 1 << 17 };

/* What is known of the bias (addr - vaddr) of a range. */
enum prf_space_bias {
	PRF_SPACE_BIAS_UNASKED,
	PRF_SPACE_BIAS_KNOWN,
	PRF_SPACE_BIAS_NONE
};

struct prf_space_range {
	uint64_t addr, last; /* both ends are inside */
	enum prf_mapping_kind kind;
	struct prf_file *file; /* lent; NULL: code without a file */
	/* The mapping of which it is what is left. */
	uint64_t map_addr, map_size, map_off;
	/* Of that mapping; the first that asks notes the answer. */
	enum prf_space_bias has_bias;
	uint64_t bias;
};

/* All zero is an empty space. */
struct prf_space {
	struct prf_space_range *ranges; /* ascending, not overlapping */
	uint64_t *lasts; /* of ranges, near each other: so few bytes
				   * are looked through that a cache has them */
	size_t n, room;
	uint64_t
		n_changes; /* while it is the same, ranges are what they were */
};

/* RANGE replaces all there was between its ends; if its kind is NONE, that is
 * left empty.  -EINVAL: it ends before it begins; -E2BIG: there would be too
 * many; -ENOMEM.  Nothing changed then. */
int prf_space_set(struct prf_space *space,
		  const struct prf_space_range *range) PRF_MUST_CHECK;

/* The first range that ends at ADDR or later.  Addresses of samples come in no
 * order: what is asked on the way moves a number, and no branch is guessed. */
static inline size_t
prf_space_first(const struct prf_space *space, uint64_t addr)
{
	const uint64_t *lasts = space->lasts;
	size_t lo = 0, n = space->n; /* in [lo, lo + n] */

	while (n > 0) {
		size_t half = n - n / 2;

		lo = lasts[lo + half - 1] < addr ? lo + half : lo;
		n /= 2;
	}
	return lo;
}

/* The range that holds ADDR, or NULL. */
static inline struct prf_space_range *
prf_space_at(const struct prf_space *space, uint64_t addr)
{
	size_t i = prf_space_first(space, addr);

	return i < space->n && space->ranges[i].addr <= addr ? &space->ranges[i]
							     : NULL;
}

/* COPY, which is overwritten, becomes as SPACE.  -ENOMEM: it is empty. */
int prf_space_copy(struct prf_space *copy,
		   const struct prf_space *space) PRF_MUST_CHECK;
void prf_space_clear(struct prf_space *space);

#endif
