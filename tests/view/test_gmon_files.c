#include "view/gmon/gmon_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/gmon.h"
#include "core/gmon_read.h"
#include "core/random.h"
#include "core/scope.h"
#include "support/suite.h"
#include "support/made_run.h"
#include "view/made_gmon.h"

static const uint64_t prog = 0x555555555000, lib = 0x7f0000001000,
		      jit = 0x7f0001000000;

/* --- The list of symbols, as gprof reads it */

enum { GPROF_LINE = 1023, MAX_SYMS = 64 };

struct sym {
	uint64_t vaddr;
	char name[GPROF_LINE];
};

struct syms {
	struct sym all[MAX_SYMS];
	size_t n;
};

/* gprof's own rule: fgets into 1023 bytes, then "%s %c %s"; t and T count. */
static void
read_syms(const struct made_file *file, struct syms *syms)
{
	FILE *in = fmemopen(file->bytes, file->size, "r");
	char line[GPROF_LINE], address[GPROF_LINE], type;

	ck_assert_ptr_nonnull(in);
	syms->n = 0;
	while (fgets(line, sizeof line, in)) {
		struct sym *sym = &syms->all[syms->n];

		ck_assert_uint_lt(syms->n, MAX_SYMS);
		if (sscanf(line, "%s %c %s", address, &type, sym->name) != 3 ||
		    (type != 't' && type != 'T'))
			continue;
		sym->vaddr = strtoull(address, NULL, 16);
		if (syms->n > 0)
			ck_assert_uint_gt(sym->vaddr, sym[-1].vaddr);
		syms->n++;
	}
	fclose(in);
	ck_assert_uint_gt(syms->n, 0);
	ck_assert_str_eq(syms->all[syms->n - 1].name, "[end]");
}

/* The symbol that holds VADDR: it reaches to the next one; the last one has
 * nothing. */
static const struct sym *
sym_at(const struct syms *syms, uint64_t vaddr)
{
	for (size_t i = syms->n - 1; i-- > 0;)
		if (syms->all[i].vaddr <= vaddr)
			return vaddr < syms->all[syms->n - 1].vaddr
				       ? &syms->all[i]
				       : NULL;
	return NULL;
}

/* What gprof -S would tell of the functions called NAME. */
static uint64_t
ticks_of(const struct prf_gmon *gmon, const struct syms *syms, const char *name)
{
	uint64_t ticks = 0;

	for (size_t h = 0; h < gmon->n_hists; h++) {
		const struct prf_gmon_hist *hist = &gmon->hists[h];

		for (uint32_t b = 0; b < hist->n_bins; b++) {
			if (!hist->counts[b])
				continue;
			const struct sym *sym =
				sym_at(syms, prf_gmon_bin_vaddr(hist, b));
			ck_assert_ptr_nonnull(sym);
			if (strcmp(sym->name, name) == 0)
				ticks += hist->counts[b];
		}
	}
	return ticks;
}

/* Both files of a profile, read again. */
struct reread {
	struct prf_gmon *gmon;
	struct syms syms;
	struct made_file text; /* of the symbols; ends with a NUL */
};

static struct reread *
reread_layout(const struct prf_gmon_layout *layout, bool all)
{
	struct reread *reread = calloc(1, sizeof *reread);
	struct made_file ticks = made_write_ticks(layout);
	struct prf_error err = {0};

	ck_assert_msg(!prf_gmon_parse(ticks.bytes, ticks.size, NULL,
				      &reread->gmon, &err),
		      "%s", err.text);
	reread->text = made_write_syms(layout, all);
	read_syms(&reread->text, &reread->syms);
	free(ticks.bytes);
	return reread;
}

static struct reread *
reread_run(const struct prf_collector *run)
{
	struct prf_gmon_layout *layout = made_layout(run->profile);
	struct reread *reread = reread_layout(layout, true);

	prf_gmon_layout_free(layout);
	return reread;
}

static void
free_reread(struct reread *reread)
{
	prf_gmon_free(reread->gmon);
	free(reread->text.bytes);
	free(reread);
}

static void
check_ticks(const struct reread *reread, const char *name, uint64_t ticks)
{
	ck_assert_msg(ticks_of(reread->gmon, &reread->syms, name) == ticks,
		      "%s", name);
}

/* --- Runs */

static struct prf_collector *
begin(const struct elf_symbol *symbols, size_t n)
{
	const struct prf_collector_config config = {.rate_hz = 250,
						    .kernel_apart = true};
	struct prf_collector *run = made_run(&config);
	static const struct elf_symbol hk[] = {
		{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
		{"k", 0x1800, 0x400, STB_GLOBAL, STT_FUNC, 1},
	};

	made_elf("prog", symbols, n);
	made_elf("lib", hk, 2);
	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_map(run, "lib", lib);
	made_map_kind(run, PRF_MAPPING_ANON, jit, 0x1000);
	return run;
}

static const struct elf_symbol nested[] = {
	{"outer", 0x1000, 0xff0, STB_GLOBAL, STT_FUNC, 1},
	{"inner", 0x1400, 0x400, STB_GLOBAL, STT_FUNC, 1},
};

START_TEST(gprof_would_tell_each_function_its_ticks)
{
	struct prf_collector *run = begin(nested, 2);

	made_ticks(run, prog + 0x3ff, 1);
	made_ticks(run, prog + 0x400, 2);
	made_ticks(run, prog + 0x800, 70000);
	made_ticks(run, prog + 0xffe, 3);
	made_ticks(run, lib + 0x7ff, 5);
	made_ticks(run, lib + 0x800, 7);
	made_ticks(run, lib + 0xfff, 11);
	made_ticks(run, jit, 13);
	made_ticks(run, 0x10, 17);
	made_call(run, prog, SYS_read, 19);
	made_finish(run);
	struct reread *reread = reread_run(run);
	ck_assert_uint_eq(reread->gmon->rate_hz, 250);
	ck_assert_uint_eq(reread->gmon->ticks, run->profile->total.ticks);
	check_ticks(reread, "outer", 70001);
	check_ticks(reread, "inner", 2);
	check_ticks(reread, "[prog+0x1ff0]", 3);
	check_ticks(reread, "h", 5);
	check_ticks(reread, "k", 7);
	check_ticks(reread, "[lib+0x1c00]", 11);
	check_ticks(reread, "[jit]", 13);
	check_ticks(reread, "[unknown]", 17);
	check_ticks(reread, "[kernel]:read", 19);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

START_TEST(one_binary_alone_is_told_its_ticks)
{
	struct prf_collector *run = begin(nested, 2);
	struct prf_gmon_layout *layout = NULL;

	made_ticks(run, prog, 1);
	made_ticks(run, lib, 5);
	made_finish(run);
	ck_assert_int_eq(prf_gmon_layout_new_single(
				 run->profile, made_binary(run->profile, "lib"),
				 &layout, NULL),
			 0);
	struct reread *reread = reread_layout(layout, true);
	ck_assert_uint_eq(reread->gmon->ticks, 5);
	check_ticks(reread, "h", 5);
	ck_assert_uint_eq(reread->syms.all[0].vaddr, 0x1000);
	prf_gmon_layout_free(layout);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

START_TEST(no_ticks_make_one_block_of_zeros)
{
	struct prf_collector *run = _i ? begin(nested, 2) : made_run(NULL);

	made_finish(run);
	struct reread *reread = reread_run(run);
	ck_assert_uint_eq(reread->gmon->n_hists, 1);
	ck_assert_uint_eq(reread->gmon->hists[0].lo_vaddr, _i ? 0x1000 : 0);
	ck_assert_uint_eq(reread->gmon->hists[0].hi_vaddr -
				  reread->gmon->hists[0].lo_vaddr,
			  PRF_GMON_BLOCK_BYTES);
	ck_assert_uint_eq(reread->gmon->ticks, 0);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

START_TEST(the_class_and_the_order_are_the_programs)
{
	struct prf_collector *run = made_run(NULL);
	const struct elf_kind *kind = &elf_kinds[_i];

	made_elf_kind("prog", kind, nested, 2);
	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_ticks(run, prog, 3);
	made_finish(run);
	struct reread *reread = reread_run(run);
	ck_assert_uint_eq(reread->gmon->reading.addr_bytes,
			  kind->class == ELFCLASS32 ? 4 : 8);
	ck_assert(reread->gmon->reading.big_endian ==
		  (kind->order == ELFDATA2MSB));
	check_ticks(reread, "outer", 3);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

/* --- Names that nobody chose for gprof */

START_TEST(a_name_is_one_word_of_a_line_whatever_is_in_it)
{
	static char long_name[5001];
	const struct {
		const char *name, *word;
	} rows[] = {
		{"operator new(unsigned long)", "operator_new(unsigned_long)"},
		{"a\tb\nc\177d", "a_b_c_d"},
		{"x\n00000001 T evil", "x_00000001_T_evil"},
		{"gr\303\266\303\237e", "gr\303\266\303\237e"},
		{" ", "_"},
		{"#", "#"},
		{"[end]", "[end]_"},
		{long_name, NULL},
	};
	memset(long_name, 'n', sizeof long_name - 1);
	const struct elf_symbol symbols[] = {
		{rows[_i].name, 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"next", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_collector *run = begin(symbols, 2);

	made_ticks(run, prog, 3);
	made_ticks(run, prog + 0x100, 4);
	made_finish(run);
	struct reread *reread = reread_run(run);
	const char *word = reread->syms.all[0].name;
	ck_assert_uint_eq(reread->syms.n, 3);
	if (rows[_i].word)
		ck_assert_str_eq(word, rows[_i].word);
	else
		ck_assert_uint_gt(strspn(word, "n"), 900);
	check_ticks(reread, word, 3);
	check_ticks(reread, "next", 4);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

/* The word that follows the N-th blank of the line that begins with START. */
static char *
word_of(const char *text, const char *start, int n)
{
	const char *word = strstr(text, start);

	ck_assert_ptr_nonnull(word);
	while (n-- > 0) {
		word = strchr(word, ' ');
		ck_assert_ptr_nonnull(word++);
	}
	return strndup(word, strcspn(word, " \n"));
}

static void
decode(char *word)
{
	char *to = word;
	unsigned byte;

	for (; *word; word++)
		if (*word == '%' && sscanf(word + 1, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			word += 2;
		} else {
			*to++ = *word;
		}
	*to = '\0';
}

START_TEST(a_path_is_one_word_and_can_be_read_back)
{
	static char long_path[4000];
	const char *const paths[] = {"/a b/c%d\n/T x\177\303\266", long_path,
				     "/x\n0000000000001000 T evil", ""};
	struct prf_collector *run = begin(nested, 2);
	const struct prf_mapping map = {.kind = PRF_MAPPING_FILE,
					.addr = 0x10000,
					.size = 0x1000,
					.inode = 1,
					.path = paths[_i]};

	memset(long_path, '\t', sizeof long_path - 1);
	long_path[0] = '/';
	made_map_as(run, &map);
	made_ticks(run, map.addr, 3);
	made_finish(run);
	struct reread *reread = reread_run(run);
	ck_assert_uint_eq(reread->syms.n, 6);
	char *path = word_of(reread->text.bytes, "# object 100000 ", 6);
	for (const char *c = path; *c; c++)
		ck_assert(*c > ' ' && *c < 0x7f);
	decode(path);
	ck_assert_str_eq(path, *paths[_i] ? paths[_i] : "?");
	free(path);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

START_TEST(the_head_tells_the_format_and_every_place)
{
	struct prf_collector *run = begin(nested, 2);
	char head[2000];

	made_ticks(run, lib, 5);
	made_ticks(run, 0x10, 5);
	made_finish(run);
	struct reread *reread = reread_run(run);
	const struct prf_binary *program = run->profile->program;
	snprintf(head, sizeof head,
		 "# gmon.syms 2\n# rate 250\n"
		 "# object 1000 2000 0 - %s a\n"
		 "# object 100000 101000 ff000 - %s\n"
		 "# object 200000 200010 200000 - [unknown]\n"
		 "0000000000001000 T outer\n"
		 "0000000000001400 T inner\n"
		 "0000000000001800 T outer\n"
		 "0000000000001ff0 T [prog+0x1ff0]\n"
		 "0000000000100000 T h\n"
		 "0000000000100800 T k\n"
		 "0000000000100c00 T [lib+0x1c00]\n"
		 "0000000000200000 T [unknown]\n"
		 "0000000000200010 T [end]\n",
		 program->path, made_binary(run->profile, "lib")->path);
	ck_assert_str_eq(reread->text.bytes, head);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

START_TEST(a_build_id_is_told_in_hexadecimal)
{
	/* Sizes of name and content, NT_GNU_BUILD_ID, both filled up to 4. */
	static const uint8_t note[] = {4,   0, 0,    0,    3,    0,   0,
				       0,   3, 0,    0,    0,    'G', 'N',
				       'U', 0, 0x0a, 0xbc, 0xff, 0};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	struct prf_collector *run = made_run(NULL);
	struct elf_section text = {.name = ".text",
				   .flags = SHF_ALLOC | SHF_EXECINSTR,
				   .vaddr = 0x1000,
				   .size = 0x1000};
	struct elf_section id = {.name = ".note.gnu.build-id",
				 .type = SHT_NOTE,
				 .flags = SHF_ALLOC,
				 .vaddr = 0x3000,
				 .bytes = note,
				 .size = sizeof note};
	size_t size;

	elf_builder_section(builder, &text);
	elf_builder_section(builder, &id);
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R | PF_X,
						  .p_offset = 0x1000,
						  .p_vaddr = 0x1000,
						  .p_filesz = 0x1000,
						  .p_memsz = 0x1000});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_NOTE,
						  .p_flags = PF_R,
						  .p_offset = 0x3000,
						  .p_vaddr = 0x3000,
						  .p_filesz = sizeof note,
						  .p_memsz = sizeof note});
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(made_path("prog"), bytes, size);
	free(bytes);
	made_exec(run, "prog");
	made_map(run, "prog", prog);
	made_ticks(run, prog, 1);
	made_finish(run);
	struct reread *reread = reread_run(run);
	char *word = word_of(reread->text.bytes, "# object ", 5);
	ck_assert_str_eq(word, "0abcff");
	free(word);
	free_reread(reread);
	made_run_free(run);
}
END_TEST

/* --- Which symbols are in the list */

static const struct elf_symbol six[] = {
	{"a", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"b", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"c", 0x1200, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"d", 0x1300, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"e", 0x1400, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"f", 0x1500, 0xb00, STB_GLOBAL, STT_FUNC, 1},
};

/* Where ticks fell or an arc ends, and the names that are needed for it. */
static const struct {
	uint64_t tick, from, to;
	const char *names;
} needs[] = {
	{0x1000, 0, 0, "a b "},          {0x1250, 0, 0, "c d "},
	{0x12fe, 0, 0, "c d "},          {0x1fff, 0, 0, "f "},
	{0x1000, 0x1400, 0, "a b e f "}, {0x1000, 0, 0x1200, "a b c d "},
	{0, 0x1310, 0x14ff, "d e f "},   {0, 0, 0, ""},
};

/* The names of all symbols, with a blank behind each. */
static void
join_names(const struct syms *syms, char *names)
{
	*names = '\0';
	for (size_t i = 0; i + 1 < syms->n; i++)
		sprintf(names + strlen(names), "%s ", syms->all[i].name);
}

START_TEST(a_list_has_what_gprof_needs_or_all)
{
	struct prf_collector *run = begin(six, 6);
	char names[64 * GPROF_LINE];

	if (needs[_i].tick)
		made_ticks(run, prog + needs[_i].tick - 0x1000, 1);
	made_finish(run);
	struct prf_binary *program = run->profile->program;
	struct prf_arc_end anywhere = {program, needs[_i].tick ? needs[_i].tick
							       : 0x1310};
	const struct prf_arc arc = {
		needs[_i].from ? (struct prf_arc_end){program, needs[_i].from}
			       : anywhere,
		needs[_i].to ? (struct prf_arc_end){program, needs[_i].to}
			     : anywhere,
		1,
	};
	if (needs[_i].from || needs[_i].to)
		ck_assert_int_eq(prf_arcs_add(&run->profile->arcs, &arc), 0);
	struct prf_gmon_layout *layout = made_layout(run->profile);
	for (int all = 0; all < 2; all++) {
		struct reread *reread = reread_layout(layout, all);

		join_names(&reread->syms, names);
		ck_assert_str_eq(names, all ? "a b c d e f " : needs[_i].names);
		free_reread(reread);
	}
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

/* --- By address: as lists of other files have it */

static struct prf_profile *profile;

static void
begin_profile(void)
{
	profile = made_profile();
}

static void
end_profile(void)
{
	prf_profile_free(profile);
}

START_TEST(a_symbol_in_the_middle_of_a_counter_is_needed)
{
	struct prf_binary *app =
		made_add_binary(profile, "/bin/app", 0x1000, 0x2000);
	char names[64 * GPROF_LINE];

	app->is_program = true;
	made_name_address(app, 0x1000, "a");
	made_name_address(app, 0x1101, "b");
	made_name_address(app, 0x1200, "c");
	made_name_address(app, 0x1300, "d");
	made_count(profile, app, 0x1100, 5);
	struct prf_gmon_layout *layout = made_layout(profile);
	struct reread *reread = reread_layout(layout, false);
	join_names(&reread->syms, names);
	ck_assert_str_eq(names, "a b c ");
	free_reread(reread);
	prf_gmon_layout_free(layout);
}
END_TEST

/* --- The bytes */

/* A counter of 2 bytes at OFF of a block that begins behind a header and the
 * head of a record. */
enum { HEADER_BYTES = 20, HEAD_BYTES = 1 + 8 + 8 + 4 + 4 + 15 + 1 };

static unsigned
counter_at(const struct made_file *file, size_t block, size_t off)
{
	size_t at = HEADER_BYTES + HEAD_BYTES +
		    block * (HEAD_BYTES + PRF_GMON_BLOCK_BYTES) + off;

	ck_assert_uint_lt(at + 1, file->size);
	return (uint8_t)file->bytes[at] | (unsigned)(uint8_t)file->bytes[at + 1]
						  << 8;
}

START_TEST(a_file_has_a_header_blocks_and_arcs)
{
	static const uint8_t head[] =
		"gmon\1\0\0\0profrun\0\0\0\0\0"
		"\0\0\x10\0\0\0\0\0\0\0\x14\0\0\0\0\0\0"
		"\0\2\0\0\x2c\1\0\0samples\0\0\0\0\0\0\0\0x";
	static const uint8_t arc[] = "\1\4\x10\0\0\0\0\0\0\0\x10\0\0\0\0\0\0"
				     "\x09\0\0\0"
				     "\1\5\x10\0\0\0\0\0\0\0\x10\0\0\0\0\0\0"
				     "\x07\0\0\0";
	struct prf_binary *app =
		made_add_binary(profile, "/bin/app", 0x1000, 0x2000);
	const struct prf_arc arcs[] = {{{app, 0x1005}, {app, 0x1000}, 7},
				       {{app, 0x1004}, {app, 0x1000}, 9}};

	profile->unit = (struct prf_profile_unit){300, "samples", 'x'};
	app->is_program = true;
	made_name_address(app, 0x1000, "main");
	made_count(profile, app, 0x1002, 0x102);
	made_count(profile, app, 0x1404, 70000);
	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(prf_arcs_add(&profile->arcs, &arcs[i]), 0);
	struct prf_gmon_layout *layout = made_layout(profile);
	struct made_file file = made_write_ticks(layout);
	ck_assert_mem_eq(file.bytes, head, HEADER_BYTES + HEAD_BYTES);
	ck_assert_uint_eq(counter_at(&file, 0, 0), 0);
	ck_assert_uint_eq(counter_at(&file, 0, 2), 0x102);
	/* What one record cannot hold is in another of the same block. */
	ck_assert_uint_eq(counter_at(&file, 1, 4), 65535);
	ck_assert_uint_eq(counter_at(&file, 2, 4), 70000 - 65535);
	ck_assert_uint_eq(file.size,
			  HEADER_BYTES +
				  3 * (HEAD_BYTES + PRF_GMON_BLOCK_BYTES) +
				  sizeof arc - 1);
	ck_assert_mem_eq(file.bytes + file.size - (sizeof arc - 1), arc,
			 sizeof arc - 1);
	free(file.bytes);
	prf_gmon_layout_free(layout);
}
END_TEST

START_TEST(what_a_counter_of_a_name_cannot_hold_goes_on_in_the_next)
{
	struct prf_binary *kernel = made_add_binary(profile, "[kernel]", 0, 0);
	uint64_t most = (uint64_t)PRF_GMON_MAX_TICKS * 8;

	made_count_name(profile, kernel, "read", most);
	made_count_name(profile, kernel, "write", 1);
	struct prf_gmon_layout *layout = made_layout(profile);
	struct reread *reread = reread_layout(layout, false);
	check_ticks(reread, "[kernel]:read", most);
	check_ticks(reread, "[kernel]:write", 1);
	free_reread(reread);
	prf_gmon_layout_free(layout);
}
END_TEST

START_TEST(more_than_gprof_can_add_is_refused)
{
	struct prf_error err = {0};
	FILE *out = tmpfile();

	if (_i) {
		made_count_name(profile,
				made_add_binary(profile, "[kernel]", 0, 0),
				"read", (uint64_t)PRF_GMON_MAX_TICKS * 8 + 1);
	} else {
		struct prf_binary *app =
			made_add_binary(profile, "/bin/app", 0, 0x2000);

		made_count(profile, app, 0x1002, UINT32_MAX);
		made_count(profile, app, 0x1003, 1);
		app->is_program = true;
	}
	struct prf_gmon_layout *layout = made_layout(profile);
	ck_assert_int_eq(prf_gmon_files_write_ticks(layout, out, &err),
			 -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(err.text, _i ? "0x10000e" : "0x1002"));
	prf_gmon_layout_free(layout);
	fclose(out);
}
END_TEST

static const struct {
	const char *bytes;
	size_t n;
	enum prf_gmon_files_writer writer;
} heads[] = {
	{"gmon\1\0\0\0profrun\0\0\0\0\0", 20, PRF_GMON_FILES_PROFRUN},
	{"gmon\0\0\0\1profrun\0\0\0\0\0and more", 28, PRF_GMON_FILES_PROFRUN},
	{"gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, PRF_GMON_FILES_ANOTHER},
	{"gmon\1\0\0\0profruns\0\0\0\0", 20, PRF_GMON_FILES_ANOTHER},
	{"gmon\1\0\0\0gprof\0\0\0\0\0\0\0", 20, PRF_GMON_FILES_ANOTHER},
	/* Cut: what is written here appears whole. */
	{"gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 19, PRF_GMON_FILES_ANOTHER},
	{"gmon", 4, PRF_GMON_FILES_ANOTHER},
	/* 4.4BSD: addresses of 8 bytes and of 4, the other byte order. */
	{"........,,,,,,,,size\x79\x18\5\0rate", 28, PRF_GMON_FILES_ANOTHER},
	{"....,,,,size\x79\x18\5\0rate", 20, PRF_GMON_FILES_ANOTHER},
	{"....,,,,size\0\5\x18\x79rate", 20, PRF_GMON_FILES_ANOTHER},
	/* Not a gmon.out at all. */
	{"# profrun 1\n and other text", 26, PRF_GMON_FILES_NO_GMON},
	{"x", 1, PRF_GMON_FILES_NO_GMON},
};

START_TEST(who_has_written_a_file_is_in_its_header)
{
	FILE *in = fmemopen((void *)heads[_i].bytes, heads[_i].n, "r");

	ck_assert_int_eq(prf_gmon_files_writer(in), heads[_i].writer);
	fclose(in);
}
END_TEST

START_TEST(an_empty_file_is_nobodys)
{
	FILE *in = fopen("/dev/null", "re");

	ck_assert_int_eq(prf_gmon_files_writer(in), PRF_GMON_FILES_NOBODY);
	fclose(in);
}
END_TEST

/* --- Failures */

START_TEST(a_full_disk_is_said)
{
	struct prf_collector *run = begin(nested, 2);
	struct prf_error err = {0};
	FILE *out = fopen("/dev/full", "we");

	if (!out)
		return; /* no such device */
	made_ticks(run, prog, 1);
	made_finish(run);
	struct prf_gmon_layout *layout = made_layout(run->profile);
	ck_assert_int_eq(_i ? prf_gmon_files_write_syms(layout, true, out, &err)
			    : prf_gmon_files_write_ticks(layout, out, &err),
			 -ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
	fclose(out);
	prf_gmon_layout_free(layout);
	made_run_free(run);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_files");
	TCase *tcase = tcase_create("gmon_files");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, gprof_would_tell_each_function_its_ticks);
	tcase_add_test(tcase, one_binary_alone_is_told_its_ticks);
	tcase_add_loop_test(tcase, no_ticks_make_one_block_of_zeros, 0, 2);
	tcase_add_loop_test(tcase, the_class_and_the_order_are_the_programs, 0,
			    4);
	tcase_add_loop_test(
		tcase, a_name_is_one_word_of_a_line_whatever_is_in_it, 0, 8);
	tcase_add_loop_test(tcase, a_path_is_one_word_and_can_be_read_back, 0,
			    4);
	tcase_add_test(tcase, the_head_tells_the_format_and_every_place);
	tcase_add_test(tcase, a_build_id_is_told_in_hexadecimal);
	tcase_add_loop_test(tcase, a_full_disk_is_said, 0, 2);
	tcase_add_loop_test(tcase, a_list_has_what_gprof_needs_or_all, 0,
			    sizeof needs / sizeof *needs);
	tcase_add_test(tcase, an_empty_file_is_nobodys);
	tcase_add_loop_test(tcase, who_has_written_a_file_is_in_its_header, 0,
			    sizeof heads / sizeof *heads);
	suite_add_tcase(suite, tcase);

	TCase *bytes = tcase_create("profile");
	tcase_set_timeout(bytes, 60);
	tcase_add_checked_fixture(bytes, begin_profile, end_profile);
	tcase_add_test(bytes, a_symbol_in_the_middle_of_a_counter_is_needed);
	tcase_add_test(bytes, a_file_has_a_header_blocks_and_arcs);
	tcase_add_test(
		bytes,
		what_a_counter_of_a_name_cannot_hold_goes_on_in_the_next);
	tcase_add_loop_test(bytes, more_than_gprof_can_add_is_refused, 0, 2);
	suite_add_tcase(suite, bytes);
	return suite;
}
