#include "view/made.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/points.h"

enum { TEXT_BYTES = 0x1000, N_PATHS = 8, MADE_PID = 4711 };

static char directory[] = "/tmp/test_view.XXXXXX";

/* The process whose events are made. */
static struct prf_files *files;
static struct prf_mapped mapped;
static struct prf_program *program;
static struct prf_warnings warnings;

struct prf_files *
made_files(void)
{
	if (!files)
		files = prf_files_new(NULL);
	ck_assert_ptr_nonnull(files);
	return files;
}

const struct prf_warnings *
made_warnings(void)
{
	return &warnings;
}

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

	prf_mapped_clear(&mapped);
	prf_program_drop(program);
	prf_warnings_clear(&warnings);
	prf_files_free(files);
	program = NULL;
	files = NULL;
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

struct prf_place
made_place(const struct prf_mapping *map)
{
	bool has_file =
		map->kind == PRF_MAPPING_FILE || map->kind == PRF_MAPPING_VDSO;

	return (struct prf_place){
		.addr = map->addr,
		.last = map->addr + map->size - 1,
		.kind = map->kind,
		.file = has_file ? prf_files_take(made_files(), map,
						  sizeof(void *))
				 : NULL,
		.map_addr = map->addr,
		.map_size = map->size,
		.map_off = map->file_off,
	};
}

struct prf_object *
made_mapped_object(const char *name)
{
	struct prf_mapping map = made_mapping(name, 0x7f0000001000);
	struct prf_place place = made_place(&map);
	struct prf_error warning;
	uint64_t bias;

	prf_files_read(place.file, &map, &warning);
	struct prf_object *object = prf_object_new(PRF_OBJECT_FILE, place.file);
	ck_assert_ptr_nonnull(object);
	ck_assert_int_eq(prf_object_map(object, &place, &bias), 0);
	prf_files_drop(place.file);
	return object;
}

struct prf_profile *
made_profile(const struct prf_profile_config *config)
{
	struct prf_profile_config full = {0};

	if (config)
		full = *config;
	full.warnings = &warnings;
	prf_mapped_clear(&mapped);
	prf_program_drop(program);
	program = prf_program_new(NULL);
	ck_assert_ptr_nonnull(program);
	struct prf_profile *profile = prf_profile_new(&full, MADE_PID, program);
	ck_assert_ptr_nonnull(profile);
	return profile;
}

/* The program is the profile's, too. */
void
made_exec_as(struct prf_profile *profile, const struct prf_exec *exec)
{
	free(program->path);
	program->path = strdup(exec->path);
	program->inode = exec->inode;
	program->pid = exec->pid;
	program->addr_bytes = profile->addr_bytes = exec->addr_bytes;
	prf_mapped_clear(&mapped);
}

void
made_exec(struct prf_profile *profile, const char *name)
{
	struct prf_mapping map = made_mapping(name, 0);
	const struct prf_exec exec = {
		.pid = MADE_PID,
		.path = map.path,
		.inode = map.inode,
		.addr_bytes = 8,
	};

	made_exec_as(profile, &exec);
}

void
made_map_as(struct prf_profile *profile, const struct prf_mapping *map)
{
	ck_assert_int_eq(
		prf_mapped_set(&mapped, made_files(), map, profile->addr_bytes),
		0);
}

void
made_map(struct prf_profile *profile, const char *name, uint64_t addr)
{
	struct prf_mapping map = made_mapping(name, addr);

	made_map_as(profile, &map);
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

	made_map_as(profile, &map);
}

void
made_sample(struct prf_profile *profile, const struct prf_sample *sample)
{
	ck_assert_int_eq(prf_profile_add(profile, &mapped, sample), 0);
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

	made_sample(profile, &sample);
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

	ck_assert_msg(!prf_profile_settle(profile, &mapped, &err), "%s",
		      err.text);
}

void
made_free(struct prf_profile *profile)
{
	prf_profile_free(profile);
}

struct prf_totals
made_totals(const struct prf_profile *profile)
{
	struct prf_totals totals = {0};

	ck_assert_int_eq(prf_totals_absorb(&totals, profile), 0);
	return totals;
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
	struct prf_points points = {.object = object};
	struct prf_point point;
	bool is_there = prf_points_next(&points, &point);

	for (size_t i = 0; i < object->n_pieces; i++) {
		const struct prf_piece *piece = &object->pieces[i];

		ck_assert_uint_ge(piece->lo, end);
		ck_assert_uint_lt(piece->lo, piece->hi);
		ck_assert_uint_eq((piece->lo | piece->hi) & 1, 0);
		end = piece->hi;
		for (; is_there && point.vaddr < piece->hi;
		     is_there = prf_points_next(&points, &point)) {
			ck_assert_uint_ge(point.vaddr, piece->lo);
			if (piece->function == function)
				ticks += point.ticks;
		}
	}
	ck_assert_uint_le(end, object->hi);
	ck_assert(!is_there);
	return ticks;
}

void
made_check_object(const struct prf_object *object)
{
	uint64_t ticks = 0, behind = 0;
	double squares = 0;
	struct prf_points points = {.object = object};
	struct prf_point point;

	for (; prf_points_next(&points, &point); behind = point.vaddr + 1)
		ck_assert_uint_ge(point.vaddr, behind);
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
