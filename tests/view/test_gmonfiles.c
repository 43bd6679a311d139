#include "view/gmonfiles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/gmon.h"
#include "core/gmon_read.h"
#include "support/suite.h"
#include "view/made.h"

static const uint64_t prog = 0x555555555000, lib = 0x7f0000001000,
		      jit = 0x7f0001000000;

/* A file that was written, in memory. */
struct written {
	char *bytes;
	size_t size;
};

static struct prf_whole *
whole_of(const struct prf_profile *profile)
{
	struct prf_whole *whole = NULL;

	ck_assert_int_eq(prf_whole_new(profile, &whole, NULL), 0);
	return whole;
}

static struct written
write_ticks(const struct prf_whole *whole, uint32_t rate_hz)
{
	struct written file;
	struct prf_error err = {0};
	FILE *out = open_memstream(&file.bytes, &file.size);

	ck_assert_ptr_nonnull(out);
	ck_assert_msg(!prf_gmonfiles_write_ticks(whole, rate_hz, out, &err),
		      "%s", err.text);
	ck_assert_int_eq(fclose(out), 0);
	return file;
}

static struct written
write_syms(const struct prf_whole *whole)
{
	struct written file;
	FILE *out = open_memstream(&file.bytes, &file.size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(prf_gmonfiles_write_syms(whole, out, NULL), 0);
	ck_assert_int_eq(fclose(out), 0);
	return file;
}

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
read_syms(const struct written *file, struct syms *syms)
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
	struct written text; /* of the symbols; ends with a NUL */
};

static struct reread *
reread_whole(const struct prf_whole *whole)
{
	struct reread *reread = calloc(1, sizeof *reread);
	struct written ticks = write_ticks(whole, 250);
	struct prf_error err = {0};

	ck_assert_msg(!prf_gmon_parse(ticks.bytes, ticks.size, NULL,
				      &reread->gmon, &err),
		      "%s", err.text);
	reread->text = write_syms(whole);
	read_syms(&reread->text, &reread->syms);
	free(ticks.bytes);
	return reread;
}

static struct reread *
reread_profile(const struct prf_profile *profile)
{
	struct prf_whole *whole = whole_of(profile);
	struct reread *reread = reread_whole(whole);

	prf_whole_free(whole);
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

/* --- Profiles */

static struct prf_profile *
begin(const struct elf_symbol *symbols, size_t n)
{
	const struct prf_profile_config config = {.kernel_apart = true};
	struct prf_profile *profile = made_profile(&config);
	static const struct elf_symbol hk[] = {
		{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
		{"k", 0x1800, 0x400, STB_GLOBAL, STT_FUNC, 1},
	};

	made_elf("prog", symbols, n);
	made_elf("lib", hk, 2);
	made_exec(profile, "prog");
	made_map(profile, "prog", prog);
	made_map(profile, "lib", lib);
	made_map_kind(profile, PRF_MAPPING_ANON, jit, 0x1000);
	return profile;
}

static const struct elf_symbol nested[] = {
	{"outer", 0x1000, 0xff0, STB_GLOBAL, STT_FUNC, 1},
	{"inner", 0x1400, 0x400, STB_GLOBAL, STT_FUNC, 1},
};

START_TEST(gprof_would_tell_each_function_its_ticks)
{
	struct prf_profile *profile = begin(nested, 2);

	made_ticks(profile, prog + 0x3ff, 1);
	made_ticks(profile, prog + 0x400, 2);
	made_ticks(profile, prog + 0x800, 70000);
	made_ticks(profile, prog + 0xffe, 3);
	made_ticks(profile, lib + 0x7ff, 5);
	made_ticks(profile, lib + 0x800, 7);
	made_ticks(profile, lib + 0xfff, 11);
	made_ticks(profile, jit, 13);
	made_ticks(profile, 0x10, 17);
	made_call(profile, prog, SYS_read, 19);
	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	ck_assert_uint_eq(reread->gmon->rate_hz, 250);
	ck_assert_uint_eq(reread->gmon->ticks, profile->total.ticks);
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
	made_free(profile);
}
END_TEST

START_TEST(one_object_alone_is_told_its_ticks)
{
	struct prf_profile *profile = begin(nested, 2);
	struct prf_whole *whole = NULL;

	made_ticks(profile, prog, 1);
	made_ticks(profile, lib, 5);
	made_finish(profile);
	ck_assert_int_eq(prf_whole_new_single(made_object(profile, "lib"), 8,
					      &whole, NULL),
			 0);
	struct reread *reread = reread_whole(whole);
	ck_assert_uint_eq(reread->gmon->ticks, 5);
	check_ticks(reread, "h", 5);
	ck_assert_uint_eq(reread->syms.all[0].vaddr, 0x1000);
	prf_whole_free(whole);
	free_reread(reread);
	made_free(profile);
}
END_TEST

START_TEST(no_ticks_make_one_block_of_zeros)
{
	struct prf_profile *profile =
		_i ? begin(nested, 2) : made_profile(NULL);

	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	ck_assert_uint_eq(reread->gmon->n_hists, 1);
	ck_assert_uint_eq(reread->gmon->hists[0].lo_vaddr, _i ? 0x1000 : 0);
	ck_assert_uint_eq(reread->gmon->hists[0].hi_vaddr -
				  reread->gmon->hists[0].lo_vaddr,
			  PRF_GMON_BLOCK_BYTES);
	ck_assert_uint_eq(reread->gmon->ticks, 0);
	free_reread(reread);
	made_free(profile);
}
END_TEST

START_TEST(the_class_and_the_order_are_the_programs)
{
	struct prf_profile *profile = made_profile(NULL);
	const struct elf_kind *kind = &elf_kinds[_i];

	made_elf_kind("prog", kind, nested, 2);
	made_exec(profile, "prog");
	made_map(profile, "prog", prog);
	made_ticks(profile, prog, 3);
	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	ck_assert_uint_eq(reread->gmon->reading.addr_bytes,
			  kind->class == ELFCLASS32 ? 4 : 8);
	ck_assert(reread->gmon->reading.big_endian ==
		  (kind->order == ELFDATA2MSB));
	check_ticks(reread, "outer", 3);
	free_reread(reread);
	made_free(profile);
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
		{long_name, NULL},
	};
	memset(long_name, 'n', sizeof long_name - 1);
	const struct elf_symbol symbols[] = {
		{rows[_i].name, 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"next", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_profile *profile = begin(symbols, 2);

	made_ticks(profile, prog, 3);
	made_ticks(profile, prog + 0x100, 4);
	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	const char *word = reread->syms.all[0].name;
	ck_assert_uint_eq(reread->syms.n, 3);
	if (rows[_i].word)
		ck_assert_str_eq(word, rows[_i].word);
	else
		ck_assert_uint_gt(strspn(word, "n"), 900);
	check_ticks(reread, word, 3);
	check_ticks(reread, "next", 4);
	free_reread(reread);
	made_free(profile);
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
	struct prf_profile *profile = begin(nested, 2);
	const struct prf_mapping map = {.kind = PRF_MAPPING_FILE,
					.addr = 0x10000,
					.size = 0x1000,
					.inode = 1,
					.path = paths[_i]};

	memset(long_path, '\t', sizeof long_path - 1);
	long_path[0] = '/';
	made_map_as(profile, &map);
	made_ticks(profile, map.addr, 3);
	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	ck_assert_uint_eq(reread->syms.n, 6);
	char *path = word_of(reread->text.bytes, "# object 100000 ", 6);
	for (const char *c = path; *c; c++)
		ck_assert(*c > ' ' && *c < 0x7f);
	decode(path);
	ck_assert_str_eq(path, paths[_i]);
	free(path);
	free_reread(reread);
	made_free(profile);
}
END_TEST

START_TEST(the_head_tells_the_format_and_every_place)
{
	struct prf_profile *profile = begin(nested, 2);
	char head[2000];

	made_ticks(profile, lib, 5);
	made_ticks(profile, 0x10, 5);
	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	const struct prf_object *program = profile->program;
	snprintf(head, sizeof head,
		 "# gmon.syms 1\n"
		 "# object 1000 2000 0 - %s\n"
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
		 program->path, made_object(profile, "lib")->path);
	ck_assert_str_eq(reread->text.bytes, head);
	free_reread(reread);
	made_free(profile);
}
END_TEST

START_TEST(a_build_id_is_told_in_hexadecimal)
{
	/* Sizes of name and content, NT_GNU_BUILD_ID, both filled up to 4. */
	static const uint8_t note[] = {4,   0, 0,    0,    3,    0,   0,
				       0,   3, 0,    0,    0,    'G', 'N',
				       'U', 0, 0x0a, 0xbc, 0xff, 0};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	struct prf_profile *profile = made_profile(NULL);
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
	made_exec(profile, "prog");
	made_map(profile, "prog", prog);
	made_ticks(profile, prog, 1);
	made_finish(profile);
	struct reread *reread = reread_profile(profile);
	char *word = word_of(reread->text.bytes, "# object ", 5);
	ck_assert_str_eq(word, "0abcff");
	free(word);
	free_reread(reread);
	made_free(profile);
}
END_TEST

START_TEST(a_full_disk_is_said)
{
	struct prf_profile *profile = begin(nested, 2);
	struct prf_error err = {0};
	FILE *out = fopen("/dev/full", "we");

	if (!out)
		return; /* no such device */
	made_ticks(profile, prog, 1);
	made_finish(profile);
	struct prf_whole *whole = whole_of(profile);
	ck_assert_int_eq(_i ? prf_gmonfiles_write_syms(whole, out, &err)
			    : prf_gmonfiles_write_ticks(whole, 100, out, &err),
			 -ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
	fclose(out);
	prf_whole_free(whole);
	made_free(profile);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmonfiles");
	TCase *tcase = tcase_create("gmonfiles");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, gprof_would_tell_each_function_its_ticks);
	tcase_add_test(tcase, one_object_alone_is_told_its_ticks);
	tcase_add_loop_test(tcase, no_ticks_make_one_block_of_zeros, 0, 2);
	tcase_add_loop_test(tcase, the_class_and_the_order_are_the_programs, 0,
			    4);
	tcase_add_loop_test(
		tcase, a_name_is_one_word_of_a_line_whatever_is_in_it, 0, 7);
	tcase_add_loop_test(tcase, a_path_is_one_word_and_can_be_read_back, 0,
			    4);
	tcase_add_test(tcase, the_head_tells_the_format_and_every_place);
	tcase_add_test(tcase, a_build_id_is_told_in_hexadecimal);
	tcase_add_loop_test(tcase, a_full_disk_is_said, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
