#include "core/region.h"

#include "core/hist/scale.h"

static enum prf_scale_rule
scale_rule(uint32_t scale, const struct prf_dialect *dialect)
{
	switch (scale) {
	case 0:
		return PRF_SCALE_OFF;
	case 1:
		return dialect->scale_1;
	case 2:
		return dialect->scale_2;
	default:
		return PRF_SCALE_FORMULA;
	}
}

/* The bytes of the buffer that belong to whole counters. */
static uint64_t
whole_bytes(uint64_t size_bytes, unsigned width_bytes)
{
	return size_bytes - size_bytes % width_bytes;
}

enum prf_hit_kind
prf_region_kind(struct prf_region region, unsigned width_bytes,
		const struct prf_dialect *dialect)
{
	if (!prf_width_is_valid(width_bytes))
		return PRF_INVALID;
	if (scale_rule(region.scale, dialect) == PRF_SCALE_OFF)
		return PRF_OFF;
	return region.scale > dialect->scale_max ? PRF_INVALID : PRF_MISS;
}

/* The byte of the buffer for a pc this far into the region; it may be part of
 * the way into its counter. */
static prf_u128
byte_at(uint64_t distance, uint32_t scale, unsigned width_bytes,
	const struct prf_dialect *dialect)
{
	if (scale_rule(scale, dialect) == PRF_SCALE_FIRST)
		return 0;
	if (dialect->rounding == PRF_ROUND_BYTES_FIRST)
		return prf_scale_down(distance, scale);
	return prf_scale_down(distance / width_bytes, scale) * width_bytes;
}

struct prf_hit
prf_region_map(struct prf_region region, unsigned width_bytes,
	       const struct prf_dialect *dialect, uint64_t pc)
{
	struct prf_hit hit = {
		.kind = prf_region_kind(region, width_bytes, dialect),
	};

	if (hit.kind != PRF_MISS || pc < region.offset)
		return hit;

	prf_u128 byte =
		byte_at(pc - region.offset, region.scale, width_bytes, dialect);
	if (byte >= whole_bytes(region.size_bytes, width_bytes))
		return hit;

	hit.kind = PRF_HIT;
	hit.index = (uint64_t)byte / width_bytes;
	hit.byte = hit.index * width_bytes;
	return hit;
}

/* ceil(size_bytes * 65536 / scale), scale > 0. */
static prf_u128
exact_span(uint64_t size_bytes, uint32_t scale)
{
	return ((prf_u128)size_bytes * PRF_SCALE_ONE + scale - 1) / scale;
}

uint64_t
prf_region_span(uint64_t size_bytes, uint32_t scale)
{
	if (scale == 0)
		return 0;

	prf_u128 span = exact_span(size_bytes, scale);
	return span > UINT64_MAX ? UINT64_MAX : (uint64_t)span;
}

bool
prf_region_last_pc(struct prf_region region, unsigned width_bytes,
		   const struct prf_dialect *dialect, uint64_t *last_pc)
{
	if (prf_region_kind(region, width_bytes, dialect) != PRF_MISS)
		return false;

	uint64_t size_bytes = whole_bytes(region.size_bytes, width_bytes);
	if (size_bytes == 0)
		return false;

	uint64_t room = UINT64_MAX - region.offset;
	prf_u128 span;
	if (scale_rule(region.scale, dialect) == PRF_SCALE_FIRST)
		span = (prf_u128)room + 1;
	else if (dialect->rounding == PRF_ROUND_BYTES_FIRST)
		span = exact_span(size_bytes, region.scale);
	else /* whole groups of width_bytes pcs share a counter */
		span = exact_span(size_bytes / width_bytes, region.scale) *
		       width_bytes;

	*last_pc =
		region.offset + (span - 1 > room ? room : (uint64_t)(span - 1));
	return true;
}
