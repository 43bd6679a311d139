#include "view/whole.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/gmon.h"
#include "core/scope.h"

/* Places begin at round addresses, so that a person can tell objects apart;
 * and at multiples of gmon.out's blocks, so that no block has two of them. */
enum { ROUND_BYTES = 1 << 20 };
_Static_assert(ROUND_BYTES % PRF_GMON_BLOCK_BYTES == 0, "whole blocks");

PRF_DEFINE_AUTO(prf_whole, prf_whole_free);

void
prf_whole_free(struct prf_whole *whole)
{
	if (!whole)
		return;
	free(whole->laid);
	free(whole);
}

static void
lay(struct prf_whole *whole, const struct prf_object *object, uint64_t shift)
{
	struct prf_laid laid = {
		.object = object,
		.lo = object->lo + shift,
		.hi = object->hi + shift,
		.shift = shift,
	};

	whole->laid[whole->n++] = laid;
	whole->end = laid.hi;
}

/* Puts OBJECT above what is there. */
static int
lay_above(struct prf_whole *whole, const struct prf_object *object,
	  uint64_t limit, struct prf_error *err)
{
	uint64_t first = object->lo & ~(uint64_t)(PRF_GMON_BLOCK_BYTES - 1);
	uint64_t bytes = object->hi - first;

	if (whole->end > limit - ROUND_BYTES ||
	    bytes > limit - ROUND_BYTES - whole->end)
		return prf_error_set(
			err, -EOVERFLOW,
			"%s: no room for it above the program; use --split",
			object->name);
	uint64_t base =
		(whole->end + ROUND_BYTES) & ~(uint64_t)(ROUND_BYTES - 1);

	lay(whole, object, base - first);
	return 0;
}

static struct prf_whole *
make_room(size_t n_objects)
{
	PRF_AUTO(prf_whole_auto)
	struct prf_whole *whole = calloc(1, sizeof *whole);

	if (!whole)
		return NULL;
	whole->laid = calloc(n_objects + 1, sizeof *whole->laid);
	return whole->laid ? PRF_TAKE(whole) : NULL;
}

static void
set_image(struct prf_whole *whole, const struct prf_object *object,
	  uint8_t addr_bytes)
{
	bool known = object && object->image;

	whole->image = known ? object : NULL;
	whole->addr_bytes =
		known ? prf_image_info(object->image)->addr_bytes : addr_bytes;
}

int
prf_whole_new_single(const struct prf_object *object, uint8_t addr_bytes,
		     struct prf_whole **out, struct prf_error *err)
{
	struct prf_whole *whole = make_room(1);

	if (!whole)
		return prf_error_set(err, -ENOMEM, "out of memory");
	set_image(whole, object, addr_bytes);
	if (object->n_functions)
		lay(whole, object, 0);
	*out = whole;
	return 0;
}

int
prf_whole_new(const struct prf_profile *profile, struct prf_whole **out,
	      struct prf_error *err)
{
	/* gprof reads addresses as signed on some machines: the upper half is
	 * left alone. */
	uint64_t limit = profile->addr_bytes == 4 ? 1ULL << 31 : 1ULL << 62;
	PRF_AUTO(prf_whole_auto)
	struct prf_whole *whole = make_room(profile->n_objects);

	if (!whole)
		return prf_error_set(err, -ENOMEM, "out of memory");
	set_image(whole, profile->program, profile->addr_bytes);
	if (profile->program && profile->program->n_functions)
		lay(whole, profile->program, 0);
	for (size_t i = 0; i < profile->n_objects; i++) {
		const struct prf_object *object = profile->objects[i];

		if (object == profile->program || !object->total.ticks ||
		    !object->n_functions)
			continue;
		int rc = lay_above(whole, object, limit, err);
		if (rc)
			return rc;
	}
	*out = PRF_TAKE(whole);
	return 0;
}
