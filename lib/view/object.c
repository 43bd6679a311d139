#include "view/object.h"

#include <errno.h>
#include <stdlib.h>

#include "view/files.h"

static const char *const kind_names[PRF_N_OBJECT_KINDS] = {
	[PRF_OBJECT_FILE] = "[file]",       [PRF_OBJECT_VDSO] = "[vdso]",
	[PRF_OBJECT_JIT] = "[jit]",         [PRF_OBJECT_KERNEL] = "[kernel]",
	[PRF_OBJECT_UNKNOWN] = "[unknown]",
};

struct prf_object *
prf_object_new(enum prf_object_kind kind, struct prf_file *file)
{
	struct prf_object *object = calloc(1, sizeof *object);

	if (!object)
		return NULL;
	object->kind = kind;
	object->path = file ? file->path : "";
	object->name = file ? file->name : kind_names[kind];
	object->file = file ? prf_files_hold(file) : NULL;
	object->image = file ? file->image : NULL;
	if (!object->image ||
	    !prf_hist_new_like(file->model, &object->hist, NULL))
		return object;
	prf_object_free(object);
	return NULL;
}

void
prf_object_free(struct prf_object *object)
{
	if (!object)
		return;
	for (size_t i = 0; i < object->n_made_names; i++)
		free(object->made_names[i]);
	free(object->made_names);
	free(object->functions);
	free(object->made_pieces);
	free(object->points);
	prf_tally_clear(&object->tally);
	prf_hist_free(object->hist);
	prf_files_drop(object->file);
	free(object);
}

/* --- Where it is */

/* Makes OBJECT reach from LO to HI, too. */
static void
extend(struct prf_object *object, uint64_t lo, uint64_t hi)
{
	if (object->lo == object->hi)
		object->lo = object->hi = lo;
	if (lo < object->lo)
		object->lo = lo;
	if (hi > object->hi)
		object->hi = hi;
}

/* Without names an address is known by its offset in what was mapped. */
static int
map_offsets(struct prf_object *object, const struct prf_place *place,
	    uint64_t *bias)
{
	uint64_t lo = place->map_off & ~1ULL;
	uint64_t hi = place->map_off + place->map_size;

	if (hi < lo || hi > UINT64_MAX - 1)
		return -ENOENT;
	extend(object, lo, hi + (hi & 1));
	*bias = place->map_addr - place->map_off;
	return 0;
}

int
prf_object_map(struct prf_object *object, const struct prf_place *place,
	       uint64_t *bias)
{
	if (object->image)
		return prf_image_bias(object->image, place->map_addr,
				      place->map_size, place->map_off, bias);
	if (object->kind != PRF_OBJECT_JIT)
		return map_offsets(object, place, bias);
	*bias = 0;
	return 0;
}

/* --- Counting */

/* A look that stands for several ticks is remembered with its text. */
static int
add_look(struct prf_object *object, uint64_t vaddr, uint32_t ticks,
	 uint32_t certain)
{
	int rc = prf_tally_reserve(&object->tally);

	if (rc)
		return rc;
	size_t text = prf_hist_add(object->hist, vaddr, ticks);
	return text == PRF_HIST_OUTSIDE
		       ? -ERANGE
		       : prf_tally_add(&object->tally, text, ticks, certain);
}

static int
add_to_hist(struct prf_object *object, uint64_t vaddr, uint32_t ticks,
	    uint32_t certain)
{
	if (ticks - certain > 1)
		return add_look(object, vaddr, ticks, certain);
	return prf_hist_count(object->hist, vaddr, ticks) ? 0 : -ERANGE;
}

int
prf_object_add(struct prf_object *object, uint64_t vaddr, uint32_t ticks,
	       uint32_t certain)
{
	int rc = object->hist
			 ? add_to_hist(object, vaddr, ticks, certain)
			 : prf_tally_add(&object->tally, vaddr, ticks, certain);

	if (!rc)
		prf_count_add(&object->total, ticks, certain);
	return rc;
}

static void
merge_bins(struct prf_object *object, const struct prf_object *other,
	   size_t text)
{
	uint64_t lo = other->file->pieces[text].lo;
	size_t n_bins;
	const uint32_t *bins = prf_hist_bins(other->hist, text, &n_bins);

	for (size_t b = 0; b < n_bins; b++)
		if (bins[b])
			prf_hist_add(object->hist, lo + b * PRF_HIST_BIN_BYTES,
				     bins[b]);
}

static void
merge_hist(struct prf_object *object, const struct prf_object *other)
{
	for (size_t text = prf_hist_next(other->hist, 0);
	     text != PRF_HIST_OUTSIDE;
	     text = prf_hist_next(other->hist, text + 1))
		merge_bins(object, other, text);
}

int
prf_object_merge(struct prf_object *object, const struct prf_object *other)
{
	int rc = prf_tally_merge(&object->tally, &other->tally);

	if (rc)
		return rc;
	if (object->hist)
		merge_hist(object, other);
	if (!object->hist && other->lo < other->hi)
		extend(object, other->lo, other->hi);
	prf_count_merge(&object->total, &other->total);
	return 0;
}
