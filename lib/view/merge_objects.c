#include "view/merge_objects.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made-up places, such as those of system calls; see gmon.syms(5). */
enum { MADE_UP_BYTES = 16 };

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

static bool
is_by_name(const char *path)
{
	static const char *const names[] = {"[jit]", "[kernel]", "[unknown]"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

static bool
is_program(const struct prf_syms *syms, size_t object)
{
	return object == 0 && syms->objects[object].shift == 0;
}

static struct prf_merged_object *
program_of(const struct prf_merge *merge)
{
	for (size_t i = 0; i < merge->n_objects; i++)
		if (merge->objects[i]->is_program)
			return merge->objects[i];
	return NULL;
}

/* A build-id tells programs apart wherever they lie; without one it is the
 * path and the size of the text. */
static bool
is_same_program(const struct prf_merged_object *program,
		const struct prf_syms_object *object)
{
	if (strcmp(program->build_id, object->build_id) != 0)
		return false;
	return strcmp(program->build_id, "-") != 0 ||
	       (strcmp(program->path, object->path) == 0 &&
		(program->by_name ||
		 (program->lo == object->lo && program->hi == object->hi)));
}

/* One that is being added has no name yet. */
static const char *
name_of_file(const struct prf_merge *merge, size_t file)
{
	return file < merge->n_files ? merge->files[file].name
				     : "the file before";
}

/* "build-id ab..."; where there is none, what stands for it. */
static void
describe(const char *build_id, uint64_t lo, uint64_t hi, char *text,
	 size_t n_bytes)
{
	if (strcmp(build_id, "-") == 0)
		snprintf(text, n_bytes,
			 "no build-id, text 0x%" PRIx64 " to 0x%" PRIx64, lo,
			 hi);
	else
		snprintf(text, n_bytes, "build-id %s", build_id);
}

static int
refuse_program(const struct prf_merge *merge,
	       const struct prf_merged_object *program,
	       const struct prf_syms_object *object, struct prf_error *err)
{
	char now[160], before[sizeof now];

	describe(object->build_id, object->lo, object->hi, now, sizeof now);
	describe(program->build_id, program->lo, program->hi, before,
		 sizeof before);
	return prf_error_set(err, -EINVAL,
			     "of another program than %s: %s (%s), not %s (%s)",
			     name_of_file(merge, program->first_file),
			     object->path, now, program->path, before);
}

/* Of two paths of one program the first stays, so that the order of files does
 * not matter. */
static int
take_path(struct prf_merged_object *merged, const char *path,
	  struct prf_error *err)
{
	if (strcmp(merged->path, path) <= 0)
		return 0;
	char *copy = strdup(path);
	if (!copy)
		return no_memory(err);
	free(merged->path);
	merged->path = copy;
	return 0;
}

static struct prf_merged_object *
new_object(struct prf_merge *merge, const struct prf_syms_object *object,
	   bool is_the_program)
{
	struct prf_merged_object *merged = calloc(1, sizeof *merged);
	struct prf_merged_object **grown = reallocarray(
		merge->objects, merge->n_objects + 1, sizeof(*grown));

	if (grown)
		merge->objects = grown;
	if (!merged || !grown) {
		free(merged);
		return NULL;
	}
	merge->objects[merge->n_objects++] = merged;
	merged->path = strdup(object->path);
	merged->build_id = strdup(object->build_id);
	merged->is_program = is_the_program;
	merged->first_file = merge->n_files;
	merged->by_name = is_by_name(object->path);
	merged->lo = object->lo - object->shift;
	merged->hi = object->hi - object->shift;
	return merged->path && merged->build_id ? merged : NULL;
}

static struct prf_merged_object *
find_object(const struct prf_merge *merge, const struct prf_syms_object *object)
{
	for (size_t i = 0; i < merge->n_objects; i++) {
		struct prf_merged_object *merged = merge->objects[i];

		if (!merged->is_program &&
		    strcmp(merged->path, object->path) == 0 &&
		    strcmp(merged->build_id, object->build_id) == 0)
			return merged;
	}
	return NULL;
}

bool
prf_merge_objects_has_fixed_place(const char *object_path, const char *name)
{
	static const char nameless[] = "[kernel]:syscall_";

	return strcmp(object_path, "[kernel]") == 0 &&
	       strncmp(name, nameless, sizeof nameless - 1) != 0;
}

/* Where the made-up places without a fixed name begin in OBJECT. */
static uint64_t
first_free_of(const struct prf_merge_list *list, size_t object)
{
	const struct prf_syms_object *at = &list->syms->objects[object];
	uint64_t n_free = 0, n_places = (at->hi - at->shift) / MADE_UP_BYTES;

	for (size_t i = 0; i < list->syms->n_symbols; i++) {
		const struct prf_syms_symbol *symbol = &list->syms->symbols[i];

		n_free += symbol->object == object &&
			  !prf_merge_objects_has_fixed_place(at->path,
							     symbol->name);
	}
	return n_places > n_free ? (n_places - n_free) * MADE_UP_BYTES : 0;
}

static int
take_object(struct prf_merge *merge, struct prf_merge_list *list, size_t i,
	    struct prf_error *err)
{
	const struct prf_syms_object *object = &list->syms->objects[i];
	bool of_program = is_program(list->syms, i);
	struct prf_merged_object *merged =
		of_program ? program_of(merge) : find_object(merge, object);
	uint64_t lo = object->lo - object->shift;
	uint64_t hi = object->hi - object->shift;

	if (merged && of_program && !is_same_program(merged, object))
		return refuse_program(merge, merged, object, err);
	if (!merged)
		merged = new_object(merge, object, of_program);
	if (!merged)
		return no_memory(err);
	merged->lo = lo < merged->lo ? lo : merged->lo;
	merged->hi = hi > merged->hi ? hi : merged->hi;
	if (merged->by_name) {
		uint64_t free_from = first_free_of(list, i);

		if (free_from > merged->first_free)
			merged->first_free = free_from;
	}
	list->objects[i] = merged;
	return take_path(merged, object->path, err);
}

int
prf_merge_objects_take(struct prf_merge *merge, struct prf_merge_list *list,
		       struct prf_error *err)
{
	bool first = merge->n_objects == 0;
	const struct prf_merged_object *program = program_of(merge);
	int rc = 0;

	for (size_t i = 0; !rc && i < list->syms->n_objects; i++)
		rc = take_object(merge, list, i, err);
	if (rc || first || !list->syms->n_objects)
		return rc;
	if ((program != NULL) != is_program(list->syms, 0))
		return prf_error_set(err, -EINVAL,
				     "its list of symbols has %s program, "
				     "unlike those before",
				     program ? "no" : "a");
	return 0;
}
