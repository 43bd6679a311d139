#include "view/layout.h"

#include <errno.h>
#include <stdlib.h>

#include "core/gmon.h"
#include "core/scope.h"

/* Places begin at round addresses, so that a person can tell objects apart;
 * and at multiples of gmon.out's blocks, so that no block has two of them. */
enum { ROUND_BYTES = 1 << 20 };
_Static_assert(ROUND_BYTES % PRF_GMON_BLOCK_BYTES == 0, "whole blocks");

PRF_DEFINE_AUTO(prf_layout, prf_layout_free);

void
prf_layout_free(struct prf_layout *layout)
{
	if (!layout)
		return;
	free(layout->laid);
	free(layout);
}

static void
lay(struct prf_layout *layout, const struct prf_object *object, uint64_t lo,
    uint64_t shift)
{
	uint64_t hi = object->functions[object->n_functions - 1].hi + shift;

	layout->laid[layout->n++] = (struct prf_laid){object, lo, hi, shift};
	layout->end = hi;
}

/* Puts OBJECT above what is there. */
static int
lay_above(struct prf_layout *layout, const struct prf_object *object,
	  uint64_t limit, struct prf_error *err)
{
	uint64_t first =
		object->functions[0].lo & ~(uint64_t)(PRF_GMON_BLOCK_BYTES - 1);
	uint64_t bytes = object->functions[object->n_functions - 1].hi - first;

	if (layout->end > limit - ROUND_BYTES ||
	    bytes > limit - ROUND_BYTES - layout->end)
		return prf_error_set(
			err, -EOVERFLOW,
			"%s: no room for it above the program; use --split",
			object->name);
	uint64_t base =
		(layout->end + ROUND_BYTES) & ~(uint64_t)(ROUND_BYTES - 1);

	lay(layout, object, base + (object->functions[0].lo - first),
	    base - first);
	return 0;
}

int
prf_layout_new(const struct prf_profile *profile, struct prf_layout **out,
	       struct prf_error *err)
{
	/* gprof reads addresses as signed on some machines: the upper half is
	 * left alone. */
	uint64_t limit = profile->addr_bytes == 4 ? 1ULL << 31 : 1ULL << 62;
	PRF_AUTO(prf_layout_auto)
	struct prf_layout *layout = calloc(1, sizeof *layout);

	if (layout)
		layout->laid =
			calloc(profile->n_objects + 1, sizeof *layout->laid);
	if (!layout || !layout->laid)
		return prf_error_set(err, -ENOMEM, "out of memory");
	if (profile->program && profile->program->n_functions)
		lay(layout, profile->program, profile->program->functions[0].lo,
		    0);
	for (size_t i = 0; i < profile->n_objects; i++) {
		const struct prf_object *object = profile->objects[i];

		if (object == profile->program || !object->total.ticks ||
		    !object->n_functions)
			continue;
		int rc = lay_above(layout, object, limit, err);
		if (rc)
			return rc;
	}
	*out = PRF_TAKE(layout);
	return 0;
}
