#include "view/made.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES = 0x1000, N_PATHS = 8, MADE_PID = 4711 };

static char directory[] = "/tmp/test_view.XXXXXX";

void
made_begin(void)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
}

void
made_end(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	ck_assert_int_eq(system(command), 0);
}

const char *
made_path(const char *name)
{
	static char paths[N_PATHS][512];
	static size_t next;
	char *path = paths[next++ % N_PATHS];

	snprintf(path, sizeof *paths, "%s/%s", directory, name);
	return path;
}

void
made_elf_kind(const char *name, const struct elf_kind *kind,
	      const struct elf_symbol *symbols, size_t n)
{
	size_t size;
	char *bytes = elf_build_simple(kind, TEXT_BYTES, symbols, n, &size);

	elf_write(made_path(name), bytes, size);
	free(bytes);
}

void
made_elf(const char *name, const struct elf_symbol *symbols, size_t n)
{
	made_elf_kind(name, &elf_kinds[0], symbols, n);
}

struct prf_mapping
made_mapping(const char *name, uint64_t addr)
{
	struct stat file;
	const char *path = made_path(name);

	ck_assert_int_eq(stat(path, &file), 0);
	return (struct prf_mapping){
		.pid = getpid(),
		.kind = PRF_MAPPING_FILE,
		.addr = addr,
		.size = TEXT_BYTES,
		.file_off = MADE_TEXT,
		.dev = file.st_dev,
		.inode = file.st_ino,
		.path = path,
	};
}

struct prf_profile *
made_profile(const struct prf_profile_config *config)
{
	static const struct prf_profile_config plain;
	struct prf_profile *profile = prf_profile_new(config ? config : &plain);

	ck_assert_ptr_nonnull(profile);
	return profile;
}

void
made_exec(struct prf_profile *profile, const char *name)
{
	struct prf_mapping map = made_mapping(name, 0);
	const struct prf_exec exec = {
		.pid = MADE_PID,
		.command = "",
		.path = map.path,
		.dev = map.dev,
		.inode = map.inode,
		.addr_bytes = 8,
	};

	ck_assert_int_eq(profile->base.ops->exec(&profile->base, &exec), 0);
}

void
made_map(struct prf_profile *profile, const char *name, uint64_t addr)
{
	struct prf_mapping map = made_mapping(name, addr);

	ck_assert_int_eq(profile->base.ops->mapping(&profile->base, &map), 0);
}

void
made_map_kind(struct prf_profile *profile, enum prf_mapping_kind kind,
	      uint64_t addr, uint64_t size)
{
	const struct prf_mapping map = {
		.pid = MADE_PID,
		.kind = kind,
		.addr = addr,
		.size = size,
		.path = "",
	};

	ck_assert_int_eq(profile->base.ops->mapping(&profile->base, &map), 0);
}

void
made_call(struct prf_profile *profile, uint64_t addr, int32_t number,
	  uint32_t ticks)
{
	const struct prf_frame frame = {addr, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = number,
		.n_frames = 1,
		.frames = &frame,
	};

	ck_assert_int_eq(profile->base.ops->sample(&profile->base, &sample), 0);
}

void
made_ticks(struct prf_profile *profile, uint64_t addr, uint32_t ticks)
{
	made_call(profile, addr, PRF_NO_SYSCALL, ticks);
}

void
made_finish(struct prf_profile *profile)
{
	struct prf_error err = {0};

	ck_assert_msg(!profile->base.ops->finish(&profile->base, &err), "%s",
		      err.text);
}

void
made_free(struct prf_profile *profile)
{
	profile->base.ops->free(&profile->base);
}

uint64_t
made_ticks_of(const struct prf_profile *profile, const char *object,
	      const char *function)
{
	uint64_t ticks = 0;

	for (size_t o = 0; o < profile->n_objects; o++) {
		const struct prf_object *at = profile->objects[o];

		if (strcmp(at->name, object) != 0)
			continue;
		for (size_t f = 0; f < at->n_functions; f++)
			if (strcmp(at->functions[f].name, function) == 0)
				ticks += at->functions[f].count.ticks;
	}
	return ticks;
}

const struct prf_object *
made_object(const struct prf_profile *profile, const char *name)
{
	for (size_t o = 0; o < profile->n_objects; o++)
		if (strcmp(profile->objects[o]->name, name) == 0)
			return profile->objects[o];
	ck_abort_msg("there is no object %s", name);
}

/* The ticks of all points in the pieces of FUNCTION; pieces ascend within the
 * object, and each point is in one. */
static uint64_t
sum_points(const struct prf_object *object, size_t function)
{
	uint64_t ticks = 0, end = object->lo;
	size_t point = 0;

	for (size_t i = 0; i < object->n_pieces; i++) {
		const struct prf_piece *piece = &object->pieces[i];

		ck_assert_uint_ge(piece->lo, end);
		ck_assert_uint_lt(piece->lo, piece->hi);
		ck_assert_uint_eq((piece->lo | piece->hi) & 1, 0);
		end = piece->hi;
		for (; point < object->n_points &&
		       object->points[point].vaddr < piece->hi;
		     point++) {
			ck_assert_uint_ge(object->points[point].vaddr,
					  piece->lo);
			if (piece->function == function)
				ticks += object->points[point].ticks;
		}
	}
	ck_assert_uint_le(end, object->hi);
	ck_assert_uint_eq(point, object->n_points);
	return ticks;
}

void
made_check_object(const struct prf_object *object)
{
	uint64_t ticks = 0;
	double squares = 0;

	for (size_t i = 1; i < object->n_points; i++)
		ck_assert_uint_lt(object->points[i - 1].vaddr,
				  object->points[i].vaddr);
	for (size_t f = 0; f < object->n_functions; f++) {
		const struct prf_function *function = &object->functions[f];

		ck_assert_ptr_eq(function->object, object);
		ck_assert_uint_eq(sum_points(object, f), function->count.ticks);
		ticks += function->count.ticks;
		squares += function->count.squares;
	}
	ck_assert_uint_eq(ticks, object->total.ticks);
	ck_assert_double_eq_tol(squares, object->total.squares, 1e-6);
}

void
made_check_sums(const struct prf_profile *profile, uint64_t ticks)
{
	uint64_t sum = 0;

	for (size_t o = 0; o < profile->n_objects; o++) {
		made_check_object(profile->objects[o]);
		sum += profile->objects[o]->total.ticks;
	}
	ck_assert_uint_eq(sum, ticks);
	ck_assert_uint_eq(profile->total.ticks, ticks);
}
