/* region.h - one region of text with its counters: which counter is a pc's?
 *
 * Pure functions of their arguments: no memory, no errno, no clock, no lock.
 * All of them are async-signal-safe. */
#ifndef PRF_CORE_REGION_H
#define PRF_CORE_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "attr.h"
#include "dialect.h"

PRF_BEGIN_DECLS

/* What profil(2) takes as arguments and sprofil(2) as struct prof. */
struct prf_region {
	void *base;          /* of the counters; never read here */
	uint64_t size_bytes; /* of the buffer of counters */
	uint64_t offset;     /* the first pc of the region */
	uint32_t scale;      /* bytes of counters for a byte of text, with
			      * the binary point left of bit 16 */
};

enum prf_hit_kind {
	PRF_HIT,
	PRF_MISS,   /* the pc is outside the region */
	PRF_OFF,    /* by its scale the region is off, for every pc */
	PRF_INVALID /* EINVAL, whatever the pc: the dialect has no such scale,
		      * or there are no counters of this width */
};

struct prf_hit {
	enum prf_hit_kind kind;
	uint64_t index; /* of the counter; 0 unless this is a PRF_HIT */
	uint64_t byte;  /* where the counter starts: index * width_bytes */
};

/* Counters are 2, 4 or 8 bytes wide. */
static __inline__ bool
prf_width_is_valid(unsigned width_bytes)
{
	return width_bytes == 2 || width_bytes == 4 || width_bytes == 8;
}

/* Can the region take ticks at all?  PRF_OFF and PRF_INVALID as above;
 * otherwise PRF_MISS, also if no pc can be a hit because the buffer holds not
 * one counter. */
enum prf_hit_kind prf_region_kind(struct prf_region region,
				  unsigned width_bytes,
				  const struct prf_dialect *dialect);

/* The counter that a tick at PC belongs to.  What only lists check is in
 * table.h: a size of 0 is EINVAL there, and an entry of offset 0 and scale 2
 * takes every other pc. */
struct prf_hit prf_region_map(struct prf_region region, unsigned width_bytes,
			      const struct prf_dialect *dialect, uint64_t pc);

/* Bytes of text that SIZE_BYTES of whole counters cover by the formula:
 * ceil(size_bytes * 65536 / scale); UINT64_MAX stands for that and anything
 * larger.  0 if the scale is 0. */
uint64_t prf_region_span(uint64_t size_bytes, uint32_t scale);

/* The last pc that is a hit, into *LAST_PC; false if none is.  A region's hits
 * are exactly [offset, last_pc].  This is the last pc and not the end, since a
 * region may end with the address space. */
bool prf_region_last_pc(struct prf_region region, unsigned width_bytes,
			const struct prf_dialect *dialect, uint64_t *last_pc);

PRF_END_DECLS

#endif
