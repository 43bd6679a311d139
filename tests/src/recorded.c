#include "src/recorded.h"

#include <check.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct prf_pctrace_info recorded_info = {
	.recorder = "profrun",
	.command = "program --with arguments",
	.machine = "x86_64",
	.order = "little",
	.clock = "cpu",
	.period_ns = 10000000,
	.realtime_ns = UINT64_C(1700000000000000000),
	.monotonic_ns = RECORDED_BEGIN_NS,
};

static char directory[sizeof "/tmp/prf-recorded-XXXXXX"];

void
recorded_enter(void)
{
	strcpy(directory, "/tmp/prf-recorded-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
}

void
recorded_leave(void)
{
	DIR *dir = opendir(".");

	ck_assert_ptr_nonnull(dir);
	for (const struct dirent *entry; (entry = readdir(dir));)
		unlink(entry->d_name);
	closedir(dir);
	rmdir("directory");
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(directory), 0);
}

struct recorded
recorded_begin(const char *path, const struct prf_pctrace_info *info)
{
	struct recorded recorded = {.file = fopen(path, "w")};

	ck_assert_ptr_nonnull(recorded.file);
	ck_assert_int_eq(
		prf_pctrace_sink_new(recorded.file, info, &recorded.sink, NULL),
		0);
	return recorded;
}

void
recorded_end(struct recorded *recorded)
{
	ck_assert_int_eq(recorded->sink->ops->finish(recorded->sink, NULL), 0);
	recorded->sink->ops->free(recorded->sink);
	ck_assert_int_eq(fclose(recorded->file), 0);
}

void
recorded_exec(struct recorded *recorded, pid_t pid, const char *program)
{
	const struct prf_exec exec = {
		.pid = pid,
		.time_ns = RECORDED_BEGIN_NS,
		.path = program,
		.command = program,
		.dev = 1,
		.inode = 2,
		.addr_bytes = 8,
	};
	const struct prf_mapping map = {
		.pid = pid,
		.time_ns = RECORDED_BEGIN_NS,
		.kind = PRF_MAPPING_FILE,
		.addr = 0x1000,
		.size = 0x1000,
		.file_off = 0x1000,
		.dev = 1,
		.inode = 2,
		.path = program,
	};

	ck_assert_int_eq(recorded->sink->ops->exec(recorded->sink, &exec), 0);
	ck_assert_int_eq(recorded->sink->ops->mapping(recorded->sink, &map), 0);
}

static void
give_life(struct recorded *recorded, enum prf_life_kind kind, pid_t pid,
	  pid_t parent)
{
	const struct prf_life life = {
		.kind = kind,
		.pid = pid,
		.tid = pid,
		.parent = parent,
		.time_ns = RECORDED_BEGIN_NS,
		.name = "",
	};

	ck_assert_int_eq(prf_sink_life(recorded->sink, &life), 0);
}

void
recorded_fork(struct recorded *recorded, pid_t pid, pid_t parent)
{
	give_life(recorded, PRF_LIFE_FORK, pid, parent);
}

void
recorded_exit(struct recorded *recorded, pid_t pid)
{
	give_life(recorded, PRF_LIFE_EXIT, pid, 0);
}

void
recorded_ticks(struct recorded *recorded, pid_t pid, double s, uint32_t ticks)
{
	static const struct prf_frame frame = {0x1100, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = pid,
		.time_ns = RECORDED_BEGIN_NS + (uint64_t)(s * 1e9),
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	ck_assert_int_eq(recorded->sink->ops->sample(recorded->sink, &sample),
			 0);
}

void
recorded_run(const char *path, const char *program, uint32_t ticks,
	     const char *const *children)
{
	struct recorded recorded = recorded_begin(path, &recorded_info);
	pid_t first = 1000, pid = first;

	recorded_exec(&recorded, first, program);
	for (; *children; children++) {
		recorded_fork(&recorded, ++pid, first);
		if (**children)
			recorded_exec(&recorded, pid, *children);
		recorded_ticks(&recorded, pid, 0.5, ticks);
		recorded_exit(&recorded, pid);
	}
	recorded_ticks(&recorded, first, 1, ticks);
	recorded_exit(&recorded, first);
	recorded_end(&recorded);
}

void
recorded_write(const char *path, const void *bytes, size_t n_bytes)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, n_bytes, out), n_bytes);
	ck_assert_int_eq(fclose(out), 0);
}

struct prf_messages
recorded_messages(char **text)
{
	static size_t n_bytes;

	return (struct prf_messages){.stream = open_memstream(text, &n_bytes)};
}
