#include "image/inlines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "support/elf_builder.h"
#include "support/suite.h"

/* Kinds of entries, by their number in the abbreviations. */
enum { UNIT = 1, BLOCK, NOT_ENTERED, LEAF };

static const uint8_t abbreviations[] = {
	UNIT,        DW_TAG_compile_unit,  DW_CHILDREN_yes, 0, 0,
	BLOCK,       DW_TAG_lexical_block, DW_CHILDREN_yes, 0, 0,
	NOT_ENTERED, DW_TAG_array_type,    DW_CHILDREN_yes, 0, 0,
	LEAF,        DW_TAG_base_type,     DW_CHILDREN_no,  0, 0,
	0,
};

/* A unit of DEPTH blocks in one another, and in the innermost an entry that is
 * not entered, with N_LEAVES below it.  No entry says where its sibling is. */
static uint8_t *
build_unit(size_t depth, size_t n_leaves, size_t *size)
{
	enum { HEAD_BYTES = 11 };
	*size = HEAD_BYTES + 2 * (depth + 2) + n_leaves;
	uint8_t *bytes = calloc(1, *size), *at = bytes + HEAD_BYTES;
	uint32_t length = (uint32_t)(*size - 4);

	memcpy(bytes, &length, 4);
	bytes[4] = 4;  /* version */
	bytes[10] = 8; /* of an address */
	*at++ = UNIT;
	memset(at, BLOCK, depth);
	at += depth;
	*at++ = NOT_ENTERED;
	memset(at, LEAF, n_leaves);
	return bytes;
}

static void
open_unit(struct prf_debug_info *info, size_t depth, size_t n_leaves)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	size_t n_unit, size;
	uint8_t *unit = build_unit(depth, n_leaves, &n_unit);

	elf_builder_section(
		builder, &(struct elf_section){.name = ".debug_abbrev",
					       .bytes = abbreviations,
					       .size = sizeof abbreviations});
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".debug_info",
						  .bytes = unit,
						  .size = n_unit});
	char *file = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	ck_assert_int_eq(
		prf_debug_info_open_memory(info, file, size, "test", NULL), 0);
	free(file);
	free(unit);
}

/* Walks through the only unit of INFO. */
static void
walk(struct prf_debug_info *info)
{
	struct prf_inlines inlines;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	ck_assert_ptr_nonnull(info->dwarf);
	ck_assert_int_eq(dwarf_get_units(info->dwarf, NULL, &unit, NULL, NULL,
					 &die, NULL),
			 0);
	ck_assert_int_eq(prf_inlines_read(&inlines, info, &die), 0);
	ck_assert_uint_eq(inlines.n, 0);
	prf_inlines_free(&inlines);
}

START_TEST(a_deep_unit_is_walked_through)
{
	struct prf_debug_info info;

	open_unit(&info, 190, 10);
	prf_debug_info_start_clock(&info);
	walk(&info);
	ck_assert_int_eq(info.warning.code, 0);
	prf_debug_info_close(&info);
}
END_TEST

/* On the way out of each block libdw goes through all that is in it; a
 * millisecond is left, which is over when it has done so once. */
START_TEST(the_time_can_be_up_on_the_way_out)
{
	struct prf_debug_info info;

	open_unit(&info, 190, 8 << 20);
	prf_debug_info_start_clock(&info);
	info.used_ns = 30000000000 - 1000000;
	walk(&info);
	ck_assert_ptr_nonnull(strstr(info.warning.text, "takes too long"));
	prf_debug_info_close(&info);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("inlines");
	TCase *tcase = tcase_create("inlines");

	tcase_add_test(tcase, a_deep_unit_is_walked_through);
	tcase_add_test(tcase, the_time_can_be_up_on_the_way_out);
	suite_add_tcase(suite, tcase);
	return suite;
}
