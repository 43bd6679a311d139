#include "image/image.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct prf_image *
open_bytes(char *bytes, size_t size)
{
	struct prf_error err = {0};
	struct prf_image *image = NULL;

	ck_assert_msg(
		prf_image_open_memory(bytes, size, "test", &image, &err) == 0,
		"%s", err.text);
	free(bytes);
	return image;
}

static struct prf_image *
open_simple(const struct elf_kind *kind, const struct elf_symbol *symbols,
	    size_t n)
{
	size_t size;
	char *bytes = elf_build_simple(kind, 0x400, symbols, n, &size);

	return open_bytes(bytes, size);
}

/* The name of the piece at VADDR. */
static const char *
name_at(const struct prf_image *image, uint64_t vaddr)
{
	size_t n, i = prf_image_text_at(image, vaddr);
	const struct prf_text *texts = prf_image_texts(image, &n);

	ck_assert_uint_lt(i, n);
	return texts[i].name;
}

/* Names that gprof would lose are names like others. */
static const struct elf_symbol odd_names[] = {
	{"f.constprop.0", 0x1000, 0x10, STB_LOCAL, STT_FUNC, 1},
	{"f.cold", 0x1010, 0x10, STB_LOCAL, STT_FUNC, 1},
	{"_ZN4core3ptr$LT$T$GT$E", 0x1020, 0x10, STB_LOCAL, STT_FUNC, 1},
	{"main.main", 0x1030, 0x10, STB_LOCAL, STT_FUNC, 1},
	{"resolver", 0x1040, 0x10, STB_GLOBAL, STT_GNU_IFUNC, 1},
	{"weak", 0x1050, 0x10, STB_WEAK, STT_FUNC, 1},
	{"unique", 0x1060, 0x10, STB_GNU_UNIQUE, STT_FUNC, 1},
	{"$dollar", 0x1070, 0x10, STB_LOCAL, STT_FUNC, 1},
	{"_start", 0x1080, 0, STB_GLOBAL, STT_NOTYPE, 1},
	{"absolute", 0x1090, 0x10, STB_GLOBAL, STT_FUNC, SHN_ABS},
};

START_TEST(symbols_of_every_kind_are_named_in_every_kind_of_file)
{
	struct prf_image *image =
		open_simple(&elf_kinds[_i], odd_names, COUNT(odd_names));

	for (size_t i = 0; i < COUNT(odd_names); i++)
		ck_assert_str_eq(name_at(image, odd_names[i].vaddr + 15),
				 odd_names[i].name);
	ck_assert_str_eq(name_at(image, 0x10a0), "[.text]");
	ck_assert_str_eq(prf_image_info(image)->names_from, ".symtab");
	ck_assert_ptr_null(prf_image_warning(image));
	prf_image_close(image);
}
END_TEST

START_TEST(class_and_byte_order_are_the_files)
{
	const struct elf_kind *kind = &elf_kinds[_i];
	struct prf_image *image = open_simple(kind, NULL, 0);
	const struct prf_image_info *info = prf_image_info(image);

	ck_assert_int_eq(info->addr_bytes, kind->class == ELFCLASS32 ? 4 : 8);
	ck_assert_int_eq(info->big_endian, kind->order == ELFDATA2MSB);
	ck_assert_int_eq(info->machine, kind->machine);
	ck_assert_int_eq(info->type, kind->type);
	ck_assert_uint_eq(info->build_id_size, 0);
	ck_assert_str_eq(info->names_from, "");
	prf_image_close(image);
}
END_TEST

/* None of these is the name of code. */
static const struct elf_symbol no_names[] = {
	{"object", 0x1000, 0x10, STB_GLOBAL, STT_OBJECT, 1},
	{"section", 0x1010, 0, STB_LOCAL, STT_SECTION, 1},
	{"file.c", 0x1020, 0, STB_LOCAL, STT_FILE, SHN_ABS},
	{"tls", 0x1030, 0x10, STB_GLOBAL, STT_TLS, 1},
	{"undefined", 0x1040, 0x10, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	{"common", 0x1050, 0x10, STB_GLOBAL, STT_FUNC, SHN_COMMON},
	{".L1", 0x1060, 0, STB_LOCAL, STT_NOTYPE, 1},
	{".annobin_f.c", 0x1070, 0, STB_LOCAL, STT_NOTYPE, 1},
	{"elsewhere", 0x1080, 0, STB_GLOBAL, STT_NOTYPE, 2},
	{"absolute", 0x1090, 0, STB_GLOBAL, STT_NOTYPE, SHN_ABS},
	{"below", 0xff0, 0x10, STB_GLOBAL, STT_FUNC, 1},
	{"etext", 0x1400, 0, STB_GLOBAL, STT_NOTYPE, 1},
	{"", 0x10a0, 0x10, STB_GLOBAL, STT_FUNC, 1},
};

START_TEST(what_is_no_code_names_nothing)
{
	struct prf_image *image =
		open_simple(&elf_kinds[0], no_names, COUNT(no_names));
	size_t n;

	prf_image_texts(image, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(name_at(image, 0x1000), "[.text]");
	prf_image_close(image);
}
END_TEST

/* Changes the first symbol of .symtab in BYTES, a 64-bit file of this machine's
 * byte order: its name begins ABOVE the end of the strings. */
static void
take_name(char *bytes, uint32_t above)
{
	const Elf64_Ehdr *ehdr = (const void *)bytes;
	const Elf64_Shdr *shdrs = (const void *)(bytes + ehdr->e_shoff);
	const Elf64_Shdr *symtab = shdrs;

	while (symtab->sh_type != SHT_SYMTAB)
		symtab++;
	Elf64_Sym *symbols = (void *)(bytes + symtab->sh_offset);
	symbols[1].st_name = (uint32_t)shdrs[symtab->sh_link].sh_size + above;
}

START_TEST(a_name_that_begins_beyond_the_strings_is_none)
{
	static const uint32_t above[] = {0, 1, 0x7fffffff};
	static const struct elf_symbol two[] = {
		{"lost", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
		{"kept", 0x1010, 0x10, STB_GLOBAL, STT_FUNC, 1},
	};
	size_t size;
	char *bytes =
		elf_build_simple(&elf_kinds[0], 0x400, two, COUNT(two), &size);

	take_name(bytes, above[_i]);
	struct prf_image *image = open_bytes(bytes, size);
	ck_assert_str_eq(name_at(image, 0x1000), "[.text]");
	ck_assert_str_eq(name_at(image, 0x1010), "kept");
	prf_image_close(image);
}
END_TEST

static const struct elf_symbol mapping[] = {
	{"f", 0x1000, 0, STB_GLOBAL, STT_FUNC, 1},
	{"$x", 0x1010, 0, STB_LOCAL, STT_NOTYPE, 1},
	{"$d.1", 0x1020, 0, STB_LOCAL, STT_NOTYPE, 1},
	{"$xrv64i2p1_c2p0", 0x1030, 0, STB_LOCAL, STT_NOTYPE, 1},
	{"$data", 0x1040, 0, STB_LOCAL, STT_NOTYPE, 1},
};

START_TEST(marks_between_code_and_data_are_no_functions)
{
	static const uint16_t machines[] = {EM_AARCH64, EM_RISCV};
	const struct elf_kind kind = {ELFCLASS64, ELFDATA2LSB, machines[_i],
				      ET_DYN};
	struct prf_image *image = open_simple(&kind, mapping, COUNT(mapping));

	ck_assert_str_eq(name_at(image, 0x103e), "f");
	ck_assert_str_eq(name_at(image, 0x1040), "$data");
	prf_image_close(image);
}
END_TEST

START_TEST(where_there_are_no_such_marks_they_are_names)
{
	struct prf_image *image =
		open_simple(&elf_kinds[0], mapping, COUNT(mapping));

	ck_assert_str_eq(name_at(image, 0x1010), "$x");
	prf_image_close(image);
}
END_TEST

START_TEST(a_thumb_function_begins_at_the_even_address)
{
	static const struct elf_symbol thumb[] = {
		{"thumb", 0x1011, 0x10, STB_GLOBAL, STT_FUNC, 1}};
	const struct elf_kind kind = {ELFCLASS32, ELFDATA2LSB, EM_ARM, ET_DYN};
	struct prf_image *image = open_simple(&kind, thumb, 1);
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);

	ck_assert_uint_eq(texts[1].vaddr, 0x1010);
	ck_assert_uint_eq(texts[1].hi, 0x1020);
	prf_image_close(image);
}
END_TEST

static struct elf_builder *
builder_with_text(void)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);

	elf_builder_text(builder);
	return builder;
}

static struct prf_image *
finish(struct elf_builder *builder)
{
	size_t size;
	char *bytes = elf_builder_finish(builder, &size);

	elf_builder_free(builder);
	return open_bytes(bytes, size);
}

START_TEST(dynsym_adds_what_symtab_has_not)
{
	static const struct elf_symbol in_symtab[] = {
		{"f@@VERS_1", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
		{"only_here", 0x1010, 0x10, STB_LOCAL, STT_FUNC, 1}};
	static const struct elf_symbol in_dynsym[] = {
		{"f", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
		{"only_there", 0x1020, 0x10, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_builder *builder = builder_with_text();

	elf_builder_symbols(builder, SHT_SYMTAB, 0, in_symtab, 2);
	elf_builder_symbols(builder, SHT_DYNSYM, 0, in_dynsym, 2);
	struct prf_image *image = finish(builder);
	ck_assert_str_eq(name_at(image, 0x1000), "f");
	ck_assert_str_eq(name_at(image, 0x1010), "only_here");
	ck_assert_str_eq(name_at(image, 0x1020), "only_there");
	ck_assert_str_eq(prf_image_info(image)->names_from, ".symtab");
	prf_image_close(image);
}
END_TEST

START_TEST(a_stripped_file_has_its_dynsym)
{
	static const struct elf_symbol symbols[] = {
		{"exported", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_builder *builder = builder_with_text();

	elf_builder_symbols(builder, SHT_DYNSYM, 0, symbols, 1);
	struct prf_image *image = finish(builder);
	ck_assert_str_eq(name_at(image, 0x1000), "exported");
	ck_assert_str_eq(prf_image_info(image)->names_from, ".dynsym");
	prf_image_close(image);
}
END_TEST

START_TEST(names_outside_of_their_table_are_a_warning)
{
	static const struct elf_symbol symbols[] = {
		{"good", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
		{"badly_placed", 0x1010, 0x10, STB_GLOBAL, STT_FUNC, 1}};
	size_t size;
	char *bytes = elf_build_simple(&elf_kinds[0], 0x400, symbols, 2, &size);
	const Elf64_Ehdr *ehdr = (void *)bytes;
	Elf64_Shdr *symtab = (Elf64_Shdr *)(void *)(bytes + ehdr->e_shoff) + 2;
	Elf64_Sym *entry = (Elf64_Sym *)(void *)(bytes + symtab->sh_offset);

	ck_assert_uint_eq(symtab->sh_type, SHT_SYMTAB);
	entry[2].st_name = UINT32_MAX;
	struct prf_image *image = open_bytes(bytes, size);
	ck_assert_str_eq(name_at(image, 0x1000), "good");
	ck_assert_str_eq(name_at(image, 0x1010), "[.text]");
	ck_assert_ptr_nonnull(
		strstr(prf_image_warning(image), "1 symbols have names"));
	prf_image_close(image);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("symtab");
	TCase *tcase = tcase_create("symtab");

	tcase_add_loop_test(
		tcase, symbols_of_every_kind_are_named_in_every_kind_of_file, 0,
		4);
	tcase_add_loop_test(tcase, class_and_byte_order_are_the_files, 0, 4);
	tcase_add_test(tcase, what_is_no_code_names_nothing);
	tcase_add_loop_test(
		tcase, a_name_that_begins_beyond_the_strings_is_none, 0, 3);
	tcase_add_loop_test(tcase, marks_between_code_and_data_are_no_functions,
			    0, 2);
	tcase_add_test(tcase, where_there_are_no_such_marks_they_are_names);
	tcase_add_test(tcase, a_thumb_function_begins_at_the_even_address);
	tcase_add_test(tcase, dynsym_adds_what_symtab_has_not);
	tcase_add_test(tcase, a_stripped_file_has_its_dynsym);
	tcase_add_test(tcase, names_outside_of_their_table_are_a_warning);
	suite_add_tcase(suite, tcase);
	return suite;
}
