#include "image/line_program.h"
#include "support/suite.h"

#include <dwarf.h>
#include <string.h>

enum { STEP = 4, LINE_RANGE = 14 };

/* A table of VERSION 2 to 5 with the N bytes of OWN; returns its size. */
static size_t
build(uint8_t bytes[256], unsigned version, const uint8_t *own, size_t n)
{
	static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	const uint8_t header[] = {STEP, 1, 1, (uint8_t)-5, LINE_RANGE, 13};
	size_t at = 4;

	bytes[at++] = (uint8_t)version;
	bytes[at++] = 0;
	if (version == 5) {
		bytes[at++] = 8;
		bytes[at++] = 0;
	}
	memset(bytes + at, 0, 4);
	uint8_t *header_bytes = &bytes[at];
	at += 4;
	size_t begin = at;
	bytes[at++] = header[0];
	for (size_t i = version >= 4 ? 1 : 2; i < sizeof header; i++)
		bytes[at++] = header[i];
	memcpy(bytes + at, operands, sizeof operands);
	at += sizeof operands;
	memset(bytes + at, 0xee, 3); /* tables of files */
	at += 3;
	*header_bytes = (uint8_t)(at - begin);
	memcpy(bytes + at, own, n);
	at += n;
	memset(bytes, 0, 4);
	bytes[0] = (uint8_t)(at - 4);
	return at;
}

static const uint8_t two_sequences[] = {
	0,
	5,
	DW_LNE_set_address,
	0,
	0x10,
	0,
	0, /* 0x1000 */
	DW_LNS_advance_line,
	9,                           /* 10 */
	DW_LNS_copy,                 /* a row */
	13 + 5 + 2 + 3 * LINE_RANGE, /* 0x100c, 12 */
	DW_LNS_set_column,
	7,
	DW_LNS_negate_stmt,  /* nothing */
	DW_LNS_const_add_pc, /* + 17 * 4 */
	DW_LNS_set_file,
	3, /* */
	DW_LNS_fixed_advance_pc,
	2,
	0,
	DW_LNS_copy, /* 0x1052 */
	0,
	2,
	DW_LNE_set_discriminator,
	1, /* nothing */
	DW_LNS_advance_pc,
	2,
	0,
	1,
	DW_LNE_end_sequence, /* 0x105a */
	DW_LNS_copy,         /* 0, 1, in 1 */
};

static const struct prf_line_program_row rows[] = {
	{0x1000, 1, 10, false}, {0x100c, 1, 12, false}, {0x1052, 3, 12, false},
	{0x105a, 3, 12, true},  {0, 1, 1, false},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

START_TEST(each_instruction_moves_what_it_says)
{
	uint8_t bytes[256];
	size_t n =
		build(bytes, (unsigned)_i, two_sequences, sizeof two_sequences);
	struct prf_line_program program;
	struct prf_line_program_row row;

	ck_assert(prf_line_program_begin(
		&program,
		(struct prf_dwarf_bytes){.at = bytes, .end = bytes + n}));
	for (size_t i = 0; i < N_ROWS; i++) {
		ck_assert(prf_line_program_next(&program, &row));
		ck_assert_uint_eq(row.vaddr, rows[i].vaddr);
		ck_assert_uint_eq(row.file, rows[i].file);
		ck_assert_uint_eq(row.line, rows[i].line);
		ck_assert_int_eq(row.is_end, rows[i].is_end);
	}
	ck_assert(!prf_line_program_next(&program, &row));
}
END_TEST

START_TEST(a_table_may_end_anywhere_and_any_byte_have_any_value)
{
	uint8_t bytes[256], damaged[256];
	size_t n = build(bytes, 5, two_sequences, sizeof two_sequences);
	struct prf_line_program program;
	struct prf_line_program_row row;

	for (size_t i = 0; i < n * 256; i++) {
		memcpy(damaged, bytes, n);
		damaged[i / 256] = (uint8_t)i;
		const struct prf_dwarf_bytes table = {
			.at = damaged, .end = damaged + (i % 2 ? n : i / 256)};
		unsigned n_rows = 0;
		if (prf_line_program_begin(&program, table))
			while (prf_line_program_next(&program, &row))
				n_rows++;
		ck_assert_uint_le(n_rows, n);
	}
}
END_TEST

START_TEST(what_is_no_table_of_ours_is_refused)
{
	uint8_t bytes[256];
	struct prf_line_program program;

	for (unsigned version = 0; version < 10; version++) {
		size_t n = build(bytes, version, two_sequences, 1);
		bool is_good = prf_line_program_begin(
			&program, (struct prf_dwarf_bytes){.at = bytes,
							   .end = bytes + n});
		ck_assert_int_eq(is_good, version >= 2 && version <= 5);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("line_program");
	TCase *tcase = tcase_create("line_program");

	tcase_add_loop_test(tcase, each_instruction_moves_what_it_says, 2, 6);
	tcase_add_test(tcase,
		       a_table_may_end_anywhere_and_any_byte_have_any_value);
	tcase_add_test(tcase, what_is_no_table_of_ours_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
