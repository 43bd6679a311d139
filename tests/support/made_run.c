#include "support/made_run.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct prf_collector *
made_run(const struct prf_collector_config *config)
{
	struct prf_collector_config full = {0};
	const struct prf_life begun = {
		.kind = PRF_LIFE_FORK,
		.pid = MADE_PID,
		.tid = MADE_PID,
		.name = "",
	};

	if (config)
		full = *config;
	if (!full.rate_hz)
		full.rate_hz = 100;
	struct prf_collector *run = prf_collector_new(&full);
	ck_assert_ptr_nonnull(run);
	ck_assert_int_eq(prf_sink_life(&run->base, &begun), 0);
	return run;
}

void
made_run_free(struct prf_collector *run)
{
	run->base.ops->free(&run->base);
}

void
made_exec_as(struct prf_collector *run, const struct prf_exec *exec)
{
	ck_assert_int_eq(run->base.ops->exec(&run->base, exec), 0);
}

void
made_exec(struct prf_collector *run, const char *name)
{
	struct prf_mapping map = made_mapping(name, 0);
	const struct prf_exec exec = {
		.pid = MADE_PID,
		.path = map.path,
		.command = "",
		.inode = map.inode,
		.addr_bytes = 8,
	};

	made_exec_as(run, &exec);
}

void
made_map_as(struct prf_collector *run, const struct prf_mapping *map)
{
	struct prf_mapping own = *map;

	own.pid = MADE_PID;
	ck_assert_int_eq(run->base.ops->mapping(&run->base, &own), 0);
}

void
made_map(struct prf_collector *run, const char *name, uint64_t addr)
{
	const struct prf_mapping map = made_mapping(name, addr);

	made_map_as(run, &map);
}

void
made_map_kind(struct prf_collector *run, enum prf_mapping_kind kind,
	      uint64_t addr, uint64_t size)
{
	const struct prf_mapping map = {
		.kind = kind,
		.addr = addr,
		.size = size,
		.path = "",
	};

	made_map_as(run, &map);
}

const char *
made_own_path(void)
{
	static char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	ck_assert_int_gt(n, 0);
	path[n] = '\0';
	return path;
}

void
made_map_own_text(struct prf_collector *run, const void *text)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t lo, hi, off, at = (uintptr_t)text;
	struct stat file;
	char line[5000];
	bool is_mapped = false;

	ck_assert_ptr_nonnull(maps);
	ck_assert_int_eq(stat(made_own_path(), &file), 0);
	while (fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &lo,
			   &hi, &off) != 3 ||
		    at < lo || at >= hi)
			continue;
		const struct prf_mapping map = {
			.pid = MADE_PID,
			.kind = PRF_MAPPING_FILE,
			.addr = lo,
			.size = hi - lo,
			.file_off = off,
			.dev = file.st_dev,
			.inode = file.st_ino,
			.path = made_own_path(),
		};
		made_map_as(run, &map);
		is_mapped = true;
	}
	fclose(maps);
	ck_assert(is_mapped);
}

void
made_sample(struct prf_collector *run, const struct prf_sample *sample)
{
	ck_assert_int_eq(run->base.ops->sample(&run->base, sample), 0);
}

void
made_call(struct prf_collector *run, uint64_t addr, int32_t number,
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

	made_sample(run, &sample);
}

void
made_ticks(struct prf_collector *run, uint64_t addr, uint32_t ticks)
{
	made_call(run, addr, PRF_NO_SYSCALL, ticks);
}

struct prf_profile *
made_finish(struct prf_collector *run)
{
	struct prf_error err = {0};

	ck_assert_msg(!run->base.ops->finish(&run->base, &err), "%s", err.text);
	return run->profile;
}

/* --- What it has */

uint64_t
made_ticks_of(const struct prf_profile *profile, const char *binary,
	      const char *function)
{
	struct prf_functions functions;
	uint64_t ticks = 0;

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	for (size_t i = 0; i < functions.n; i++)
		if (strcmp(functions.all[i].binary->name, binary) == 0 &&
		    strcmp(functions.all[i].name, function) == 0)
			ticks += functions.all[i].count.ticks;
	prf_functions_clear(&functions);
	return ticks;
}

const struct prf_binary *
made_binary(const struct prf_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->n_binaries; i++)
		if (strcmp(profile->binaries[i]->name, name) == 0)
			return profile->binaries[i];
	ck_abort_msg("there is no binary %s", name);
}

/* A range of counters ascends, and lies in the binary where it has ticks. */
struct counted {
	const struct prf_binary *binary;
	uint64_t end, ticks;
};

static int
count_range(void *arg, const struct prf_tick_range *range)
{
	struct counted *counted = arg;

	ck_assert_uint_ge(range->vaddr, counted->end);
	counted->end = range->vaddr + range->n * PRF_HIST_BIN_BYTES;
	for (size_t i = 0; i < range->n; i++) {
		uint64_t vaddr = range->vaddr + i * PRF_HIST_BIN_BYTES;
		uint64_t ticks = prf_tick_range_at(range, i);

		counted->ticks += ticks;
		if (!ticks)
			continue;
		ck_assert_uint_ge(vaddr + 1, counted->binary->lo);
		ck_assert_uint_lt(vaddr, counted->binary->hi);
	}
	return 0;
}

static void
check_counters(const struct prf_binary *binary)
{
	struct counted counted = {.binary = binary};

	if (binary->form == PRF_BINARY_BY_NAME)
		return;
	ck_assert_int_eq(prf_binary_walk(binary, count_range, &counted), 0);
	ck_assert_uint_eq(counted.ticks, binary->total.ticks);
}

void
made_check_sums(const struct prf_profile *profile, uint64_t ticks)
{
	struct prf_count in_binaries = {0}, in_functions = {0};
	struct prf_functions functions;

	for (size_t i = 0; i < profile->n_binaries; i++) {
		check_counters(profile->binaries[i]);
		prf_count_merge(&in_binaries, &profile->binaries[i]->total);
	}
	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	for (size_t i = 0; i < functions.n; i++)
		prf_count_merge(&in_functions, &functions.all[i].count);
	prf_functions_clear(&functions);
	ck_assert_uint_eq(profile->total.ticks, ticks);
	ck_assert_uint_eq(in_binaries.ticks, ticks);
	ck_assert_uint_eq(in_functions.ticks, ticks);
	ck_assert_double_eq_tol(in_functions.squares, profile->total.squares,
				1e-6);
}
