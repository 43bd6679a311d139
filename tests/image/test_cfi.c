#include "image/cfi.h"
#include "support/elf_builder.h"
#include "support/elf_frames.h"
#include "support/suite.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 0x1000, FRAMES = 0x2000, DEBUG_FRAMES = 0x3000 };
enum { TEXT = 0x10000, OTHER_TEXT = 0x10100, FUNCTION_BYTES = 0x40 };
enum { PCREL_S4 = DW_EH_PE_pcrel | DW_EH_PE_sdata4 };
enum { DATAREL_S4 = DW_EH_PE_datarel | DW_EH_PE_sdata4 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct elf_kind x86_64 = {ELFCLASS64, ELFDATA2LSB, EM_X86_64,
				       ET_DYN};
static const struct elf_kind aarch64 = {ELFCLASS64, ELFDATA2LSB, EM_AARCH64,
					ET_DYN};

/* As every compiler begins: CFA = register 7 + 8, the return address below. */
static const uint8_t entry_row[] = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16,
				    1};
static const struct elf_fde functions[] = {{TEXT, FUNCTION_BYTES},
					   {OTHER_TEXT, FUNCTION_BYTES}};

/* A file's parts; what is NULL is left out. */
struct parts {
	const struct elf_kind *kind;
	const struct elf_frames *frames, *debug_frames;
	const uint8_t *header;
	size_t header_size;
};

static void
add_frames(struct elf_builder *builder, const struct elf_kind *kind,
	   const char *name, uint64_t vaddr, const struct elf_frames *frames)
{
	if (!frames)
		return;
	struct elf_frames placed = *frames;
	size_t n;
	placed.vaddr = vaddr;
	uint8_t *bytes = elf_frames_build(kind, &placed, &n);
	elf_builder_section(builder, &(struct elf_section){.name = name,
							   .vaddr = vaddr,
							   .bytes = bytes,
							   .size = n});
	free(bytes);
}

static char *
build(const struct parts *parts, size_t *size)
{
	struct elf_builder *builder = elf_builder_new(parts->kind);

	if (parts->header)
		elf_builder_section(builder, &(struct elf_section){
						     .name = ".eh_frame_hdr",
						     .vaddr = HEADER,
						     .bytes = parts->header,
						     .size = parts->header_size,
					     });
	add_frames(builder, parts->kind, ".eh_frame", FRAMES, parts->frames);
	add_frames(builder, parts->kind, ".debug_frame", DEBUG_FRAMES,
		   parts->debug_frames);
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_offset = HEADER,
						  .p_vaddr = HEADER,
						  .p_filesz = 0x2000});
	if (parts->header)
		elf_builder_segment(
			builder, &(GElf_Phdr){.p_type = PT_GNU_EH_FRAME,
					      .p_offset = HEADER,
					      .p_vaddr = HEADER,
					      .p_filesz = parts->header_size});
	char *file = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	return file;
}

static struct prf_cfi *
open_cached(const struct parts *parts, struct prf_cfi_cache *cache)
{
	struct prf_error err = {0};
	struct prf_cfi *cfi = NULL;
	size_t size;
	char *file = build(parts, &size);

	ck_assert_msg(
		prf_cfi_open_memory(file, size, "test", cache, &cfi, &err) == 0,
		"%s", err.text);
	free(file);
	return cfi;
}

static struct prf_cfi *
open_parts(const struct parts *parts)
{
	return open_cached(parts, NULL);
}

/* Two functions whose instructions are the N bytes OWN. */
static struct prf_cfi *
open_program_cached(const struct elf_kind *kind, const void *own, size_t n,
		    struct prf_cfi_cache *cache)
{
	return open_cached(
		&(struct parts){
			.kind = kind,
			.frames = &(struct elf_frames){.encoding = PCREL_S4,
						       .common = entry_row,
						       .common_size =
							       sizeof entry_row,
						       .own = own,
						       .own_size = n,
						       .fdes = functions,
						       .n_fdes = 2}},
		cache);
}

static struct prf_cfi *
open_program(const struct elf_kind *kind, const void *own, size_t n)
{
	return open_program_cached(kind, own, n, NULL);
}

/* The rule of REG in ROW; NULL: none. */
static const struct prf_cfi_rule *
rule_of(const struct prf_cfi_row *row, int reg)
{
	for (size_t i = 0; i < row->n_rules; i++)
		if (row->rules[i].of == reg)
			return &row->rules[i];
	return NULL;
}

static void
check_cfa(const struct prf_cfi_row *row, int reg, int64_t offset)
{
	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->cfa.how, PRF_CFI_REGISTER);
	ck_assert_int_eq(row->cfa.other, reg);
	ck_assert_int_eq(row->cfa.offset, offset);
}

static void
check_rule(const struct prf_cfi_row *row, int reg, enum prf_cfi_how how,
	   int64_t offset)
{
	const struct prf_cfi_rule *rule = rule_of(row, reg);

	if (how == PRF_CFI_SAME) {
		ck_assert_ptr_null(rule);
		return;
	}
	ck_assert_ptr_nonnull(rule);
	ck_assert_uint_eq(rule->how, how);
	if (how == PRF_CFI_REGISTER)
		ck_assert_int_eq(rule->other, offset);
	else if (how != PRF_CFI_UNDEFINED)
		ck_assert_int_eq(rule->offset, offset);
}

START_TEST(a_row_lasts_to_the_next_and_a_function_to_its_end)
{
	static const uint8_t own[] = {DW_CFA_advance_loc | 1,
				      DW_CFA_def_cfa_offset,
				      16,
				      DW_CFA_offset | 6,
				      2,
				      DW_CFA_advance_loc1,
				      3,
				      DW_CFA_def_cfa_register,
				      6};
	struct prf_cfi *cfi = open_program(&x86_64, own, sizeof own);

	ck_assert_ptr_null(prf_cfi_row(cfi, TEXT - 1));
	for (int again = 0; again < 2; again++) {
		check_cfa(prf_cfi_row(cfi, TEXT), 7, 8);
		check_cfa(prf_cfi_row(cfi, TEXT + 1), 7, 16);
		check_cfa(prf_cfi_row(cfi, TEXT + 3), 7, 16);
		check_cfa(prf_cfi_row(cfi, TEXT + 4), 6, 16);
		check_cfa(prf_cfi_row(cfi, TEXT + FUNCTION_BYTES - 1), 6, 16);
		ck_assert_ptr_null(prf_cfi_row(cfi, TEXT + FUNCTION_BYTES));
	}
	check_rule(prf_cfi_row(cfi, TEXT), 6, PRF_CFI_SAME, 0);
	check_rule(prf_cfi_row(cfi, TEXT + 1), 6, PRF_CFI_AT, -16);
	check_rule(prf_cfi_row(cfi, TEXT + 1), 16, PRF_CFI_AT, -8);
	ck_assert_ptr_null(prf_cfi_row(cfi, 0));
	ck_assert_ptr_null(prf_cfi_row(cfi, UINT64_MAX));
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(equal_rows_are_one)
{
	static const uint8_t own[] = {DW_CFA_advance_loc | 4,
				      DW_CFA_def_cfa_expression, 1, DW_OP_lit1};
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};
	struct prf_cfi *cfi =
		open_program_cached(&x86_64, own, sizeof own, &cache);

	for (uint64_t i = 0; i < FUNCTION_BYTES; i++)
		ck_assert_ptr_eq(prf_cfi_row(cfi, TEXT + i),
				 prf_cfi_row(cfi, OTHER_TEXT + i));
	/* That of the last byte says that it is. */
	ck_assert_uint_eq(cache.rows.n, 3);
	for (uint64_t i = 1; i <= FUNCTION_BYTES; i++)
		ck_assert_int_eq(
			prf_cfi_row(cfi, TEXT + FUNCTION_BYTES - i)->is_last,
			i == 1);
	prf_cfi_close(cfi);
	prf_cfi_cache_free(&cache);
}
END_TEST

/* Instructions, and the rule of register 3 behind them. */
static const struct {
	uint8_t own[16];
	size_t n;
	enum prf_cfi_how how;
	int64_t offset;
} instructions[] = {
	{{DW_CFA_nop}, 1, PRF_CFI_SAME, 0},
	{{DW_CFA_offset | 3, 2}, 2, PRF_CFI_AT, -16},
	{{DW_CFA_offset_extended, 3, 2}, 3, PRF_CFI_AT, -16},
	{{DW_CFA_offset_extended_sf, 3, 0x7e}, 3, PRF_CFI_AT, 16},
	{{DW_CFA_GNU_negative_offset_extended, 3, 2}, 3, PRF_CFI_AT, 16},
	{{DW_CFA_val_offset, 3, 2}, 3, PRF_CFI_IS, -16},
	{{DW_CFA_val_offset_sf, 3, 0x7e}, 3, PRF_CFI_IS, 16},
	{{DW_CFA_undefined, 3}, 2, PRF_CFI_UNDEFINED, 0},
	{{DW_CFA_register, 3, 12}, 3, PRF_CFI_REGISTER, 12},
	{{DW_CFA_register, 3, 77}, 3, PRF_CFI_UNDEFINED, 0},
	{{DW_CFA_offset | 3, 2, DW_CFA_same_value, 3}, 4, PRF_CFI_SAME, 0},
	{{DW_CFA_offset | 3, 2, DW_CFA_restore | 3}, 3, PRF_CFI_SAME, 0},
	{{DW_CFA_offset | 3, 2, DW_CFA_restore_extended, 3},
	 4,
	 PRF_CFI_SAME,
	 0},
	{{DW_CFA_offset | 3, 2, DW_CFA_remember_state, DW_CFA_undefined, 3,
	  DW_CFA_restore_state},
	 6,
	 PRF_CFI_AT,
	 -16},
	{{DW_CFA_offset_extended, 0x80, 1, 2}, 4, PRF_CFI_SAME, 0},
	{{DW_CFA_GNU_args_size, 3}, 2, PRF_CFI_SAME, 0},
	{{DW_CFA_advance_loc2, 0, 0, DW_CFA_offset | 3, 2}, 5, PRF_CFI_AT, -16},
	{{DW_CFA_advance_loc4, 0, 0, 0, 1, DW_CFA_undefined, 3},
	 7,
	 PRF_CFI_SAME,
	 0},
};

START_TEST(each_instruction_makes_its_rule)
{
	struct prf_cfi *cfi =
		open_program(&x86_64, instructions[_i].own, instructions[_i].n);

	check_rule(prf_cfi_row(cfi, TEXT), 3, instructions[_i].how,
		   instructions[_i].offset);
	check_cfa(prf_cfi_row(cfi, TEXT), 7, 8);
	ck_assert_uint_eq(prf_cfi_stats(cfi).n_damaged, 0);
	prf_cfi_close(cfi);
}
END_TEST

/* The longest of real files have half as many bytes; each costs time for each row
 * that is asked for. */
START_TEST(a_program_that_is_too_long_makes_no_row)
{
	enum { MOST = 1 << 16 };
	static const uint8_t nops[MOST + 64];
	struct prf_cfi *cfi = open_program(&x86_64, nops, MOST - 64);

	check_cfa(prf_cfi_row(cfi, TEXT), 7, 8);
	prf_cfi_close(cfi);
	cfi = open_program(&x86_64, nops, MOST + 64);
	ck_assert_ptr_null(prf_cfi_row(cfi, TEXT));
	ck_assert_uint_eq(prf_cfi_stats(cfi).n_damaged, 1);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(what_is_restored_is_as_the_cie_has_it)
{
	static const uint8_t own[] = {DW_CFA_advance_loc | 1, DW_CFA_undefined,
				      16, DW_CFA_advance_loc | 1,
				      DW_CFA_restore | 16};
	struct prf_cfi *cfi = open_program(&x86_64, own, sizeof own);

	check_rule(prf_cfi_row(cfi, TEXT), 16, PRF_CFI_AT, -8);
	check_rule(prf_cfi_row(cfi, TEXT + 1), 16, PRF_CFI_UNDEFINED, 0);
	check_rule(prf_cfi_row(cfi, TEXT + 2), 16, PRF_CFI_AT, -8);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(expressions_are_kept_as_they_are)
{
	static const uint8_t own[] = {
		DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 8,
		DW_CFA_expression,         3, 1,           DW_OP_lit2,
		DW_CFA_val_expression,     6, 1,           DW_OP_lit3};
	struct prf_cfi *cfi = open_program(&x86_64, own, sizeof own);
	const struct prf_cfi_row *row = prf_cfi_row(cfi, TEXT);

	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->cfa.how, PRF_CFI_IS_EXPRESSION);
	ck_assert_uint_eq(row->cfa.expression_bytes, 2);
	ck_assert_mem_eq(row->cfa.expression, own + 2, 2);
	ck_assert_uint_eq(rule_of(row, 3)->how, PRF_CFI_AT_EXPRESSION);
	ck_assert_uint_eq(*rule_of(row, 3)->expression, DW_OP_lit2);
	ck_assert_uint_eq(rule_of(row, 6)->how, PRF_CFI_IS_EXPRESSION);
	ck_assert_uint_eq(*rule_of(row, 6)->expression, DW_OP_lit3);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(an_offset_behind_an_expression_is_from_the_register_before_it)
{
	static const uint8_t own[] = {DW_CFA_def_cfa,
				      6,
				      16,
				      DW_CFA_def_cfa_expression,
				      1,
				      DW_OP_lit1,
				      DW_CFA_advance_loc | 1,
				      DW_CFA_def_cfa_offset,
				      32};
	struct prf_cfi *cfi = open_program(&x86_64, own, sizeof own);

	ck_assert_uint_eq(prf_cfi_row(cfi, TEXT)->cfa.how,
			  PRF_CFI_IS_EXPRESSION);
	check_cfa(prf_cfi_row(cfi, TEXT + 1), 6, 32);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(a_register_behind_an_expression_has_the_offset_before_it)
{
	static const uint8_t own[] = {DW_CFA_def_cfa_offset,
				      56,
				      DW_CFA_def_cfa_expression,
				      1,
				      DW_OP_lit1,
				      DW_CFA_advance_loc | 1,
				      DW_CFA_def_cfa_register,
				      7};
	struct prf_cfi *cfi = open_program(&x86_64, own, sizeof own);
	const struct prf_cfi_row *row = prf_cfi_row(cfi, TEXT);

	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->cfa.how, PRF_CFI_IS_EXPRESSION);
	check_cfa(prf_cfi_row(cfi, TEXT + 1), 7, 56);
	prf_cfi_close(cfi);
}
END_TEST

/* What makes no row. */
static const struct {
	uint8_t own[20];
	size_t n;
} damaged[] = {
	{{DW_CFA_restore_state}, 1},
	{{0x3f}, 1},
	{{DW_CFA_def_cfa, 40, 8}, 3},
	{{DW_CFA_expression, 3, 100, 1, 2}, 5},
	{{DW_CFA_def_cfa_expression, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 1},
	 11},
	{{DW_CFA_offset_extended, 0x83}, 2},
	{{DW_CFA_set_loc, 0, 0, 0, 0}, 5},
	{{10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10},
	 17},
	{{DW_CFA_GNU_window_save}, 1}, /* another machine's */
};

START_TEST(damage_makes_no_row)
{
	struct prf_cfi *cfi =
		open_program(&x86_64, damaged[_i].own, damaged[_i].n);

	ck_assert_ptr_null(prf_cfi_row(cfi, TEXT));
	ck_assert_uint_eq(prf_cfi_stats(cfi).n_damaged, 1);
	prf_cfi_close(cfi);
}
END_TEST

/* The other one signs with the PC as well (Armv9.5); its number has no name yet
 * everywhere. */
static const uint8_t negations[] = {DW_CFA_GNU_window_save, 0x2c};

START_TEST(aarch64_says_whether_the_return_address_is_signed)
{
	const uint8_t own[] = {DW_CFA_advance_loc | 4, negations[_i],
			       DW_CFA_advance_loc | 4, negations[_i]};
	struct prf_cfi *cfi = open_program(&aarch64, own, sizeof own);

	ck_assert(!prf_cfi_row(cfi, TEXT)->return_signed);
	ck_assert(prf_cfi_row(cfi, TEXT + 4)->return_signed);
	ck_assert(!prf_cfi_row(cfi, TEXT + 8)->return_signed);
	ck_assert_uint_eq(prf_cfi_machine(cfi), EM_AARCH64);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(a_signals_frame_is_known_as_one)
{
	static const uint8_t encoding[] = {PCREL_S4};

	for (int signal = 0; signal < 2; signal++) {
		struct prf_cfi *cfi = open_parts(&(struct parts){
			.kind = &x86_64,
			.frames = &(struct elf_frames){
				.encoding = PCREL_S4,
				.augmentation = signal ? "zRS" : "zR",
				.data = encoding,
				.data_size = 1,
				.common = entry_row,
				.common_size = sizeof entry_row,
				.fdes = functions,
				.n_fdes = 2}});

		ck_assert_int_eq(prf_cfi_row(cfi, TEXT)->signal_frame, signal);
		prf_cfi_close(cfi);
	}
}
END_TEST

static const struct elf_frames by_table = {
	.encoding = PCREL_S4,
	.common = entry_row,
	.common_size = sizeof entry_row,
	.fdes = functions,
	.n_fdes = 2,
};

/* An .eh_frame_hdr with a table of both functions. */
static size_t
put_header(uint8_t *header)
{
	const struct elf_kind *kind = &x86_64;
	static const uint8_t head[] = {1, PCREL_S4, DW_EH_PE_udata4,
				       DATAREL_S4};
	struct elf_frames placed = by_table;
	size_t n;
	placed.vaddr = FRAMES;
	uint8_t *bytes = elf_frames_build(kind, &placed, &n);
	uint64_t fde = FRAMES;

	memcpy(header, head, 4);
	elf_put(kind, header + 4, FRAMES - (HEADER + 4), 4);
	elf_put(kind, header + 8, 2, 4);
	for (size_t i = 0; i < 2; i++) {
		fde += 4 + bytes[fde - FRAMES];
		elf_put(kind, header + 12 + 8 * i, functions[i].vaddr - HEADER,
			4);
		elf_put(kind, header + 16 + 8 * i, fde - HEADER, 4);
	}
	free(bytes);
	return 28;
}

START_TEST(a_table_leads_to_each_function)
{
	uint8_t header[28];
	size_t n = put_header(header);
	struct prf_cfi *cfi = open_parts(&(struct parts){.kind = &x86_64,
							 .frames = &by_table,
							 .header = header,
							 .header_size = n});

	for (size_t i = 0; i < 2; i++) {
		uint64_t at = functions[i].vaddr;

		ck_assert_ptr_null(prf_cfi_row(cfi, at - 1));
		check_cfa(prf_cfi_row(cfi, at), 7, 8);
		check_cfa(prf_cfi_row(cfi, at + FUNCTION_BYTES - 1), 7, 8);
		ck_assert_ptr_null(prf_cfi_row(cfi, at + FUNCTION_BYTES));
	}
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(without_sections_the_table_leads_there_too)
{
	uint8_t header[28];
	struct parts parts = {.kind = &x86_64,
			      .frames = &by_table,
			      .header = header,
			      .header_size = put_header(header)};
	struct prf_error err = {0};
	struct prf_cfi *cfi;
	size_t size;
	char *file = build(&parts, &size);

	elf_drop_sections(file);
	ck_assert_int_eq(
		prf_cfi_open_memory(file, size, "test", NULL, &cfi, &err), 0);
	free(file);
	check_cfa(prf_cfi_row(cfi, OTHER_TEXT + 1), 7, 8);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(debug_frame_comes_second)
{
	static const uint8_t own[] = {DW_CFA_def_cfa_offset, 32};
	static const struct elf_fde first[] = {{TEXT, FUNCTION_BYTES}};
	struct prf_cfi *cfi = open_parts(&(struct parts){
		.kind = &x86_64,
		.frames = &(struct elf_frames){.encoding = PCREL_S4,
					       .common = entry_row,
					       .common_size = sizeof entry_row,
					       .fdes = first,
					       .n_fdes = 1},
		.debug_frames =
			&(struct elf_frames){.encoding = DW_EH_PE_absptr,
					     .augmentation = "",
					     .is_debug = true,
					     .endless = true,
					     .common = entry_row,
					     .common_size = sizeof entry_row,
					     .own = own,
					     .own_size = sizeof own,
					     .fdes = functions,
					     .n_fdes = 2}});

	check_cfa(prf_cfi_row(cfi, TEXT), 7, 8);
	check_cfa(prf_cfi_row(cfi, OTHER_TEXT), 7, 32);
	ck_assert_int_eq(prf_cfi_object(cfi)->warning.code, 0);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(a_file_without_cfi_has_no_rows)
{
	struct prf_cfi *cfi = open_parts(&(struct parts){.kind = &x86_64});

	ck_assert_ptr_null(prf_cfi_row(cfi, TEXT));
	ck_assert_uint_eq(prf_cfi_stats(cfi).n_damaged, 0);
	prf_cfi_close(cfi);
}
END_TEST

START_TEST(what_is_no_elf_file_is_refused)
{
	struct prf_error err = {0};
	struct prf_cfi *cfi = NULL;

	ck_assert_int_lt(prf_cfi_open_memory("text", 4, "t", NULL, &cfi, &err),
			 0);
	ck_assert_ptr_null(cfi);
	ck_assert_str_eq(err.text, "t: not ELF");
}
END_TEST

START_TEST(the_cache_answers_what_was_asked_before)
{
	enum { LOOKUPS = 4 * FUNCTION_BYTES };
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};
	struct prf_cfi *cfi = open_program_cached(&x86_64, "", 0, &cache);

	for (uint64_t i = 0; i < LOOKUPS; i++)
		check_cfa(prf_cfi_row(cfi, TEXT + i % 4), 7, 8);
	ck_assert_uint_eq(prf_cfi_stats(cfi).n_lookups, LOOKUPS);
	ck_assert_uint_ge(prf_cfi_stats(cfi).n_cached, LOOKUPS / 2);
	prf_cfi_close(cfi);
	prf_cfi_cache_free(&cache);
}
END_TEST

/* Also while one is closed and another takes its memory. */
START_TEST(files_of_one_cache_keep_to_their_own_rows)
{
	struct prf_cfi_cache cache = {.max_bytes = PRF_CFI_CACHE_BYTES};

	for (uint8_t offset = 8; offset < 80; offset += 8) {
		const uint8_t own[] = {DW_CFA_def_cfa_offset, offset};
		struct prf_cfi *cfi =
			open_program_cached(&x86_64, own, sizeof own, &cache);

		check_cfa(prf_cfi_row(cfi, TEXT), 7, offset);
		check_cfa(prf_cfi_row(cfi, TEXT), 7, offset);
		prf_cfi_close(cfi);
	}
	prf_cfi_cache_free(&cache);
}
END_TEST

/* Files with functions of many instructions whose rows all differ fill no
 * memory. */
START_TEST(rows_without_end_are_forgotten)
{
	enum { FILES = 3, ROWS = 5000, STEP_BYTES = 5, MAX_BYTES = 50000 };
	static const struct elf_fde huge[] = {{TEXT, ROWS}};
	uint8_t *own = calloc(ROWS, STEP_BYTES), *at = own;
	struct prf_cfi_cache cache = {.max_bytes = MAX_BYTES};
	struct prf_cfi *files[FILES];

	for (unsigned i = 1; i < ROWS; i++) {
		*at++ = DW_CFA_advance_loc | 1;
		*at++ = DW_CFA_def_cfa_offset;
		*at++ = (uint8_t)(i | 0x80);
		*at++ = (uint8_t)(i >> 7 | 0x80);
		*at++ = (uint8_t)(i >> 14);
	}
	const struct parts parts = {
		.kind = &x86_64,
		.frames = &(struct elf_frames){.encoding = PCREL_S4,
					       .common = entry_row,
					       .common_size = sizeof entry_row,
					       .own = own,
					       .own_size = ROWS * STEP_BYTES,
					       .fdes = huge,
					       .n_fdes = 1}};
	for (size_t f = 0; f < FILES; f++)
		files[f] = open_cached(&parts, &cache);
	for (uint64_t i = 1; i < ROWS; i += 3) {
		check_cfa(prf_cfi_row(files[i % FILES], TEXT + i), 7,
			  (int64_t)i);
		ck_assert_uint_le(prf_cfi_cache_bytes(&cache), MAX_BYTES);
	}
	ck_assert_uint_gt(cache.n_cleared, 0);
	for (size_t f = 0; f < FILES; f++)
		prf_cfi_close(files[f]);
	prf_cfi_cache_free(&cache);
	free(own);
}
END_TEST

START_TEST(any_byte_may_have_any_value)
{
	static const uint8_t own[] = {DW_CFA_advance_loc | 1, DW_CFA_expression,
				      3, 1, DW_OP_lit2};
	uint8_t header[28];
	struct elf_frames frames = by_table;
	frames.own = own;
	frames.own_size = sizeof own;
	struct parts parts = {.kind = &x86_64,
			      .frames = &frames,
			      .header = header,
			      .header_size = put_header(header)};
	size_t size;
	char *file = build(&parts, &size);

	for (size_t at = HEADER; at < FRAMES + 0x80; at++) {
		if (at == HEADER + sizeof header)
			at = FRAMES;
		char was = file[at];
		for (int value = 0; value < 256; value++) {
			struct prf_cfi *cfi = NULL;
			struct prf_error err = {0};

			file[at] = (char)value;
			if (prf_cfi_open_memory(file, size, "test", NULL, &cfi,
						&err) != 0)
				continue;
			for (uint64_t i = 0; i < FUNCTION_BYTES; i += 9) {
				prf_cfi_row(cfi, TEXT + i);
				prf_cfi_row(cfi, OTHER_TEXT + i);
			}
			prf_cfi_close(cfi);
		}
		file[at] = was;
	}
	free(file);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("cfi");
	TCase *tcase = tcase_create("cfi");

	tcase_add_test(tcase,
		       a_row_lasts_to_the_next_and_a_function_to_its_end);
	tcase_add_test(tcase, equal_rows_are_one);
	tcase_add_loop_test(tcase, each_instruction_makes_its_rule, 0,
			    COUNT(instructions));
	tcase_add_test(tcase, what_is_restored_is_as_the_cie_has_it);
	tcase_add_test(tcase, expressions_are_kept_as_they_are);
	tcase_add_test(
		tcase,
		an_offset_behind_an_expression_is_from_the_register_before_it);
	tcase_add_test(
		tcase,
		a_register_behind_an_expression_has_the_offset_before_it);
	tcase_add_loop_test(tcase, damage_makes_no_row, 0, COUNT(damaged));
	tcase_add_test(tcase, a_program_that_is_too_long_makes_no_row);
	tcase_add_loop_test(tcase,
			    aarch64_says_whether_the_return_address_is_signed,
			    0, COUNT(negations));
	tcase_add_test(tcase, a_signals_frame_is_known_as_one);
	tcase_add_test(tcase, a_table_leads_to_each_function);
	tcase_add_test(tcase, without_sections_the_table_leads_there_too);
	tcase_add_test(tcase, debug_frame_comes_second);
	tcase_add_test(tcase, a_file_without_cfi_has_no_rows);
	tcase_add_test(tcase, what_is_no_elf_file_is_refused);
	tcase_add_test(tcase, the_cache_answers_what_was_asked_before);
	tcase_add_test(tcase, files_of_one_cache_keep_to_their_own_rows);
	tcase_add_test(tcase, rows_without_end_are_forgotten);
	tcase_add_test(tcase, any_byte_may_have_any_value);
	suite_add_tcase(suite, tcase);
	return suite;
}
