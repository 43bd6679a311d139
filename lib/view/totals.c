#include "view/totals.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct object {
	enum prf_object_kind kind;
	char *path;
	char *name; /* in PATH, or its own where that is "" */
};

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* --- Objects */

static int
by_path(const void *a, const void *b)
{
	const struct object *left = a, *right = b;
	int rc = compare_numbers(left->kind, right->kind);

	return rc ? rc : strcmp(left->path, right->path);
}

static void
free_object(void *at)
{
	struct object *object = at;

	free(object->path);
	free(object->name);
	free(object);
}

static struct object *
new_object(const struct prf_object *from)
{
	struct object *object = calloc(1, sizeof *object);

	if (!object)
		return NULL;
	object->kind = from->kind;
	object->path = strdup(from->path);
	object->name = strdup(from->name);
	if (object->path && object->name)
		return object;
	free_object(object);
	return NULL;
}

/* FROM, as it is kept; NULL: out of memory. */
static const struct object *
keep_object(struct prf_totals *totals, const struct prf_object *from)
{
	struct object like = {.kind = from->kind, .path = (char *)from->path};
	struct object *const *found = tfind(&like, &totals->objects, by_path);

	if (found)
		return *found;
	struct object *object = new_object(from);
	if (object && !tsearch(object, &totals->objects, by_path)) {
		free_object(object);
		return NULL;
	}
	return object;
}

/* --- Functions */

/* System calls and JIT code are known by their names; where they were put in a
 * profile depends on what else was in it. */
static bool
has_address(enum prf_object_kind kind)
{
	return kind == PRF_OBJECT_FILE || kind == PRF_OBJECT_VDSO;
}

/* Objects are kept once, and so are their paths. */
static bool
is_same(const struct prf_total *left, const struct prf_total *right)
{
	return left->path == right->path && left->lo == right->lo &&
	       strcmp(left->name, right->name) == 0;
}

static uint64_t
hash_of(const struct prf_total *total)
{
	const uint64_t odd = 0x9e3779b97f4a7c15ULL;
	uint64_t hash = ((uintptr_t)total->path * odd ^ total->lo) * odd;

	if (!has_address(total->kind))
		for (const char *c = total->name; *c; c++)
			hash = (hash ^ (unsigned char)*c) * odd;
	return hash >> 32;
}

/* LIKE's slot, or the free one where it belongs. */
static struct prf_total **
slot_of(const struct prf_totals *totals, const struct prf_total *like)
{
	size_t mask = totals->n_slots - 1, i = (size_t)hash_of(like) & mask;

	while (totals->slots[i] && !is_same(totals->slots[i], like))
		i = (i + 1) & mask;
	return &totals->slots[i];
}

static struct prf_total *
new_total(const struct prf_total *like)
{
	struct prf_total *total = malloc(sizeof *total);

	if (!total)
		return NULL;
	*total = *like;
	total->name = strdup(like->name);
	if (total->name)
		return total;
	free(total);
	return NULL;
}

/* A search is short, and ends: half of the slots are free. */
static int
reserve(struct prf_totals *totals)
{
	size_t room = totals->room ? totals->room * 2 : 64;

	if (totals->n_functions < totals->room)
		return 0;
	struct prf_total **grown =
		reallocarray(totals->functions, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	totals->functions = grown;
	struct prf_total **slots = calloc(room, 2 * sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(totals->slots);
	totals->slots = slots;
	totals->n_slots = 2 * room;
	totals->room = room;
	for (size_t i = 0; i < totals->n_functions; i++)
		*slot_of(totals, grown[i]) = grown[i];
	return 0;
}

static struct prf_total *
keep_total(struct prf_totals *totals, const struct prf_total *like)
{
	if (reserve(totals))
		return NULL;
	struct prf_total **slot = slot_of(totals, like);
	if (*slot)
		return *slot;
	*slot = new_total(like);
	if (*slot)
		totals->functions[totals->n_functions++] = *slot;
	return *slot;
}

static int
absorb_function(struct prf_totals *totals, const struct object *object,
		const struct prf_function *function)
{
	const struct prf_total like = {
		.name = function->name,
		.object = object->name,
		.path = object->path,
		.kind = object->kind,
		.lo = has_address(object->kind) ? function->lo : 0,
	};
	struct prf_total *total = keep_total(totals, &like);

	if (!total)
		return -ENOMEM;
	prf_count_merge(&total->count, &function->count);
	return 0;
}

static int
absorb_object(struct prf_totals *totals, const struct prf_object *from)
{
	const struct object *object = keep_object(totals, from);
	int rc = object ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < from->n_functions; i++)
		if (from->functions[i].count.ticks)
			rc = absorb_function(totals, object,
					     &from->functions[i]);
	return rc;
}

int
prf_totals_absorb(struct prf_totals *totals, const struct prf_profile *profile)
{
	int rc = 0;

	prf_count_merge(&totals->count, &profile->total);
	totals->outside += profile->outside;
	totals->saturated += profile->saturated;
	for (size_t i = 0; !rc && i < profile->n_objects; i++)
		if (profile->objects[i]->total.ticks)
			rc = absorb_object(totals, profile->objects[i]);
	return rc;
}

void
prf_totals_clear(struct prf_totals *totals)
{
	for (size_t i = 0; i < totals->n_functions; i++) {
		free((char *)totals->functions[i]->name);
		free(totals->functions[i]);
	}
	free(totals->functions);
	free(totals->slots);
	tdestroy(totals->objects, free_object);
	*totals = (struct prf_totals){0};
}

/* --- The table */

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_total *left = *(const struct prf_total *const *)a;
	const struct prf_total *right = *(const struct prf_total *const *)b;
	int rc = -compare_numbers(left->count.ticks, right->count.ticks);

	if (!rc)
		rc = compare_numbers(left->kind, right->kind);
	if (!rc)
		rc = strcmp(left->path, right->path);
	if (!rc)
		rc = compare_numbers(left->lo, right->lo);
	return rc ? rc : strcmp(left->name, right->name);
}

const struct prf_total **
prf_totals_sorted(const struct prf_totals *totals)
{
	size_t n = totals->n_functions;
	const struct prf_total **sorted = n ? calloc(n, sizeof(*sorted)) : NULL;

	if (!sorted)
		return NULL;
	for (size_t i = 0; i < n; i++)
		sorted[i] = totals->functions[i];
	qsort(sorted, n, sizeof(*sorted), by_ticks);
	return sorted;
}
