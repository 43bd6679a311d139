#include "view/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/scope.h"
#include "view/perfmapfile.h"
#include "view/space.h"

struct builder {
	struct prf_profile profile;
	struct prf_profile_config config;
	struct prf_space space;
	struct prf_object *kernel, *unknown;
	uint64_t program_inode;
	char *program_path;
	time_t begun; /* when the program was */
	size_t n_warnings;
};

/* --- Objects as they come up */

static void
warn(struct builder *builder, const char *text)
{
	char **grown = reallocarray(builder->profile.warnings,
				    builder->n_warnings + 2, sizeof *grown);

	if (!grown)
		return;
	builder->profile.warnings = grown;
	grown[builder->n_warnings] = strdup(text);
	builder->n_warnings += grown[builder->n_warnings] != NULL;
	grown[builder->n_warnings] = NULL;
}

static struct prf_object *
add_object(struct builder *builder, enum prf_object_kind kind,
	   const struct prf_mapping *map)
{
	struct prf_profile *profile = &builder->profile;
	struct prf_object **grown = reallocarray(
		profile->objects, profile->n_objects + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	profile->objects = grown;

	struct prf_object *object = prf_object_new(kind, map);
	if (object)
		profile->objects[profile->n_objects++] = object;
	return object;
}

static const enum prf_object_kind kind_of_mapping[] = {
	[PRF_MAPPING_FILE] = PRF_OBJECT_FILE,
	[PRF_MAPPING_ANON] = PRF_OBJECT_JIT,
	[PRF_MAPPING_VDSO] = PRF_OBJECT_VDSO,
};

static bool
is_of(const struct prf_object *object, const struct prf_mapping *map)
{
	if (object->kind != kind_of_mapping[map->kind])
		return false;
	return map->kind != PRF_MAPPING_FILE ||
	       (object->inode == map->inode && object->dev == map->dev &&
		!strcmp(object->path, map->path));
}

static struct prf_object *
object_of(struct builder *builder, const struct prf_mapping *map)
{
	const struct prf_profile *profile = &builder->profile;

	for (size_t i = 0; i < profile->n_objects; i++)
		if (is_of(profile->objects[i], map))
			return profile->objects[i];
	return add_object(builder, kind_of_mapping[map->kind], map);
}

static void
read_object(struct builder *builder, struct prf_object *object,
	    const struct prf_mapping *map)
{
	struct prf_error warning = {0};

	/* A program of the other class has another vDSO than we have. */
	if (object->kind == PRF_OBJECT_VDSO &&
	    builder->profile.addr_bytes != sizeof(void *))
		return;
	prf_object_read(object, map, &warning);
	if (warning.code)
		warn(builder, warning.text);
}

/* --- Events */

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct builder *builder = (struct builder *)sink;

	prf_space_clear(&builder->space);
	free(builder->program_path);
	builder->program_path = strdup(exec->path);
	builder->program_inode = exec->inode;
	builder->begun = time(NULL);
	builder->profile.addr_bytes = exec->addr_bytes;
	builder->profile.pid = exec->pid;
	return builder->program_path ? 0 : -ENOMEM;
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct builder *builder = (struct builder *)sink;
	struct prf_place place = {
		.addr = map->addr,
		.last = map->addr + map->size - 1,
	};

	if (!map->size)
		return 0;
	if (map->kind != PRF_MAPPING_NONE) {
		place.object = object_of(builder, map);
		if (!place.object)
			return -ENOMEM;
		read_object(builder, place.object, map);
		if (prf_object_map(place.object, map, &place.bias))
			place.object = NULL;
	}
	return prf_space_set(&builder->space, &place);
}

/* One of the two objects that no mapping brings. */
static int
add_apart(struct builder *builder, struct prf_object **object,
	  enum prf_object_kind kind, uint64_t key,
	  const struct prf_sample *sample)
{
	const struct prf_mapping nowhere = {.path = ""};

	if (!*object)
		*object = add_object(builder, kind, &nowhere);
	if (!*object)
		return -ENOMEM;
	return prf_object_add(*object, key, sample->ticks, sample->certain);
}

static int
add_at(struct builder *builder, const struct prf_sample *sample)
{
	uint64_t addr = prf_frame_lookup_addr(sample->frames[0]);
	const struct prf_place *place = prf_space_at(&builder->space, addr);

	if (place) {
		int rc = prf_object_add(place->object, addr - place->bias,
					sample->ticks, sample->certain);
		if (rc != -ERANGE)
			return rc;
	}
	return add_apart(builder, &builder->unknown, PRF_OBJECT_UNKNOWN, addr,
			 sample);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct builder *builder = (struct builder *)sink;
	int rc;

	if (sample->syscall != PRF_NO_SYSCALL && builder->config.kernel_apart)
		rc = add_apart(builder, &builder->kernel, PRF_OBJECT_KERNEL,
			       (uint32_t)sample->syscall, sample);
	else
		rc = add_at(builder, sample);
	if (!rc)
		prf_count_add(&builder->profile.total, sample->ticks,
			      sample->certain);
	return rc;
}

/* --- The end */

static int
settle_one(struct builder *builder, struct prf_object *object,
	   struct prf_error *err)
{
	const char *dir = builder->config.perfmap_dir;
	PRF_AUTO(prf_auto_free) char *perfmap = NULL;
	struct prf_error warning = {0};
	size_t bytes = 0;

	if (object->kind == PRF_OBJECT_JIT && object->total.ticks) {
		int rc = prf_perfmapfile_read(
			dir ? dir : "/tmp", builder->profile.pid,
			builder->begun, &perfmap, &bytes, &warning);
		if (rc && rc != -ENOENT)
			warn(builder, warning.text);
	}
	return prf_object_settle(object, perfmap, bytes, err);
}

static int
by_kind_and_path(const void *a, const void *b)
{
	const struct prf_object *left = *(struct prf_object *const *)a;
	const struct prf_object *right = *(struct prf_object *const *)b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	int rc = strcmp(left->path, right->path);
	if (rc)
		return rc;
	if (left->inode != right->inode)
		return left->inode < right->inode ? -1 : 1;
	return (left->dev > right->dev) - (left->dev < right->dev);
}

/* /proc/PID/exe says so where the file is gone. */
static bool
is_path_of_exe(const char *path, const char *exe)
{
	size_t n = strlen(path);

	return !strncmp(exe, path, n) &&
	       (!exe[n] || !strcmp(exe + n, " (deleted)"));
}

static bool
is_program(const struct builder *builder, const struct prf_object *object)
{
	return object->kind == PRF_OBJECT_FILE && builder->program_path &&
	       object->inode == builder->program_inode &&
	       is_path_of_exe(object->path, builder->program_path);
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct builder *builder = (struct builder *)sink;
	struct prf_profile *profile = &builder->profile;

	for (size_t i = 0; i < profile->n_objects; i++) {
		struct prf_object *object = profile->objects[i];
		int rc = settle_one(builder, object, err);

		if (rc)
			return rc;
		if (is_program(builder, object))
			profile->program = object;
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

static void
on_free(struct prf_sink *sink)
{
	struct builder *builder = (struct builder *)sink;

	for (size_t i = 0; i < builder->profile.n_objects; i++)
		prf_object_free(builder->profile.objects[i]);
	for (size_t i = 0; i < builder->n_warnings; i++)
		free(builder->profile.warnings[i]);
	free(builder->profile.warnings);
	free(builder->profile.objects);
	free(builder->program_path);
	prf_space_clear(&builder->space);
	free(builder);
}

static const struct prf_sink_ops profile_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.finish = on_finish,
	.free = on_free,
};

struct prf_profile *
prf_profile_new(const struct prf_profile_config *config)
{
	struct builder *builder = calloc(1, sizeof *builder);

	if (!builder)
		return NULL;
	builder->profile.base.ops = &profile_ops;
	builder->config = *config;
	builder->profile.addr_bytes = 8;
	return &builder->profile;
}

/* --- The table */

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_function *left =
		*(const struct prf_function *const *)a;
	const struct prf_function *right =
		*(const struct prf_function *const *)b;

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	if (left->object != right->object)
		return by_kind_and_path(&left->object, &right->object);
	return (left->lo > right->lo) - (left->lo < right->lo);
}

static size_t
count_hit(const struct prf_object *object)
{
	size_t n = 0;

	for (size_t f = 0; f < object->n_functions; f++)
		n += object->functions[f].count.ticks > 0;
	return n;
}

static size_t
take_hit(const struct prf_object *object, const struct prf_function **hit)
{
	size_t n = 0;

	for (size_t f = 0; f < object->n_functions; f++)
		if (object->functions[f].count.ticks)
			hit[n++] = &object->functions[f];
	return n;
}

const struct prf_function **
prf_profile_hottest(const struct prf_profile *profile, size_t max, size_t *n)
{
	size_t n_hit = 0, used = 0;

	for (size_t i = 0; i < profile->n_objects; i++)
		n_hit += count_hit(profile->objects[i]);
	*n = n_hit < max ? n_hit : max;
	if (!n_hit)
		return NULL;
	const struct prf_function **hit = calloc(n_hit, sizeof *hit);
	if (!hit)
		return NULL;
	for (size_t i = 0; i < profile->n_objects; i++)
		used += take_hit(profile->objects[i], hit + used);
	qsort(hit, n_hit, sizeof *hit, by_ticks);
	return hit;
}
