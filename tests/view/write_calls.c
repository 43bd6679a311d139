/* write_calls - writes a program that was never run, and the files of a profile
 * of its made-up calls, for gprof(1) to judge.
 *
 * Makes prog, gmon.out and gmon.syms in the directory $PRF_TEST_DIR, and
 * "expected": a line "TICKS NAME" for each function, with the ticks of the
 * samples that have it in their stack.  $PRF_CALLS is the kind of calls. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/random.h"
#include "profile/collector.h"
#include "support/elf_builder.h"
#include "support/suite.h"
#include "view/gmon/gmon_files.h"

enum {
	N_FUNCTIONS = 20, /* f0, f1... */
	N_LIBRARY = 5,    /* the last of these, in a library */
	N_PATHS = 60,
	MAX_DEPTH = 100,
	FUNCTION_BYTES = 0x40,
	CYCLE = 8, /* f8 and the next call each other, if any do */
};

/* What may be in a path besides functions that call later ones. */
struct kind {
	const char *name;
	bool recursion;  /* a function may call itself */
	bool roots;      /* any function may be the outermost */
	bool start;      /* the outermost of some is _start */
	bool library;    /* the last functions are in a library */
	bool cycle;      /* two functions call each other */
	bool no_program; /* which program it is is not known */
};

static const struct kind kinds[] = {
	{.name = "dag"},
	{.name = "start", .start = true},
	{.name = "recursion", .recursion = true, .start = true},
	{.name = "roots", .roots = true, .start = true},
	{.name = "library", .roots = true, .library = true},
	{.name = "cycle", .cycle = true, .recursion = true, .roots = true},
	{.name = "stripped", .roots = true, .no_program = true},
};

/* Number N_FUNCTIONS is _start. */
struct path {
	int functions[MAX_DEPTH]; /* the outermost first */
	size_t n;
	uint32_t ticks;
};

static uint64_t truth[N_FUNCTIONS + 1], cycle_truth;
static char names[N_FUNCTIONS + 1][8];

#define PROGRAM UINT64_C(0x555555555000)
#define LIBRARY UINT64_C(0x7f0000000000)

/* --- Files */

static const struct kind *
kind_asked_for(void)
{
	const char *name = getenv("PRF_CALLS");

	for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	ck_abort_msg("PRF_CALLS is no kind of calls");
}

static const char *
path_of(const char *name, char *path, size_t room)
{
	const char *directory = getenv("PRF_TEST_DIR");

	ck_assert_msg(directory != NULL, "PRF_TEST_DIR is not set");
	snprintf(path, room, "%s/%s", directory, name);
	return path;
}

static FILE *
open_for_test(const char *name)
{
	char path[4096];
	FILE *file = fopen(path_of(name, path, sizeof path), "we");

	ck_assert_msg(file != NULL, "%s cannot be written", path);
	return file;
}

static bool
is_in_library(const struct kind *kind, int function)
{
	return kind->library && function < N_FUNCTIONS &&
	       function >= N_FUNCTIONS - N_LIBRARY;
}

static uint64_t
vaddr_of(int function)
{
	return 0x1000 + (uint64_t)function * FUNCTION_BYTES;
}

/* Writes NAME, an ELF file of those functions that are in the library, or not;
 * it begins with _start. */
static void
write_elf(const struct kind *kind, const char *name, bool library)
{
	struct elf_symbol symbols[N_FUNCTIONS + 1] = {{0}};
	size_t n = 0, size;
	char path[4096];
	uint64_t entry = vaddr_of(N_FUNCTIONS);

	for (int i = 0; i <= N_FUNCTIONS; i++) {
		snprintf(names[i], sizeof names[i],
			 i == N_FUNCTIONS ? "_start" : "f%d", i);
		if (is_in_library(kind, i) == library)
			symbols[n++] = (struct elf_symbol){
				names[i],   vaddr_of(i), FUNCTION_BYTES,
				STB_GLOBAL, STT_FUNC,    1};
	}
	char *bytes =
		elf_build_simple(&elf_kinds[0], 0x1000, symbols, n, &size);
	memcpy(bytes + offsetof(Elf64_Ehdr, e_entry), &entry, sizeof entry);
	elf_write(path_of(name, path, sizeof path), bytes, size);
	free(bytes);
}

static void
map(struct prf_sink *sink, const char *name, uint64_t addr)
{
	char path[4096];
	struct stat file;

	ck_assert_int_eq(stat(path_of(name, path, sizeof path), &file), 0);
	const struct prf_mapping mapping = {.pid = 1,
					    .kind = PRF_MAPPING_FILE,
					    .addr = addr,
					    .size = 0x1000,
					    .file_off = 0x1000,
					    .inode = file.st_ino,
					    .path = path};
	ck_assert_int_eq(sink->ops->mapping(sink, &mapping), 0);
}

static void
begin(const struct kind *kind, struct prf_sink *sink)
{
	char path[4096];
	struct stat file;

	write_elf(kind, "prog", false);
	write_elf(kind, "lib", true);
	ck_assert_int_eq(stat(path_of("prog", path, sizeof path), &file), 0);
	const struct prf_exec exec = {
		.pid = 1,
		.command = "",
		.path = kind->no_program ? "/no such/program" : path,
		.inode = kind->no_program ? 0 : file.st_ino,
		.addr_bytes = 8};
	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
	map(sink, "prog", PROGRAM);
	map(sink, "lib", LIBRARY);
}

/* --- Samples */

static void
put(struct path *path, int function)
{
	if (path->n < MAX_DEPTH)
		path->functions[path->n++] = function;
}

/* Each function calls later ones, in another way in each path. */
static struct path
any_path(const struct kind *kind, struct random *random)
{
	struct path path = {.n = 0};
	int at = kind->roots && random_below(random, 3) == 0
			 ? (int)random_below(random, N_FUNCTIONS)
			 : 0;

	/* The tail is heavy: a few paths have most of the ticks. */
	path.ticks = 1 + (uint32_t)random_below(random,
						1U << random_below(random, 12));
	if (kind->start && random_below(random, 2))
		put(&path, N_FUNCTIONS);
	for (; at < N_FUNCTIONS; at += 1 + (int)random_below(random, 5)) {
		put(&path, at);
		while (kind->recursion && random_below(random, 3) == 0)
			put(&path, at);
		while (kind->cycle && at == CYCLE && random_below(random, 3)) {
			put(&path, CYCLE + 1);
			put(&path, CYCLE);
		}
		if (random_below(random, 8) == 0)
			break;
	}
	return path;
}

static uint64_t
addr_of(const struct kind *kind, int function, uint64_t off)
{
	return (is_in_library(kind, function) ? LIBRARY : PROGRAM) +
	       vaddr_of(function) - 0x1000 + off;
}

static void
give(const struct kind *kind, struct prf_sink *sink, const struct path *path)
{
	struct prf_frame frames[MAX_DEPTH];
	const struct prf_sample sample = {
		.pid = 1,
		.ticks = path->ticks,
		.syscall = PRF_NO_SYSCALL,
		.end = PRF_STACK_COMPLETE,
		.n_frames = (uint32_t)path->n,
		.frames = frames,
	};

	for (size_t i = 0; i < path->n; i++)
		frames[i] = (struct prf_frame){
			addr_of(kind, path->functions[path->n - 1 - i],
				8 + i % 16),
			i ? PRF_FRAME_RETURN : PRF_FRAME_PC,
		};
	ck_assert_int_eq(sink->ops->sample(sink, &sample), 0);
}

static void
note(const struct path *path)
{
	bool met[N_FUNCTIONS + 1] = {false};

	for (size_t i = 0; i < path->n; i++)
		met[path->functions[i]] = true;
	for (int i = 0; i <= N_FUNCTIONS; i++)
		truth[i] += met[i] ? path->ticks : 0;
	if (met[CYCLE] || met[CYCLE + 1])
		cycle_truth += path->ticks;
}

static void
write_truth(const struct kind *kind)
{
	FILE *expected = open_for_test("expected");

	for (int i = 0; i < N_FUNCTIONS; i++)
		if (truth[i] && !(kind->cycle && i / 2 == CYCLE / 2))
			fprintf(expected, "%" PRIu64 " %s\n", truth[i],
				names[i]);
	if (kind->cycle)
		fprintf(expected, "%" PRIu64 " cycle\n", cycle_truth);
	ck_assert_int_eq(fclose(expected), 0);
}

static void
write_files(const struct prf_profile *profile)
{
	struct prf_gmon_layout *layout = NULL;
	FILE *gmon = open_for_test("gmon.out");
	FILE *syms = open_for_test("gmon.syms");

	ck_assert_int_eq(prf_gmon_layout_new(profile, &layout, NULL), 0);
	ck_assert_int_eq(prf_gmon_files_write_ticks(layout, gmon, NULL), 0);
	ck_assert_int_eq(prf_gmon_files_write_syms(layout, false, syms, NULL),
			 0);
	prf_gmon_layout_free(layout);
	ck_assert_int_eq(fclose(gmon) | fclose(syms), 0);
}

START_TEST(the_files_can_be_written)
{
	const struct kind *kind = kind_asked_for();
	const struct prf_collector_config config = {
		.rate_hz = 100,
		.call_graph = true,
	};
	struct prf_collector *run = prf_collector_new(&config);
	struct random random = random_begin();

	begin(kind, &run->base);
	for (int i = 0; i < N_PATHS; i++) {
		struct path path = any_path(kind, &random);

		give(kind, &run->base, &path);
		note(&path);
	}
	ck_assert_int_eq(run->base.ops->finish(&run->base, NULL), 0);
	write_files(run->profile);
	write_truth(kind);
	run->base.ops->free(&run->base);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("write_calls");
	TCase *tcase = tcase_create("write_calls");

	tcase_add_test(tcase, the_files_can_be_written);
	suite_add_tcase(suite, tcase);
	return suite;
}
