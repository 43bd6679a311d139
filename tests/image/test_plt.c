#include "image/image.h"
#include "image/stub.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { PLT = 0x1000, GOT_STUB = 0x1100, TEXT = 0x1200, GOT = 0x3000 };
enum { CODE = SHF_ALLOC | SHF_EXECINSTR };

/* One stub: what it is made of and where it leads. */
static const struct {
	uint16_t machine;
	uint8_t entry_bytes;
	uint8_t n;
	uint8_t code[24];
	uint8_t size_bytes;
	bool by_number;
	uint64_t target;
} stubs[] = {
	/* jmp *0x2000(%rip); push $3; jmp */
	{EM_X86_64,
	 16,
	 16,
	 {0xff, 0x25, 0x00, 0x20, 0, 0, 0x68, 3, 0, 0, 0, 0xe9, 0, 0, 0, 0},
	 16,
	 false,
	 0x3006},
	/* jmp *-0x10(%rip); xchg %ax,%ax */
	{EM_X86_64,
	 8,
	 8,
	 {0xff, 0x25, 0xf0, 0xff, 0xff, 0xff, 0x66, 0x90},
	 8,
	 false,
	 0xff6},
	/* endbr64; push $7; bnd jmp; nop */
	{EM_X86_64,
	 16,
	 16,
	 {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 7, 0, 0, 0, 0xf2, 0xe9, 0, 0, 0, 0,
	  0x90},
	 16,
	 true,
	 7},
	/* endbr64; bnd jmp *0x2000(%rip); nopl */
	{EM_X86_64,
	 16,
	 16,
	 {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x00, 0x20, 0, 0, 0x0f,
	  0x1f, 0x44, 0, 0},
	 16,
	 false,
	 0x300b},
	/* endbr64; jmp *0x2000(%rip); nopw */
	{EM_X86_64,
	 16,
	 16,
	 {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0x00, 0x20, 0, 0, 0x66, 0x0f,
	  0x1f, 0x44, 0, 0},
	 16,
	 false,
	 0x300a},
	/* mov $5, %r11d; jmp *0x2000(%rip); int3... (mold) */
	{EM_X86_64,
	 16,
	 16,
	 {0x41, 0xbb, 5, 0, 0, 0, 0xff, 0x25, 0x00, 0x20, 0, 0, 0xcc, 0xcc,
	  0xcc, 0xcc},
	 16,
	 false,
	 0x300c},
	/* endbr64; mov $5, %r11d; jmp *0x2000(%rip) */
	{EM_X86_64,
	 0,
	 16,
	 {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 5, 0, 0, 0, 0xff, 0x25, 0x00,
	  0x20, 0, 0},
	 16,
	 false,
	 0x3010},
	/* mov $8, %ecx; jmp *0xc(%ebx); int3... */
	{EM_386,
	 0,
	 16,
	 {0xb9, 8, 0, 0, 0, 0xff, 0xa3, 0x0c, 0, 0, 0, 0xcc, 0xcc, 0xcc, 0xcc,
	  0xcc},
	 16,
	 false,
	 GOT + 0xc},
	/* jmp *0x804a00c; push $8; jmp */
	{EM_386,
	 4,
	 16,
	 {0xff, 0x25, 0x0c, 0xa0, 0x04, 0x08, 0x68, 8, 0, 0, 0, 0xe9},
	 16,
	 false,
	 0x804a00c},
	/* jmp *0xc(%ebx); push $8; jmp */
	{EM_386,
	 4,
	 16,
	 {0xff, 0xa3, 0x0c, 0, 0, 0, 0x68, 8, 0, 0, 0, 0xe9},
	 16,
	 false,
	 GOT + 0xc},
	/* endbr32; push $0x10; jmp */
	{EM_386,
	 4,
	 16,
	 {0xf3, 0x0f, 0x1e, 0xfb, 0x68, 0x10, 0, 0, 0, 0xe9},
	 16,
	 true,
	 2},
	/* adrp x16, +0x2000; ldr x17, [x16, #8]; add; br x17 */
	{EM_AARCH64,
	 16,
	 16,
	 {0x10, 0, 0, 0xd0, 0x11, 0x06, 0x40, 0xf9, 0x10, 0x22, 0, 0x91, 0x20,
	  0x02, 0x1f, 0xd6},
	 16,
	 false,
	 0x3008},
	/* bti c; adrp x16, -0x1000; ldr x17, [x16]; add; br x17; nop */
	{EM_AARCH64,
	 24,
	 24,
	 {0x5f, 0x24, 0x03, 0xd5, 0xf0, 0xff, 0xff, 0xf0,
	  0x11, 0x02, 0x40, 0xf9, 0x10, 0x02, 0,    0x91,
	  0x20, 0x02, 0x1f, 0xd6, 0x1f, 0x20, 0x03, 0xd5},
	 24,
	 false,
	 0},
};

static bool
decode(int i, size_t size, struct prf_stub *stub)
{
	const struct prf_stub_context context = {
		.machine = stubs[i].machine,
		.entry_bytes = stubs[i].entry_bytes,
		.got_vaddr = GOT,
	};

	return prf_stub_decode(&context, stubs[i].code, size, PLT, stub);
}

START_TEST(a_stub_tells_where_it_leads)
{
	struct prf_stub stub;

	ck_assert(decode(_i, stubs[_i].n, &stub));
	ck_assert_uint_eq(stub.target, stubs[_i].target);
	ck_assert_int_eq(stub.by_number, stubs[_i].by_number);
	ck_assert_uint_eq(stub.size_bytes, stubs[_i].size_bytes);
	ck_assert_uint_eq(stub.vaddr, PLT);
}
END_TEST

START_TEST(a_stub_that_is_cut_is_not_read_beyond)
{
	for (size_t size = 0; size < stubs[_i].n; size++) {
		struct prf_stub stub;
		uint8_t *copy = malloc(size + !size);
		const struct prf_stub_context context = {
			.machine = stubs[_i].machine};

		memcpy(copy, stubs[_i].code, size);
		if (prf_stub_decode(&context, copy, size, PLT, &stub))
			ck_assert_uint_le(stub.size_bytes, size);
		free(copy);
	}
}
END_TEST

START_TEST(the_head_of_a_plt_is_no_stub)
{
	static const uint8_t head[16] = {0xff, 0x35, 2, 0x20, 0, 0,
					 0xff, 0x25, 4, 0x20, 0, 0};
	const struct prf_stub_context context = {.machine = EM_X86_64};
	struct prf_stub stub;

	ck_assert(!prf_stub_decode(&context, head, 16, PLT, &stub));
}
END_TEST

static void
add_plt_got(struct elf_builder *builder, uint64_t vaddr, uint64_t flags)
{
	static const uint8_t plt_got[8] = {0xff, 0x25, 0x0a, 0x1f,
					   0,    0,    0x66, 0x90};

	elf_builder_section(builder, &(struct elf_section){.name = ".plt.got",
							   .flags = flags,
							   .vaddr = vaddr,
							   .bytes = plt_got,
							   .size = 8,
							   .entry_bytes = 8});
}

/* A file whose .plt has a head and two stubs, for slots at GOT and GOT + 8, and
 * whose .plt.got, usually at GOT_STUB and with CODE, has one for GOT + 16.  Of the
 * .plt only PLT_SIZE bytes are there. */
static struct prf_image *
open_with_plt(size_t plt_size, uint64_t stub_vaddr, uint64_t stub_flags)
{
	static const uint8_t plt[48] = {
		0xff, 0x35, 0,    0,    0,    0,    0xff, 0x25, 0,    0,
		0,    0,    0,    0,    0,    0,    0xff, 0x25, 0xea, 0x1f,
		0,    0,    0x68, 0,    0,    0,    0,    0xe9, 0,    0,
		0,    0,    0xff, 0x25, 0xe2, 0x1f, 0,    0,    0x68, 1,
		0,    0,    0,    0xe9, 0,    0,    0,    0};
	static const struct elf_symbol imported[] = {
		{"memcpy", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
		{"puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	};
	static const struct elf_symbol own[] = {
		{"resolver", 0x1200, 0x10, STB_LOCAL, STT_GNU_IFUNC, 3}};
	const GElf_Rela jumps[] = {
		{GOT, GELF_R_INFO(1, R_X86_64_JUMP_SLOT), 0},
		{GOT + 8, GELF_R_INFO(0, R_X86_64_IRELATIVE), 0x1200},
	};
	const GElf_Rela others[] = {
		{GOT + 8, GELF_R_INFO(2, R_X86_64_64), 0},
		{stub_vaddr + 6 + 0x1f0a, GELF_R_INFO(2, R_X86_64_GLOB_DAT), 0},
	};
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	struct prf_error err = {0};
	struct prf_image *image = NULL;
	size_t size;

	elf_builder_section(
		builder,
		&(struct elf_section){.name = ".plt",
				      .flags = CODE,
				      .vaddr = PLT,
				      .bytes = plt,
				      .size = plt_size,
				      .entry_bytes = plt_size % 16 ? 0 : 16});
	if (stub_vaddr < TEXT)
		add_plt_got(builder, stub_vaddr, stub_flags);
	elf_builder_section(builder, &(struct elf_section){.name = ".text",
							   .flags = CODE,
							   .vaddr = TEXT,
							   .size = 0x100});
	if (stub_vaddr > TEXT)
		add_plt_got(builder, stub_vaddr, stub_flags);
	uint16_t dynsym =
		elf_builder_symbols(builder, SHT_DYNSYM, 0, imported, 2);
	elf_builder_relas(builder, ".rela.dyn", dynsym, others, 2);
	elf_builder_relas(builder, ".rela.plt", dynsym, jumps, 2);
	elf_builder_symbols(builder, SHT_SYMTAB, 0, own, 1);
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_X,
						  .p_offset = PLT,
						  .p_vaddr = PLT,
						  .p_filesz = 0x300});
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	ck_assert_msg(
		prf_image_open_memory(bytes, size, "test", &image, &err) == 0,
		"%s", err.text);
	free(bytes);
	return image;
}

struct piece {
	uint64_t lo, hi;
	enum prf_text_kind kind;
	const char *name;
};

/* Closes IMAGE, whose pieces are these N. */
static void
check_pieces(struct prf_image *image, const struct piece *pieces, size_t n)
{
	size_t n_texts;
	const struct prf_text *texts = prf_image_texts(image, &n_texts);

	ck_assert_uint_eq(n_texts, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(texts[i].lo, pieces[i].lo);
		ck_assert_uint_eq(texts[i].hi, pieces[i].hi);
		ck_assert_int_eq(texts[i].kind, pieces[i].kind);
		ck_assert_str_eq(texts[i].name, pieces[i].name);
	}
	prf_image_close(image);
}

START_TEST(stubs_are_called_by_what_they_lead_to)
{
	static const struct piece pieces[] = {
		{0x1000, 0x1010, PRF_TEXT_GAP, "[.plt]"},
		{0x1010, 0x1020, PRF_TEXT_PLT, "memcpy@plt"},
		{0x1020, 0x1030, PRF_TEXT_PLT, "resolver@plt"},
		{0x1030, 0x1100, PRF_TEXT_GAP, "[text]"},
		{0x1100, 0x1108, PRF_TEXT_PLT, "puts@plt"},
		{0x1108, 0x1200, PRF_TEXT_GAP, "[text]"},
		{0x1200, 0x1210, PRF_TEXT_FUNCTION, "resolver"},
		{0x1210, 0x1300, PRF_TEXT_GAP, "[.text]"},
	};

	check_pieces(open_with_plt(48, GOT_STUB, CODE), pieces,
		     sizeof pieces / sizeof *pieces);
}
END_TEST

static bool
has_text(const struct prf_image *image, const char *name)
{
	size_t n;
	const struct prf_text *texts = prf_image_texts(image, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i].name, name) == 0)
			return true;
	return false;
}

/* Of the second stub there are 4 bytes: what follows the section would make
 * its jump whole. */
START_TEST(a_plt_that_is_cut_short_has_no_stub_at_its_end)
{
	struct prf_image *image = open_with_plt(36, GOT_STUB, CODE);

	ck_assert(has_text(image, "memcpy@plt"));
	ck_assert(!has_text(image, "resolver@plt"));
	prf_image_close(image);
}
END_TEST

/* It claims addresses of the text, where it would be believed. */
START_TEST(a_section_of_data_has_no_stubs_whatever_its_name_is)
{
	struct prf_image *image = open_with_plt(48, TEXT + 0x80, SHF_ALLOC);

	ck_assert(has_text(image, "memcpy@plt"));
	ck_assert(!has_text(image, "puts@plt"));
	prf_image_close(image);
}
END_TEST

/* N stubs, all of which lead to what RESOLVER finds. */
static char *
build_resolved(size_t n, const char *resolver, size_t *size)
{
	enum { STUBS = 0x21000 }; /* behind the relocations, which begin at 0 */
	const struct elf_symbol own[] = {
		{resolver, STUBS, 8, STB_LOCAL, STT_GNU_IFUNC, 1}};
	const uint32_t to_got = 0x100000 - STUBS - 6;
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	uint8_t(*plt)[8] = calloc(n, sizeof *plt);
	GElf_Rela *relas = calloc(n, sizeof *relas);

	for (size_t i = 0; i < n; i++) {
		memcpy(plt[i], (uint8_t[8]){0xff, 0x25, 0, 0, 0, 0, 0x66, 0x90},
		       8);
		memcpy(plt[i] + 2, &to_got, sizeof to_got);
		relas[i] =
			(GElf_Rela){0x100000 + 8 * i,
				    GELF_R_INFO(0, R_X86_64_IRELATIVE), STUBS};
	}
	elf_builder_section(builder, &(struct elf_section){.name = ".plt.got",
							   .flags = CODE,
							   .vaddr = STUBS,
							   .bytes = plt,
							   .size = 8 * n,
							   .entry_bytes = 8});
	elf_builder_relas(builder, ".rela.plt", 0, relas, n);
	elf_builder_symbols(builder, SHT_SYMTAB, 0, own, 1);
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_X,
						  .p_offset = STUBS % 0x10000,
						  .p_vaddr = STUBS,
						  .p_filesz = 8 * n});
	char *bytes = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	free(plt);
	free(relas);
	return bytes;
}

START_TEST(many_stubs_of_one_long_name_do_not_fill_all_memory)
{
	enum { N = 500, NAME_BYTES = 1 << 22 };
	const struct rlimit limit = {1 << 30, 1 << 30};
	char *name = malloc(NAME_BYTES);
	struct prf_image *image = NULL;
	size_t size;

	memset(name, 'x', NAME_BYTES - 1);
	name[NAME_BYTES - 1] = '\0';
	char *bytes = build_resolved(N, name, &size);
	if (!IS_SANITIZED)
		ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_int_eq(
		prf_image_open_memory(bytes, size, "many", &image, NULL), 0);
	prf_image_close(image);
	free(bytes);
	free(name);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("plt");
	TCase *tcase = tcase_create("plt");
	int n = (int)(sizeof stubs / sizeof *stubs);

	tcase_add_loop_test(tcase, a_stub_tells_where_it_leads, 0, n);
	tcase_add_loop_test(tcase, a_stub_that_is_cut_is_not_read_beyond, 0, n);
	tcase_add_test(tcase, the_head_of_a_plt_is_no_stub);
	tcase_add_test(tcase, stubs_are_called_by_what_they_lead_to);
	tcase_add_test(tcase, a_plt_that_is_cut_short_has_no_stub_at_its_end);
	tcase_add_test(tcase,
		       a_section_of_data_has_no_stubs_whatever_its_name_is);
	tcase_add_test(tcase,
		       many_stubs_of_one_long_name_do_not_fill_all_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
