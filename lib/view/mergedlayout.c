/* Where the objects of a merge are put. */
#include "view/mergedfiles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon.h"
#include "core/scope.h"
#include "view/merge_objects.h"

PRF_DEFINE_AUTO(prf_merged_layout, prf_merged_layout_free);

/* As in gmon.syms(5). */
enum { ROUND_BYTES = 1 << 20, MADE_UP_BYTES = 16 };

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

void
prf_merged_layout_free(struct prf_merged_layout *layout)
{
	if (!layout)
		return;
	for (size_t i = 0; i < layout->n; i++)
		free(layout->places[i].placed);
	free(layout->places);
	free(layout);
}

/* --- The order of objects */

static int
kind_of(const struct prf_merged_object *object)
{
	static const char *const names[] = {"[vdso]", "[jit]", "[kernel]",
					    "[unknown]"};

	if (object->is_program)
		return -1;
	for (int i = 0; i < 4; i++)
		if (strcmp(object->path, names[i]) == 0)
			return i + 1;
	return 0;
}

static int
in_order(const void *a, const void *b)
{
	const struct prf_merged_object *left =
		((const struct prf_merged_place *)a)->object;
	const struct prf_merged_object *right =
		((const struct prf_merged_place *)b)->object;
	int order = kind_of(left) - kind_of(right);

	if (!order)
		order = strcmp(left->path, right->path);
	return order ? order : strcmp(left->build_id, right->build_id);
}

/* --- Functions of objects that go by name */

static bool
is_free(const struct prf_merged_function *function)
{
	return !prf_merge_objects_has_fixed_place(function->object->path,
						  function->name);
}

/* System calls that have no name have a number, which is read as they were
 * counted: without its sign. */
static int
by_number_or_name(const struct prf_merged_function *left,
		  const struct prf_merged_function *right)
{
	static const char nameless[] = "[kernel]:syscall_";
	const size_t n = sizeof nameless - 1;

	if (strncmp(left->name, nameless, n) == 0 &&
	    strncmp(right->name, nameless, n) == 0) {
		uint32_t a = (uint32_t)strtol(left->name + n, NULL, 10);
		uint32_t b = (uint32_t)strtol(right->name + n, NULL, 10);

		if (a != b)
			return a < b ? -1 : 1;
	}
	return strcmp(left->name, right->name);
}

static int
in_place(const void *a, const void *b)
{
	const struct prf_merged_function *left =
		((const struct prf_merged_placed *)a)->function;
	const struct prf_merged_function *right =
		((const struct prf_merged_placed *)b)->function;

	if (is_free(left) != is_free(right))
		return is_free(left) ? 1 : -1;
	if (is_free(left))
		return by_number_or_name(left, right);
	return (left->place > right->place) - (left->place < right->place);
}

static int
choose_placed(const struct prf_merge *merge, struct prf_merged_place *place,
	      struct prf_error *err)
{
	place->placed = calloc(merge->n_functions + 1, sizeof *place->placed);
	if (!place->placed)
		return no_memory(err);
	for (size_t i = 0; i < merge->n_functions; i++)
		if (merge->functions[i]->object == place->object)
			place->placed[place->n_placed++].function =
				merge->functions[i];
	qsort(place->placed, place->n_placed, sizeof *place->placed, in_place);
	return 0;
}

/* Own addresses first; lay() moves them. */
static int
place_by_name(const struct prf_merge *merge, struct prf_merged_place *place,
	      struct prf_error *err)
{
	uint64_t next = 0;
	bool are_free = false;
	int rc = choose_placed(merge, place, err);

	for (size_t i = 0; !rc && i < place->n_placed; i++) {
		struct prf_merged_placed *placed = &place->placed[i];

		if (is_free(placed->function)) {
			if (!are_free && place->object->first_free > next)
				next = place->object->first_free;
			are_free = true;
			placed->addr = next;
		} else {
			placed->addr = placed->function->place;
			if (placed->addr < next)
				return prf_error_set(
					err, -EBADMSG,
					"%s and another system call have one "
					"place in lists of symbols",
					placed->function->name);
		}
		if (placed->addr > UINT64_MAX - MADE_UP_BYTES)
			return prf_error_set(err, -EBADMSG,
					     "%s is beyond all addresses",
					     placed->function->name);
		next = placed->addr + MADE_UP_BYTES;
	}
	place->lo = 0;
	place->hi = next > place->object->first_free
			    ? next
			    : place->object->first_free;
	return rc;
}

/* --- Places */

static int
lay(struct prf_merged_layout *layout, struct prf_merged_place *place,
    uint64_t limit, struct prf_error *err)
{
	uint64_t first = place->lo - place->lo % PRF_GMON_BLOCK_BYTES;
	uint64_t bytes = place->hi - first;

	if (!place->object->is_program) {
		if (layout->end > limit - ROUND_BYTES ||
		    bytes > limit - ROUND_BYTES - layout->end)
			return prf_error_set(err, -EOVERFLOW,
					     "%s: no room for it above the "
					     "program",
					     place->object->path);
		uint64_t base = layout->end + ROUND_BYTES;

		place->shift = base - base % ROUND_BYTES - first;
	}
	place->lo += place->shift;
	place->hi += place->shift;
	for (size_t i = 0; i < place->n_placed; i++)
		place->placed[i].addr += place->shift;
	layout->end = place->hi;
	return 0;
}

static int
lay_all(const struct prf_merge *merge, struct prf_merged_layout *layout,
	struct prf_error *err)
{
	uint64_t limit =
		merge->reading.addr_bytes == 4 ? 1ULL << 31 : 1ULL << 62;
	int rc = 0;

	for (size_t i = 0; i < merge->n_objects; i++)
		layout->places[i].object = merge->objects[i];
	layout->n = merge->n_objects;
	qsort(layout->places, layout->n, sizeof *layout->places, in_order);
	for (size_t i = 0; !rc && i < layout->n; i++) {
		struct prf_merged_place *place = &layout->places[i];

		place->lo = place->object->lo;
		place->hi = place->object->hi;
		if (place->object->by_name)
			rc = place_by_name(merge, place, err);
		/* An object that goes by name, and no name was seen. */
		if (!rc && place->lo < place->hi)
			rc = lay(layout, place, limit, err);
	}
	return rc;
}

int
prf_merged_layout_new(const struct prf_merge *merge,
		      struct prf_merged_layout **out, struct prf_error *err)
{
	PRF_AUTO(prf_merged_layout_auto)
	struct prf_merged_layout *layout = calloc(1, sizeof *layout);

	if (!layout)
		return no_memory(err);
	layout->places = calloc(merge->n_objects + 1, sizeof *layout->places);
	if (!layout->places)
		return no_memory(err);
	int rc = merge->has_lists ? lay_all(merge, layout, err) : 0;
	if (!rc)
		*out = PRF_TAKE(layout);
	return rc;
}
