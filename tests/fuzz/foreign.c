/* foreign - an ELF file of a machine that no compiler here is for: s390x, whose
 * numbers have their highest byte first.
 *
 *	foreign FILE
 */
#include <check.h>
#include <elf.h>
#include <stdlib.h>

#include "support/elf_builder.h"
#include "support/elf_frames.h"

/* Where its parts are. */
enum { TEXT = 0x1000, TEXT_BYTES = 0x40, NAMES = 0x2000, FRAMES = 0x3000 };

static const struct elf_kind kind = {
	.class = ELFCLASS64,
	.order = ELFDATA2MSB,
	.machine = EM_S390,
	.type = ET_DYN,
};

static const struct elf_symbol symbols[] = {
	{"f", TEXT, 0x20, STB_GLOBAL, STT_FUNC, 1},
	{"g", TEXT + 0x20, 0, STB_LOCAL, STT_FUNC, 1},
	{"abroad", 0, 0, STB_GLOBAL, STT_FUNC, 0},
};

static const struct elf_fde fdes[] = {{TEXT, 0x20}, {TEXT + 0x20, 0x20}};

static void
add_frames(struct elf_builder *builder)
{
	const uint8_t cfa_is_r15[] = {0x0c, 15, 0xa0, 1};
	const uint8_t push_r14[] = {0x44, 0x8e, 6, 0x0e, 0xc0, 2};
	const struct elf_frames frames = {
		.vaddr = FRAMES,
		.encoding = 0x1b, /* from where it stands, in 4 bytes */
		.common = cfa_is_r15,
		.common_size = sizeof cfa_is_r15,
		.own = push_r14,
		.own_size = sizeof push_r14,
		.fdes = fdes,
		.n_fdes = sizeof fdes / sizeof *fdes,
	};
	size_t size;
	uint8_t *bytes = elf_frames_build(&kind, &frames, &size);

	elf_builder_section(builder, &(struct elf_section){.name = ".eh_frame",
							   .flags = SHF_ALLOC,
							   .vaddr = FRAMES,
							   .bytes = bytes,
							   .size = size});
	free(bytes);
}

static const char *path;

/* What builds the file is made for tests: this is one. */
START_TEST(a_foreign_file_can_be_built)
{
	const size_t n_symbols = sizeof symbols / sizeof *symbols;
	struct elf_builder *builder = elf_builder_new(&kind);
	size_t size;

	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = TEXT,
					     .size = TEXT_BYTES});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_R | PF_X,
						  .p_offset = TEXT,
						  .p_vaddr = TEXT,
						  .p_filesz = FRAMES,
						  .p_memsz = FRAMES});
	elf_builder_symbols(builder, SHT_DYNSYM, NAMES, symbols, n_symbols);
	add_frames(builder);
	elf_builder_symbols(builder, SHT_SYMTAB, 0, symbols, n_symbols);
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	elf_write(path, bytes, size);
	free(bytes);
}
END_TEST

int
main(int argc, char **argv)
{
	Suite *suite = suite_create("foreign");
	TCase *tcase = tcase_create("core");

	path = argc == 2 ? argv[1] : "/dev/null";
	tcase_add_test(tcase, a_foreign_file_can_be_built);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_MINIMAL);
	int n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed > 0;
}
