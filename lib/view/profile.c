#include "view/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/hist_waiting.h"
#include "core/scope.h"
#include "view/perfmapfile.h"

/* What lies at a place: its object, once a tick has fallen there, and how far
 * that was moved. */
struct resident {
	struct prf_object *object; /* NULL: not known yet */
	uint64_t bias;
};

struct builder {
	struct prf_profile profile;
	struct prf_profile_config config;
	struct prf_program *program;
	/* One for each place, as long as none has changed. */
	struct resident *residents;
	uint64_t n_changes;
	struct prf_hist_waiting waiting; /* of all objects */
};

struct prf_profile *
prf_profile_new(const struct prf_profile_config *config, pid_t pid,
		struct prf_program *program)
{
	struct builder *builder = calloc(1, sizeof *builder);

	if (!builder)
		return NULL;
	builder->config = *config;
	builder->program = prf_program_hold(program);
	builder->profile.pid = pid;
	builder->profile.addr_bytes = program->addr_bytes;
	return &builder->profile;
}

void
prf_profile_free(struct prf_profile *profile)
{
	struct builder *builder = (struct builder *)profile;

	if (!profile)
		return;
	for (size_t i = 0; i < profile->n_objects; i++)
		prf_object_free(profile->objects[i]);
	free(profile->objects);
	free(builder->residents);
	prf_program_drop(builder->program);
	free(builder);
}

/* --- Objects as they come up */

static void
warn(const struct builder *builder, const struct prf_error *warning)
{
	if (warning->code && builder->config.warnings)
		prf_warnings_add(builder->config.warnings, warning->text);
}

/* NULL: out of memory. */
static struct prf_object *
add_object(struct prf_profile *profile, enum prf_object_kind kind,
	   struct prf_file *file)
{
	struct prf_object **grown = reallocarray(
		profile->objects, profile->n_objects + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	profile->objects = grown;

	struct prf_object *object = prf_object_new(kind, file);
	if (!object)
		return NULL;
	if (object->hist)
		prf_hist_wait_in(object->hist,
				 &((struct builder *)profile)->waiting);
	profile->objects[profile->n_objects++] = object;
	return object;
}

static struct prf_object *
find_object(const struct prf_profile *profile, enum prf_object_kind kind,
	    const struct prf_file *file)
{
	for (size_t i = 0; i < profile->n_objects; i++) {
		struct prf_object *object = profile->objects[i];

		if (object->kind == kind && object->file == file)
			return object;
	}
	return NULL;
}

/* One that no file is behind, or one of a file that has been read. */
static struct prf_object *
object_of(struct prf_profile *profile, enum prf_object_kind kind,
	  struct prf_file *file)
{
	struct prf_object *object = find_object(profile, kind, file);

	return object ? object : add_object(profile, kind, file);
}

/* Without names an object is as large as all that is mapped of it. */
static void
map_all(struct prf_object *object, const struct prf_space *space)
{
	uint64_t bias;

	for (size_t i = 0; i < space->n; i++) {
		const struct prf_place *place = &space->places[i];
		/* What does not fit is in no object. */
		int rc = place->file == object->file
				 ? prf_object_map(object, place, &bias)
				 : 0;
		(void)rc;
	}
}

static const enum prf_object_kind kind_of_mapping[] = {
	[PRF_MAPPING_FILE] = PRF_OBJECT_FILE,
	[PRF_MAPPING_ANON] = PRF_OBJECT_JIT,
	[PRF_MAPPING_VDSO] = PRF_OBJECT_VDSO,
};

/* The object at PLACE; the names are read at the first tick. */
static struct prf_object *
object_at(struct prf_profile *profile, const struct prf_space *space,
	  const struct prf_place *place)
{
	const struct builder *builder = (struct builder *)profile;
	enum prf_object_kind kind = kind_of_mapping[place->kind];
	struct prf_object *object = find_object(profile, kind, place->file);
	struct prf_error warning = {0};

	if (object)
		return object;
	if (place->file) {
		const struct prf_mapping map =
			prf_mapped_mapping(place, profile->pid);

		prf_files_read(place->file, &map, &warning);
		warn(builder, &warning);
	}
	object = add_object(profile, kind, place->file);
	if (object && place->file && !object->image)
		map_all(object, space);
	return object;
}

/* --- Counting */

static int
add_apart(struct prf_profile *profile, enum prf_object_kind kind, uint64_t key,
	  const struct prf_sample *sample)
{
	struct prf_object *object = object_of(profile, kind, NULL);

	return object ? prf_object_add(object, key, sample->ticks,
				       sample->certain)
		      : -ENOMEM;
}

/* The room for what lies in SPACE; all is forgotten that lay in another.  NULL:
 * out of memory. */
static struct resident *
residents_of(struct builder *builder, const struct prf_space *space)
{
	if (builder->residents && builder->n_changes == space->n_changes)
		return builder->residents;
	free(builder->residents);
	builder->residents = calloc(space->n, sizeof *builder->residents);
	builder->n_changes = space->n_changes;
	return builder->residents;
}

/* -ERANGE: nothing is known of code at PLACE; -ENOMEM. */
static int
find_resident(struct prf_profile *profile, const struct prf_space *space,
	      const struct prf_place *place, struct resident *resident)
{
	struct prf_object *object = object_at(profile, space, place);

	if (!object)
		return -ENOMEM;
	if (prf_object_map(object, place, &resident->bias))
		return -ERANGE;
	resident->object = object;
	return 0;
}

/* -ERANGE: there is no text at ADDR. */
static int
add_at(struct prf_profile *profile, const struct prf_space *space,
       uint64_t addr, const struct prf_sample *sample)
{
	const struct prf_place *place = prf_space_at(space, addr);

	if (!place)
		return -ERANGE;
	struct resident *resident =
		residents_of((struct builder *)profile, space);
	if (!resident)
		return -ENOMEM;
	resident += place - space->places;
	int rc = resident->object
			 ? 0
			 : find_resident(profile, space, place, resident);
	return rc ? rc
		  : prf_object_add(resident->object, addr - resident->bias,
				   sample->ticks, sample->certain);
}

int
prf_profile_add(struct prf_profile *profile, const struct prf_mapped *mapped,
		const struct prf_sample *sample)
{
	const struct builder *builder = (struct builder *)profile;
	uint64_t addr = prf_frame_lookup_addr(sample->frames[0]);
	int rc;

	if (sample->syscall != PRF_NO_SYSCALL && builder->config.kernel_apart)
		rc = add_apart(profile, PRF_OBJECT_KERNEL,
			       (uint32_t)sample->syscall, sample);
	else
		rc = add_at(profile, &mapped->space, addr, sample);
	if (rc == -ERANGE)
		rc = add_apart(profile, PRF_OBJECT_UNKNOWN, addr, sample);
	if (!rc)
		prf_count_add(&profile->total, sample->ticks, sample->certain);
	return rc;
}

int
prf_profile_merge(struct prf_profile *profile, const struct prf_profile *other)
{
	for (size_t i = 0; i < other->n_objects; i++) {
		const struct prf_object *from = other->objects[i];
		struct prf_object *to =
			object_of(profile, from->kind, from->file);
		int rc = to ? prf_object_merge(to, from) : -ENOMEM;

		if (rc)
			return rc;
	}
	prf_count_merge(&profile->total, &other->total);
	return 0;
}

/* --- The end */

/* A process that was forked by a JIT's goes on with the names that its
 * program's first process has left. */
static int
read_perfmap(const struct builder *builder, char **text, size_t *bytes,
	     struct prf_error *err)
{
	const char *dir = builder->config.perfmap_dir;
	const struct prf_program *program = builder->program;
	int rc = prf_perfmapfile_read(dir ? dir : "/tmp", builder->profile.pid,
				      program->begun, text, bytes, err);

	if (rc != -ENOENT || program->pid == builder->profile.pid)
		return rc;
	return prf_perfmapfile_read(dir ? dir : "/tmp", program->pid,
				    program->begun, text, bytes, err);
}

static int
settle_one(const struct builder *builder, struct prf_object *object,
	   struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *perfmap = NULL;
	struct prf_error warning = {0};
	size_t bytes = 0;

	if (object->kind == PRF_OBJECT_JIT && object->total.ticks) {
		int rc = read_perfmap(builder, &perfmap, &bytes, &warning);

		if (rc && rc != -ENOENT)
			warn(builder, &warning);
	}
	return prf_object_settle(object, perfmap, bytes, err);
}

/* The program's object is there, whether or not it has ticks. */
static int
find_program(struct prf_profile *profile, const struct prf_space *space)
{
	const struct builder *builder = (struct builder *)profile;

	for (size_t i = 0; !profile->program && i < space->n; i++) {
		const struct prf_place *place = &space->places[i];

		if (!place->file ||
		    !prf_program_is(builder->program, place->file))
			continue;
		profile->program = object_at(profile, space, place);
		if (!profile->program)
			return -ENOMEM;
	}
	return 0;
}

static int
compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int
by_kind_and_path(const void *a, const void *b)
{
	const struct prf_object *left = *(struct prf_object *const *)a;
	const struct prf_object *right = *(struct prf_object *const *)b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	int rc = strcmp(left->path, right->path);
	if (rc || !left->file || !right->file)
		return rc;
	rc = compare_numbers(left->file->inode, right->file->inode);
	return rc ? rc : compare_numbers(left->file->dev, right->file->dev);
}

int
prf_profile_settle(struct prf_profile *profile, const struct prf_mapped *mapped,
		   struct prf_error *err)
{
	const struct builder *builder = (struct builder *)profile;
	int rc = find_program(profile, &mapped->space);

	if (rc)
		return prf_error_set(err, rc, "out of memory");
	for (size_t i = 0; i < profile->n_objects; i++) {
		struct prf_object *object = profile->objects[i];

		rc = settle_one(builder, object, err);
		if (rc)
			return rc;
		if (object->kind == PRF_OBJECT_UNKNOWN)
			profile->outside += object->total.ticks;
		if (object->hist)
			profile->saturated +=
				prf_hist_stats(object->hist).saturated;
	}
	/* qsort() wants an array, even to sort nothing. */
	if (profile->n_objects > 0)
		qsort(profile->objects, profile->n_objects,
		      sizeof *profile->objects, by_kind_and_path);
	return 0;
}
