#include "image/starts.h"

#include <stdlib.h>
#include <string.h>

#include "support/elf_builder.h"
#include "support/suite.h"

enum { TEXT = 0x1000, TEXT_BYTES = 0x1000 };

static const struct elf_kind x86_64 = {ELFCLASS64, ELFDATA2LSB, EM_X86_64,
				       ET_DYN};
static const struct elf_kind i386 = {ELFCLASS32, ELFDATA2LSB, EM_386, ET_DYN};

static uint8_t text[TEXT_BYTES];
static struct prf_starts starts;

static void
put(uint64_t at, uint8_t opcode, uint64_t target)
{
	uint32_t by = (uint32_t)(target - (at + 5));

	text[at - TEXT] = opcode;
	memcpy(text + (at + 1 - TEXT), &by, sizeof by);
}

static void
read_file(const struct elf_kind *kind, const struct elf_symbol *symbols,
	  size_t n_symbols)
{
	struct elf_builder *builder = elf_builder_new(kind);
	struct prf_object object;
	struct prf_layout layout;
	struct prf_error err;
	size_t size;

	elf_builder_section(builder,
			    &(struct elf_section){.name = ".text",
						  .vaddr = TEXT,
						  .flags = SHF_EXECINSTR,
						  .bytes = text,
						  .size = TEXT_BYTES});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R | PF_X,
						  .p_offset = TEXT,
						  .p_vaddr = TEXT,
						  .p_filesz = TEXT_BYTES});
	if (n_symbols > 0)
		elf_builder_symbols(builder, SHT_SYMTAB, 0, symbols, n_symbols);
	char *file = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	ck_assert_int_eq(
		prf_object_open_memory(&object, file, size, "made", &err), 0);
	ck_assert_int_eq(prf_layout_read_segments(&layout, &object, &err), 0);
	ck_assert_int_eq(prf_starts_read(&starts, &object, &layout), 0);
	prf_layout_free(&layout);
	prf_object_close(&object);
	free(file);
}

static void
begin(void)
{
	memset(text, 0x90, sizeof text);
}

static void
end(void)
{
	prf_starts_free(&starts);
}

static void
check_starts(const uint64_t *want, size_t n)
{
	ck_assert_uint_eq(starts.n, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(starts.all[i], want[i]);
}

START_TEST(symbols_of_functions_tell)
{
	static const struct elf_symbol symbols[] = {
		{"second", 0x1100, 0x10, STB_GLOBAL, STT_FUNC, 1},
		{"first", 0x1000, 0x10, STB_LOCAL, STT_FUNC, 1},
		{"again", 0x1100, 0x10, STB_WEAK, STT_FUNC, 1},
		{"indirect", 0x1200, 0x10, STB_GLOBAL, STT_GNU_IFUNC, 1},
		{"data", 0x1300, 0x10, STB_GLOBAL, STT_OBJECT, 1},
		{"elsewhere", 0x9000, 0x10, STB_GLOBAL, STT_FUNC, 1},
		{"undefined", 0x1400, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	};
	static const uint64_t want[] = {0x1000, 0x1100, 0x1200};
	const struct elf_kind *kinds[] = {&x86_64, &i386};

	put(0x1000, 0xe8, 0x1800); /* symbols know better */
	read_file(kinds[_i], symbols, sizeof symbols / sizeof *symbols);
	check_starts(want, 3);
}
END_TEST

START_TEST(else_calls_do)
{
	static const uint64_t want[] = {0x1104, 0x1208, 0x1400};

	put(0x1010, 0xe8, 0x1208);
	put(0x1210, 0xe8, 0x1104);
	put(0x1220, 0xe8, 0x1104);
	put(0x1230, 0xe8, 0x9000);
	/* Into another function, and within one; between instructions. */
	put(0x1120, 0xe9, 0x1400);
	put(0x1240, 0xe9, 0x1280);
	put(0x1130, 0xe9, 0x1388);
	read_file(&x86_64, NULL, 0);
	check_starts(want, 3);
}
END_TEST

/* Puts OPCODE and MODRM, with a prefix, before NUMBER. */
static void
put_long(uint64_t at, uint8_t opcode, uint8_t modrm, uint32_t number)
{
	const uint8_t bytes[] = {0x48, opcode, modrm};

	memcpy(text + (at - TEXT), bytes, sizeof bytes);
	memcpy(text + (at + 3 - TEXT), &number, sizeof number);
}

/* As main() has, which is called by its address alone. */
START_TEST(so_does_an_address_of_another_function)
{
	static const uint64_t want[] = {0x1208, 0x1500, 0x1600};

	put(0x1010, 0xe8, 0x1208);
	put_long(0x1020, 0x8d, 0x3d, 0x1500 - 0x1027); /* lea, to %rdi */
	put_long(0x1030, 0xc7, 0xc7, 0x1600);          /* mov, to %rdi */
	/* Between instructions, in the same function, to memory, elsewhere. */
	put_long(0x1040, 0x8d, 0x3d, 0x1708 - 0x1047);
	put_long(0x1220, 0x8d, 0x3d, 0x1300 - 0x1227);
	put_long(0x1050, 0xc7, 0x47, 0x1700);
	put_long(0x1060, 0xc7, 0xc7, 0x9000);
	read_file(&x86_64, NULL, 0);
	check_starts(want, 3);
}
END_TEST

START_TEST(the_last_one_before_an_address_is_found)
{
	uint64_t start;

	put(0x1010, 0xe8, 0x1208);
	put(0x1210, 0xe8, 0x1104);
	read_file(&x86_64, NULL, 0);
	ck_assert(!prf_starts_at(&starts, 0x1103, &start));
	ck_assert(prf_starts_at(&starts, 0x1104, &start));
	ck_assert_uint_eq(start, 0x1104);
	ck_assert(prf_starts_at(&starts, 0x1207, &start));
	ck_assert_uint_eq(start, 0x1104);
	ck_assert(prf_starts_at(&starts, UINT64_MAX, &start));
	ck_assert_uint_eq(start, 0x1208);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("starts");
	TCase *tcase = tcase_create("starts");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_loop_test(tcase, symbols_of_functions_tell, 0, 2);
	tcase_add_test(tcase, else_calls_do);
	tcase_add_test(tcase, so_does_an_address_of_another_function);
	tcase_add_test(tcase, the_last_one_before_an_address_is_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
