/* The calls of a profile in a gmon.out, written and read again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon_read.h"
#include "core/scope.h"
#include "support/made_run.h"
#include "support/suite.h"
#include "view/gmon/gmon_files.h"
#include "view/gmon/gmon_source.h"
#include "view/gmon/symsfile.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static const uint64_t prog = 0x555555555000, lib = 0x7f0000001000;

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x400, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1400, 0x400, STB_GLOBAL, STT_FUNC, 1},
	{"_start", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol hk[] = {
	{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"k", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

static struct prf_collector *run;

/* An ELF file whose program begins at ENTRY. */
static void
make_prog(uint64_t entry)
{
	size_t size;
	char *bytes = elf_build_simple(&elf_kinds[0], 0x1000, fg, 3, &size);

	memcpy(bytes + offsetof(Elf64_Ehdr, e_entry), &entry, sizeof entry);
	elf_write(made_path("prog"), bytes, size);
	free(bytes);
}

static void
begin_run(bool call_graph, uint64_t entry)
{
	const struct prf_collector_config config = {
		.kernel_apart = true,
		.call_graph = call_graph,
	};

	run = made_run(&config);
	make_prog(entry);
	made_elf("lib", hk, 2);
	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_map(run, "lib", lib);
}

static void
begin(void)
{
	made_begin();
	begin_run(true, 0x1800);
}

static void
end(void)
{
	made_run_free(run);
	made_end();
}

static uint64_t
addr_of(char letter)
{
	const char letters[] = "fgshk";
	static const uint64_t addrs[] = {prog, prog + 0x400, prog + 0x800, lib,
					 lib + 0x800};

	return addrs[strchr(letters, letter) - letters];
}

/* A sample of PATH, the outermost function first, in system call NUMBER. */
static void
add_call(const char *path, uint32_t ticks, int32_t number)
{
	struct prf_frame frames[16];
	const struct prf_sample sample = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = number,
		.end = PRF_STACK_COMPLETE,
		.n_frames = (uint32_t)strlen(path),
		.frames = frames,
	};

	for (uint32_t i = 0; i < sample.n_frames; i++)
		frames[i] = (struct prf_frame){
			addr_of(path[sample.n_frames - 1 - i]) + 16 + 2 * i,
			i ? PRF_FRAME_RETURN : PRF_FRAME_PC,
		};
	made_sample(run, &sample);
}

static void
add(const char *path, uint32_t ticks)
{
	add_call(path, ticks, PRF_NO_SYSCALL);
}

static void
add_paths(void)
{
	add("sfg", 1);
	add("sfhg", 2);
	add("fhg", 4);
	add("gg", 8);
	add_call("sk", 16, 0);
}

/* --- Files, in memory */

struct files {
	struct prf_gmon *gmon;
	char *list;
	size_t n_bytes;
};

static struct files
write_files(const struct prf_gmon_layout *layout)
{
	struct files files = {0};
	char *bytes;
	size_t n;
	FILE *out = open_memstream(&bytes, &n);
	FILE *list = open_memstream(&files.list, &files.n_bytes);

	ck_assert_int_eq(prf_gmon_files_write_ticks(layout, out, NULL), 0);
	ck_assert_int_eq(prf_gmon_files_write_syms(layout, false, list, NULL),
			 0);
	ck_assert_int_eq(fclose(out) | fclose(list), 0);
	ck_assert_int_eq(prf_gmon_parse(bytes, n, NULL, &files.gmon, NULL), 0);
	free(bytes);
	return files;
}

static struct files
files_of(const struct prf_profile *profile)
{
	struct prf_gmon_layout *layout;

	ck_assert_int_eq(prf_gmon_layout_new(profile, &layout, NULL), 0);
	struct files files = write_files(layout);
	prf_gmon_layout_free(layout);
	return files;
}

static void
free_files(struct files *files)
{
	prf_gmon_free(files->gmon);
	free(files->list);
}

/* What the list calls ADDR. */
static const char *
name_at(const struct prf_syms *syms, uint64_t addr)
{
	const struct prf_syms_symbol *symbol = prf_syms_at(syms, addr);

	ck_assert_msg(symbol, "nothing is at 0x%" PRIx64, addr);
	return symbol->name;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Arcs, by name: "from>to=count ". */
static void
check_arcs(const struct files *files, const char *expected)
{
	struct prf_syms *syms;
	char *arcs[64], text[1024] = "";
	const struct prf_gmon *gmon = files->gmon;

	ck_assert_int_eq(
		prf_syms_parse(files->list, files->n_bytes, &syms, NULL), 0);
	ck_assert_uint_lt(gmon->n_arcs, 64);
	for (size_t i = 0; i < gmon->n_arcs; i++)
		ck_assert_int_gt(
			asprintf(&arcs[i], "%s>%s=%" PRIu64 " ",
				 name_at(syms, gmon->arcs[i].from_vaddr),
				 name_at(syms, gmon->arcs[i].to_vaddr),
				 gmon->arcs[i].count),
			0);
	qsort(arcs, gmon->n_arcs, sizeof *arcs, by_text);
	for (size_t i = 0; i < gmon->n_arcs; i++) {
		strcat(text, arcs[i]);
		free(arcs[i]);
	}
	prf_syms_free(syms);
	ck_assert_str_eq(text, expected);
}

static void
check(const struct prf_profile *profile, const char *expected)
{
	struct files files = files_of(profile);

	check_arcs(&files, expected);
	free_files(&files);
}

START_TEST(a_call_has_each_sample_once_and_the_entry_calls_the_rest)
{
	add("sfg", 1);
	add("sfhg", 2);
	add("fhg", 4);
	add("gg", 8);
	add("ffff", 16);
	check(made_finish(run),
	      "_start>f=23 _start>g=8 f>f=16 f>g=1 f>h=6 g>g=8 h>g=6 ");
}
END_TEST

START_TEST(a_system_call_is_called)
{
	add_paths();
	check(made_finish(run),
	      "_start>f=7 _start>g=8 _start>k=16 f>g=1 f>h=6 g>g=8 h>g=6 "
	      "k>[kernel]:read=16 ");
}
END_TEST

START_TEST(without_an_entry_there_is_a_root)
{
	end();
	made_begin();
	begin_run(true, 0);
	add("fg", 1);
	add("h", 2);
	check(made_finish(run), "[root]>f=1 [root]>h=2 f>g=1 ");
}
END_TEST

START_TEST(an_entry_that_is_called_is_no_root)
{
	add("sfg", 1);
	add("fs", 2);
	check(made_finish(run), "[root]>_start=1 [root]>f=2 _start>f=1 "
				"f>_start=2 f>g=1 ");
}
END_TEST

START_TEST(samples_alone_make_no_arcs)
{
	made_ticks(run, prog, 4);
	check(made_finish(run), "");
}
END_TEST

static void
check_same_hists(const struct prf_gmon *a, const struct prf_gmon *b)
{
	ck_assert_uint_eq(a->n_hists, b->n_hists);
	for (size_t i = 0; i < a->n_hists; i++) {
		ck_assert_uint_eq(a->hists[i].lo_vaddr, b->hists[i].lo_vaddr);
		ck_assert_uint_eq(a->hists[i].n_bins, b->hists[i].n_bins);
		ck_assert_mem_eq(a->hists[i].counts, b->hists[i].counts,
				 a->hists[i].n_bins *
					 sizeof *a->hists[i].counts);
	}
}

START_TEST(ticks_are_where_they_are_without_calls)
{
	struct files files[2];

	for (int i = 0; i < 2; i++) {
		end();
		made_begin();
		begin_run(i, 0);
		add_paths();
		add("h", 1);
		files[i] = files_of(made_finish(run));
	}
	ck_assert_uint_eq(files[0].gmon->n_arcs, 0);
	ck_assert_uint_gt(files[1].gmon->n_arcs, 0);
	check_same_hists(files[0].gmon, files[1].gmon);
	free_files(&files[0]);
	free_files(&files[1]);
}
END_TEST

START_TEST(arcs_that_are_read_are_added)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *sum = prf_profile_new();
	struct prf_gmon_source *source = prf_gmon_source_new(sum, NULL, NULL);

	end();
	made_begin();
	begin_run(true, 0);
	add("fg", 1);
	add("h", 2);
	struct files files = files_of(made_finish(run));
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(prf_gmon_source_add(source, files.gmon,
						     files.list, files.n_bytes,
						     NULL),
				 0);
	check(sum, "[root]>f=2 [root]>h=4 f>g=2 ");
	ck_assert_int_eq(prf_profile_add(sum, run->profile, NULL), 0);
	check(sum, "[root]>f=1 [root]>f=2 [root]>h=2 [root]>h=4 f>g=3 ");
	prf_gmon_source_free(source);
	free_files(&files);
}
END_TEST

enum { N_KINDS = 3 };

/* A run with stacks, files with and without arcs: the one NUMBER says. */
static void
add_part(struct prf_profile *sum, struct prf_gmon_source *source,
	 const struct files *files, int number)
{
	int rc = number == N_KINDS - 1
			 ? prf_profile_add(sum, run->profile, NULL)
			 : prf_gmon_source_add(source, files[number].gmon,
					       files[number].list,
					       files[number].n_bytes, NULL);

	ck_assert_int_eq(rc, 0);
}

/* What is read, in the file with arcs, has its own; samples without stacks were
 * called by the entry alone. */
#define ALL_ARCS                                                               \
	"_start>[kernel]:read=16 _start>f=7 _start>f=7 _start>g=15 "           \
	"_start>g=8 _start>g=8 _start>h=1 _start>h=1 _start>h=1 "              \
	"_start>k=16 _start>k=16 f>g=1 f>g=1 f>h=6 f>h=6 g>g=8 g>g=8 "         \
	"h>g=6 h>g=6 k>[kernel]:read=16 k>[kernel]:read=16 "

START_TEST(the_order_of_runs_and_files_does_not_matter)
{
	static const int orders[][N_KINDS] = {
		{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
		{1, 2, 0}, {2, 0, 1}, {2, 1, 0},
	};
	struct files files[N_KINDS - 1];
	struct files sums[sizeof orders / sizeof *orders];

	end();
	for (int i = 0; i < N_KINDS; i++) {
		made_begin();
		begin_run(i > 0, 0x1800);
		add_paths();
		add("h", 1);
		made_finish(run);
		if (i == N_KINDS - 1)
			break;
		files[i] = files_of(run->profile);
		end();
	}
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		PRF_AUTO(prf_profile_auto)
		struct prf_profile *sum = prf_profile_new();
		struct prf_gmon_source *source =
			prf_gmon_source_new(sum, NULL, NULL);

		for (int j = 0; j < N_KINDS; j++)
			add_part(sum, source, files, orders[i][j]);
		ck_assert_uint_eq(sum->total.ticks, 3 * 32);
		check(sum, ALL_ARCS);
		sums[i] = files_of(sum);
		ck_assert_str_eq(sums[i].list, sums[0].list);
		check_same_hists(sums[i].gmon, sums[0].gmon);
		prf_gmon_source_free(source);
	}
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		free_files(&sums[i]);
	free_files(&files[0]);
	free_files(&files[1]);
}
END_TEST

START_TEST(a_binary_alone_has_its_calls_by_way_of_others)
{
	struct prf_gmon_layout *layout;

	add_paths();
	add("sfk", 32);
	made_finish(run);
	ck_assert_int_eq(
		prf_gmon_layout_new_single(run->profile,
					   made_binary(run->profile, "prog"),
					   &layout, NULL),
		0);
	struct files files = write_files(layout);
	check_arcs(&files, "_start>f=7 _start>g=8 f>g=7 g>g=8 ");
	prf_gmon_layout_free(layout);
	free_files(&files);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_calls");
	TCase *tcase = tcase_create("gmon_calls");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(
		tcase,
		a_call_has_each_sample_once_and_the_entry_calls_the_rest);
	tcase_add_test(tcase, a_system_call_is_called);
	tcase_add_test(tcase, without_an_entry_there_is_a_root);
	tcase_add_test(tcase, an_entry_that_is_called_is_no_root);
	tcase_add_test(tcase, samples_alone_make_no_arcs);
	tcase_add_test(tcase, ticks_are_where_they_are_without_calls);
	tcase_add_test(tcase, arcs_that_are_read_are_added);
	tcase_add_test(tcase, the_order_of_runs_and_files_does_not_matter);
	tcase_add_test(tcase, a_binary_alone_has_its_calls_by_way_of_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
