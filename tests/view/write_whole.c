/* write_whole - writes a program that was never run, and the files of its
 * profile, for gprof(1) to judge.
 *
 * Makes prog, gmon.out and gmon.syms in the directory $PRF_TEST_DIR, and
 * "expected": what gprof should find in them, a line "TICKS NAME" for each
 * function with ticks.  With $PRF_ALL all symbols are in the list, else those
 * that gprof needs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "support/elf_builder.h"
#include "support/suite.h"
#include "profile/collector.h"
#include "view/gmon/gmon_files.h"

static char long_name[3000];

/* Names that gprof's own table leaves out or cuts, and one that no line of
 * symbols can hold. */
static const struct elf_symbol symbols[] = {
	{"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"go.pkg.f", 0x1100, 0x100, STB_LOCAL, STT_FUNC, 1},
	{"f.part.0", 0x1200, 0x100, STB_LOCAL, STT_FUNC, 1},
	{"f.cold", 0x1300, 0x80, STB_LOCAL, STT_FUNC, 1},
	{"$local$", 0x1400, 0x100, STB_LOCAL, STT_FUNC, 1},
	{"ifunc", 0x1500, 0x100, STB_GLOBAL, STT_GNU_IFUNC, 1},
	{"outer", 0x1600, 0x300, STB_GLOBAL, STT_FUNC, 1},
	{"inner", 0x1700, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"with blank", 0x1900, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{long_name, 0x1a00, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"last", 0x1f00, 0x100, STB_GLOBAL, STT_FUNC, 1},
};

#define BIAS UINT64_C(0x555555554000)
#define LIBRARY UINT64_C(0x7f0000000000)

/* One function in two pieces is two of gprof's. */
static const struct {
	uint64_t addr;
	int32_t syscall;
	uint32_t ticks;
	const char *name;
} rows[] = {
	{BIAS + 0x1000, PRF_NO_SYSCALL, 1, "main"},
	{BIAS + 0x1100, PRF_NO_SYSCALL, 2, "go.pkg.f"},
	{BIAS + 0x1200, PRF_NO_SYSCALL, 3, "f.part.0"},
	{BIAS + 0x137e, PRF_NO_SYSCALL, 4, "f.cold"},
	{BIAS + 0x1380, PRF_NO_SYSCALL, 5, "[prog+0x1380]"},
	{BIAS + 0x1400, PRF_NO_SYSCALL, 6, "$local$"},
	{BIAS + 0x1500, PRF_NO_SYSCALL, 7, "ifunc"},
	{BIAS + 0x1600, PRF_NO_SYSCALL, 8, "outer"},
	{BIAS + 0x1700, PRF_NO_SYSCALL, 9, "inner"},
	{BIAS + 0x1800, PRF_NO_SYSCALL, 70000, "outer"},
	{BIAS + 0x1900, PRF_NO_SYSCALL, 10, "with_blank"},
	{BIAS + 0x1ffe, PRF_NO_SYSCALL, 12, "last"},
	{LIBRARY + 0x10, PRF_NO_SYSCALL, 13, "[lib_T_x]"},
	{0x10, PRF_NO_SYSCALL, 14, "[unknown]"},
	{0, SYS_read, 15, "[kernel]:read"},
	{0, SYS_futex, 16, "[kernel]:futex"},
};

static FILE *
open_for_test(const char *name, char *path, size_t room)
{
	const char *directory = getenv("PRF_TEST_DIR");

	ck_assert_msg(directory != NULL, "PRF_TEST_DIR is not set");
	snprintf(path, room, "%s/%s", directory, name);
	FILE *file = fopen(path, "we");
	ck_assert_msg(file != NULL, "%s cannot be written", path);
	return file;
}

static void
give(struct prf_sink *sink, uint64_t addr, int32_t number, uint32_t ticks)
{
	const struct prf_frame frame = {addr, PRF_FRAME_PC};
	const struct prf_sample sample = {.pid = 1,
					  .ticks = ticks,
					  .syscall = number,
					  .n_frames = 1,
					  .frames = &frame};

	ck_assert_int_eq(sink->ops->sample(sink, &sample), 0);
}

/* The program begins, and a library without names is loaded. */
static void
give_maps(struct prf_sink *sink, const char *path)
{
	struct stat file;

	ck_assert_int_eq(stat(path, &file), 0);
	const struct prf_exec exec = {.pid = 1,
				      .command = "",
				      .path = path,
				      .inode = file.st_ino,
				      .addr_bytes = 8};
	const struct prf_mapping program = {.pid = 1,
					    .kind = PRF_MAPPING_FILE,
					    .addr = BIAS + 0x1000,
					    .size = 0x1000,
					    .file_off = 0x1000,
					    .inode = file.st_ino,
					    .path = path};
	const struct prf_mapping lib = {.pid = 1,
					.kind = PRF_MAPPING_FILE,
					.addr = LIBRARY,
					.size = 0x1000,
					.path = "/no such/lib T x"};
	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
	ck_assert_int_eq(sink->ops->mapping(sink, &program), 0);
	ck_assert_int_eq(sink->ops->mapping(sink, &lib), 0);
}

static void
give_ticks(struct prf_sink *sink, FILE *expected)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		give(sink, rows[i].addr, rows[i].syscall, rows[i].ticks);
		fprintf(expected, "%" PRIu32 " %s\n", rows[i].ticks,
			rows[i].name);
	}
}

static void
write_files(const struct prf_profile *profile)
{
	struct prf_gmon_layout *layout = NULL;
	char path[4096];
	FILE *gmon = open_for_test("gmon.out", path, sizeof path);
	FILE *syms = open_for_test("gmon.syms", path, sizeof path);

	ck_assert_int_eq(prf_gmon_layout_new(profile, &layout, NULL), 0);
	ck_assert_int_eq(prf_gmon_files_write_ticks(layout, gmon, NULL), 0);
	ck_assert_int_eq(prf_gmon_files_write_syms(layout, getenv("PRF_ALL"),
						   syms, NULL),
			 0);
	prf_gmon_layout_free(layout);
	ck_assert_int_eq(fclose(gmon) | fclose(syms), 0);
}

START_TEST(the_files_can_be_written)
{
	const struct prf_collector_config config = {
		.kernel_apart = true,
		.rate_hz = 100,
	};
	struct prf_collector *run = prf_collector_new(&config);
	char path[4096];
	size_t size;
	FILE *expected = open_for_test("expected", path, sizeof path);

	fclose(open_for_test("prog", path, sizeof path));
	memset(long_name, 'n', sizeof long_name - 1);
	char *bytes = elf_build_simple(&elf_kinds[0], 0x1000, symbols,
				       sizeof symbols / sizeof *symbols, &size);
	elf_write(path, bytes, size);
	free(bytes);
	give_maps(&run->base, path);
	give_ticks(&run->base, expected);
	ck_assert_int_eq(run->base.ops->finish(&run->base, NULL), 0);
	write_files(run->profile);
	run->base.ops->free(&run->base);
	ck_assert_int_eq(fclose(expected), 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("write_whole");
	TCase *tcase = tcase_create("write_whole");

	tcase_add_test(tcase, the_files_can_be_written);
	suite_add_tcase(suite, tcase);
	return suite;
}
