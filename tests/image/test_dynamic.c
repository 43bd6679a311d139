#include "image/image.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static const struct elf_symbol symbols[] = {
	{"imported", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	{"f", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1010, 0x10, STB_GLOBAL, STT_FUNC, 1},
};
enum { N_SYMBOLS = 4, HASH_VADDR = 0x1800, TABLE_VADDR = 0x1a00 };

/* Buckets: 1, of one chain; nchain is the number of symbols. */
static const uint32_t hash[] = {1, N_SYMBOLS, 1, 0, 2, 3, 0};
/* From symbol 2 on, 2 buckets, a Bloom filter of 1; chains of 1, and 1. */
static const uint32_t gnu_hash_64[] = {2, 2, 1, 0, 0, 0, 2, 3, 0x11, 0x21};
static const uint32_t gnu_hash_32[] = {2, 2, 1, 0, 0, 2, 3, 0x11, 0x21};

/* A file of KIND without section headers; its dynamic section has TAG for the
 * hash table, N_WORDS of it. */
static char *
build(const struct elf_kind *kind, int64_t tag, const uint32_t *words,
      size_t n_words, size_t *size)
{
	struct elf_builder *builder = elf_builder_new(kind);

	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = 0x1000,
					     .size = 0x100});
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".hash",
						  .type = SHT_HASH,
						  .flags = SHF_ALLOC,
						  .vaddr = HASH_VADDR,
						  .bytes = words,
						  .size = n_words * 4});
	uint16_t table =
		elf_builder_symbols(builder, SHT_DYNSYM, TABLE_VADDR, symbols,
				    sizeof symbols / sizeof *symbols);
	GElf_Shdr header = elf_builder_header(builder, table);
	GElf_Shdr strings =
		elf_builder_header(builder, (uint16_t)header.sh_link);
	const int64_t tags[][2] = {{DT_SYMTAB, TABLE_VADDR},
				   {DT_STRTAB, (int64_t)strings.sh_addr},
				   {DT_STRSZ, (int64_t)strings.sh_size},
				   {tag, HASH_VADDR},
				   {DT_NULL, 0}};
	Elf64_Dyn dyn64[5];
	Elf32_Dyn dyn32[5];
	for (int i = 0; i < 5; i++) {
		dyn64[i].d_tag = tags[i][0];
		dyn64[i].d_un.d_val = (uint64_t)tags[i][1];
		dyn32[i].d_tag = (int32_t)tags[i][0];
		dyn32[i].d_un.d_val = (uint32_t)tags[i][1];
	}
	bool wide = kind->class == ELFCLASS64;
	size_t dyn_size = wide ? sizeof dyn64 : sizeof dyn32;
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".dynamic",
						  .type = SHT_DYNAMIC,
						  .flags = SHF_ALLOC,
						  .vaddr = 0x1f00,
						  .bytes = wide ? (void *)dyn64
								: (void *)dyn32,
						  .size = dyn_size});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_X | PF_R,
						  .p_offset = 0x1000,
						  .p_vaddr = 0x1000,
						  .p_filesz = 0x100});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R,
						  .p_offset = 0x1800,
						  .p_vaddr = 0x1800,
						  .p_filesz = 0x800});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_DYNAMIC,
						  .p_offset = 0x1f00,
						  .p_vaddr = 0x1f00,
						  .p_filesz = dyn_size});
	char *bytes = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	elf_drop_sections(bytes);
	return bytes;
}

static struct prf_image *
open_built(const struct elf_kind *kind, int64_t tag, const uint32_t *words,
	   size_t n_words)
{
	struct prf_error err = {0};
	struct prf_image *image = NULL;
	size_t size;
	char *bytes = build(kind, tag, words, n_words, &size);

	ck_assert_msg(
		prf_image_open_memory(bytes, size, "test", &image, &err) == 0,
		"%s", err.text);
	free(bytes);
	return image;
}

static void
check_names(struct prf_image *image)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);

	ck_assert_ptr_null(prf_image_warning(image));
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(texts[0].name, "f");
	ck_assert_str_eq(texts[1].name, "g");
	ck_assert_str_eq(texts[2].name, "[text]");
	ck_assert_str_eq(prf_image_info(image)->names_from, ".dynsym");
	prf_image_close(image);
}

START_TEST(dt_hash_leads_to_the_names)
{
	check_names(open_built(&elf_kinds[_i], DT_HASH, hash,
			       sizeof hash / sizeof *hash));
}
END_TEST

START_TEST(dt_gnu_hash_leads_to_the_names)
{
	bool wide = elf_kinds[_i].class == ELFCLASS64;

	check_names(open_built(&elf_kinds[_i], DT_GNU_HASH,
			       wide ? gnu_hash_64 : gnu_hash_32,
			       wide ? 10 : 9));
}
END_TEST

START_TEST(without_a_hash_there_are_no_names)
{
	struct prf_image *image = open_built(&elf_kinds[_i], DT_DEBUG, hash, 7);
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);

	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(texts[0].name, "[text]");
	prf_image_close(image);
}
END_TEST

/* Counts and offsets that lead out of the file. */
static const struct {
	int64_t tag;
	uint32_t words[10];
} wild[] = {
	{DT_HASH, {1, UINT32_MAX}},
	{DT_GNU_HASH, {UINT32_MAX, 2, 1, 0, 0, 0, 2, 3, 0x11, 0x21}},
	{DT_GNU_HASH, {2, 2, UINT32_MAX, 0, 0, 0, 2, 3, 0x11, 0x21}},
	{DT_GNU_HASH, {2, 2, 1, 0, 0, 0, UINT32_MAX, 3, 0x11, 0x21}},
	{DT_GNU_HASH, {2, 2, 1, 0, 0, 0, 0x70, 0x70, 2, 2}},
};

START_TEST(wild_counts_are_a_warning)
{
	struct prf_image *image =
		open_built(&elf_kinds[0], wild[_i].tag, wild[_i].words, 10);
	size_t n;

	prf_image_texts(image, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_ptr_nonnull(prf_image_warning(image));
	prf_image_close(image);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("dynamic");
	TCase *tcase = tcase_create("dynamic");

	tcase_add_loop_test(tcase, dt_hash_leads_to_the_names, 0, 4);
	tcase_add_loop_test(tcase, dt_gnu_hash_leads_to_the_names, 0, 4);
	tcase_add_loop_test(tcase, without_a_hash_there_are_no_names, 0, 4);
	tcase_add_loop_test(tcase, wild_counts_are_a_warning, 0,
			    (int)(sizeof wild / sizeof *wild));
	suite_add_tcase(suite, tcase);
	return suite;
}
