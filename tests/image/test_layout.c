#include "image/layout.h"
#include "support/elf_builder.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* bias = addr - vaddr of one mapping, or a failed test. */
static uint64_t
bias_of(const struct prf_layout *layout, uint64_t addr, uint64_t size,
	uint64_t file_off)
{
	uint64_t bias = 0;

	ck_assert_int_eq(prf_layout_bias(layout, addr, size, file_off, &bias),
			 0);
	return bias;
}

START_TEST(a_segment_within_a_page_is_mapped_from_the_pages_start)
{
	struct prf_segment segment = {0x1234, 0x800, 0x401234};
	struct prf_layout layout = {.segments = &segment, .n_segments = 1};

	ck_assert_uint_eq(bias_of(&layout, 0x401000, 0x1000, 0x1000), 0);
	ck_assert_uint_eq(bias_of(&layout, 0x555555401000, 0x1000, 0x1000),
			  0x555555000000);
}
END_TEST

START_TEST(a_file_mapped_twice_has_two_biases)
{
	struct prf_segment segment = {0x1000, 0x3000, 0x1000};
	struct prf_layout layout = {.segments = &segment, .n_segments = 1};

	ck_assert_uint_eq(bias_of(&layout, 0x7f0000001000, 0x3000, 0x1000),
			  0x7f0000000000);
	ck_assert_uint_eq(bias_of(&layout, 0x7e0000001000, 0x3000, 0x1000),
			  0x7e0000000000);
}
END_TEST

START_TEST(part_of_a_segment_has_the_bias_of_the_whole)
{
	struct prf_segment segment = {0x1000, 0x8000, 0x11000};
	struct prf_layout layout = {.segments = &segment, .n_segments = 1};

	ck_assert_uint_eq(bias_of(&layout, 0x7f0000013000, 0x1000, 0x3000),
			  0x7f0000000000);
}
END_TEST

/* lld: each segment is a page further on than its offset in the file, and
 * where one ends and the next begins they share a page of the file. */
static struct prf_segment lld[] = {
	{0x0000, 0x15f0, 0x200000},
	{0x15f0, 0x0a00, 0x2025f0},
	{0x1ff0, 0x4000, 0x203ff0},
};
static const struct prf_layout lld_layout = {.segments = lld, .n_segments = 3};

START_TEST(segments_that_share_a_page_of_the_file_are_told_apart)
{
	ck_assert_uint_eq(bias_of(&lld_layout, 0x200000, 0x2000, 0), 0);
	ck_assert_uint_eq(bias_of(&lld_layout, 0x202000, 0x1000, 0x1000), 0);
	ck_assert_uint_eq(bias_of(&lld_layout, 0x203000, 0x5000, 0x1000), 0);
}
END_TEST

/* The same file by pages of 16 and 64 KiB: two segments that a linker has laid out
 * for these. */
START_TEST(machines_with_larger_pages_are_understood)
{
	static struct prf_segment segments[] = {
		{0x00000, 0x15600, 0x200000},
		{0x15600, 0x01000, 0x225600},
	};
	static const struct prf_layout layout = {.segments = segments,
						 .n_segments = 2};

	ck_assert_uint_eq(bias_of(&layout, 0x200000, 0x18000, 0), 0);
	ck_assert_uint_eq(bias_of(&layout, 0x224000, 0x4000, 0x14000), 0);
	ck_assert_uint_eq(bias_of(&layout, 0x200000, 0x20000, 0), 0);
	ck_assert_uint_eq(bias_of(&layout, 0x220000, 0x10000, 0x10000), 0);
}
END_TEST

START_TEST(without_the_same_pages_most_bytes_decide)
{
	/* The third segment's, but its last page is mapped otherwise. */
	ck_assert_uint_eq(bias_of(&lld_layout, 0x203000, 0x4000, 0x1000), 0);
}
END_TEST

START_TEST(an_image_can_lie_below_where_it_was_linked)
{
	struct prf_segment segment = {0, 0x1000, 0xffffffff80000000};
	struct prf_layout layout = {.segments = &segment, .n_segments = 1};

	ck_assert_uint_eq(bias_of(&layout, 0x1000, 0x1000, 0) +
				  0xffffffff80000000,
			  0x1000);
}
END_TEST

START_TEST(a_mapping_of_other_bytes_has_no_bias)
{
	uint64_t bias;

	ck_assert_int_eq(
		prf_layout_bias(&lld_layout, 0x1000, 0x1000, 0x100000, &bias),
		-ENOENT);
	ck_assert_int_eq(prf_layout_bias(&lld_layout, 0x1000, 0, 0x1000, &bias),
			 -ENOENT);
	ck_assert_int_eq(
		prf_layout_bias(&lld_layout, 0, UINT64_MAX, UINT64_MAX, &bias),
		-ENOENT);
}
END_TEST

/* The layout of a file with these SEGMENTS and SECTIONS. */
static struct prf_layout
read_layout(const GElf_Phdr *segments, size_t n_segments,
	    const struct elf_section *sections, size_t n_sections,
	    struct prf_names *names, struct prf_error *warning)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	struct prf_object object;
	struct prf_layout layout;
	size_t size;

	for (size_t i = 0; i < n_sections; i++)
		elf_builder_section(builder, &sections[i]);
	for (size_t i = 0; i < n_segments; i++)
		elf_builder_segment(builder, &segments[i]);
	char *bytes = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	ck_assert_int_eq(
		prf_object_open_memory(&object, bytes, size, "test", NULL), 0);
	ck_assert_int_eq(prf_layout_read(&layout, &object, names, NULL), 0);
	*warning = object.warning;
	prf_object_close(&object);
	free(bytes);
	return layout;
}

static void
check_range(const struct prf_layout *layout, size_t i, uint64_t lo, uint64_t hi,
	    const char *name, bool code)
{
	ck_assert_uint_lt(i, layout->n_ranges);
	ck_assert_uint_eq(layout->ranges[i].lo, lo);
	ck_assert_uint_eq(layout->ranges[i].hi, hi);
	ck_assert_str_eq(layout->ranges[i].name, name);
	ck_assert_int_eq(layout->ranges[i].code, code);
}

static const struct elf_section odd_sections[] = {
	{.name = ".rodata", .flags = SHF_ALLOC, .vaddr = 0x1010, .size = 0x11},
	{.name = ".text",
	 .flags = SHF_ALLOC | SHF_EXECINSTR,
	 .vaddr = 0x1021,
	 .size = 0x60},
	{.name = ".fini",
	 .flags = SHF_ALLOC | SHF_EXECINSTR,
	 .vaddr = 0x1090,
	 .size = 0x20},
	{.name = ".comment", .size = 0x20},
};

START_TEST(ranges_cover_a_segment_and_follow_its_sections)
{
	const GElf_Phdr segment = {.p_type = PT_LOAD,
				   .p_flags = PF_X | PF_R,
				   .p_offset = 0x1001,
				   .p_vaddr = 0x1001,
				   .p_filesz = 0xa2};
	struct prf_names names = {0};
	struct prf_error warning;
	struct prf_layout layout =
		read_layout(&segment, 1, odd_sections, 4, &names, &warning);

	check_range(&layout, 0, 0x1000, 0x1010, "[text]", true);
	check_range(&layout, 1, 0x1010, 0x1020, "[.rodata]", false);
	check_range(&layout, 2, 0x1020, 0x1082, "[.text]", true);
	check_range(&layout, 3, 0x1082, 0x1090, "[text]", true);
	check_range(&layout, 4, 0x1090, 0x10a4, "[.fini]", true);
	ck_assert_uint_eq(layout.n_ranges, 5);
	ck_assert_int_eq(warning.code, 0);
	ck_assert_ptr_eq(prf_layout_code_at(&layout, 0x1021),
			 &layout.ranges[2]);
	ck_assert_ptr_null(prf_layout_code_at(&layout, 0x1010));
	ck_assert_ptr_null(prf_layout_code_at(&layout, 0xfff));
	prf_layout_free(&layout);
	prf_names_free(&names);
}
END_TEST

START_TEST(a_section_can_reach_over_two_segments)
{
	const GElf_Phdr segments[] = {
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_offset = 0x1060,
		 .p_vaddr = 0x1060,
		 .p_filesz = 0x40},
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_offset = 0x1000,
		 .p_vaddr = 0x1000,
		 .p_filesz = 0x60},
		{.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 0x10},
	};
	struct prf_names names = {0};
	struct prf_error warning;
	struct prf_layout layout =
		read_layout(segments, 3, odd_sections, 4, &names, &warning);

	check_range(&layout, 2, 0x1020, 0x1060, "[.text]", true);
	check_range(&layout, 3, 0x1060, 0x1082, "[.text]", true);
	ck_assert_uint_eq(layout.n_ranges, 6);
	ck_assert_uint_eq(layout.n_segments, 2);
	prf_layout_free(&layout);
	prf_names_free(&names);
}
END_TEST

START_TEST(segments_that_overlap_still_make_disjoint_ranges)
{
	const GElf_Phdr segments[] = {
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_vaddr = 0x1000,
		 .p_filesz = 0x100},
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_vaddr = 0x1040,
		 .p_filesz = 0x20},
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_vaddr = 0x10f0,
		 .p_filesz = 0x20},
	};
	struct prf_names names = {0};
	struct prf_error warning;
	struct prf_layout layout =
		read_layout(segments, 3, NULL, 0, &names, &warning);

	check_range(&layout, 0, 0x1000, 0x10f0, "[text]", true);
	check_range(&layout, 1, 0x10f0, 0x1110, "[text]", true);
	ck_assert_uint_eq(layout.n_ranges, 2);
	prf_layout_free(&layout);
	prf_names_free(&names);
}
END_TEST

START_TEST(a_segment_has_no_more_bytes_than_the_file)
{
	const GElf_Phdr segments[] = {
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_vaddr = 0x1000,
		 .p_filesz = UINT64_MAX},
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_offset = UINT64_MAX,
		 .p_vaddr = 0x100000000,
		 .p_filesz = 0x20},
		{.p_type = PT_LOAD,
		 .p_flags = PF_X,
		 .p_vaddr = UINT64_MAX - 15,
		 .p_filesz = 0x20},
	};
	struct prf_names names = {0};
	struct prf_error warning;
	struct prf_layout layout =
		read_layout(segments, 3, NULL, 0, &names, &warning);

	ck_assert_uint_eq(layout.n_segments, 2);
	ck_assert_uint_lt(layout.segments[0].size, 0x10000);
	ck_assert_uint_eq(layout.ranges[1].hi, UINT64_MAX - 1);
	ck_assert_int_eq(warning.code, -EINVAL);
	prf_layout_free(&layout);
	prf_names_free(&names);
}
END_TEST

/* Each section of a hostile file can have the same name of a megabyte. */
START_TEST(a_long_name_of_a_section_is_cut)
{
	const GElf_Phdr segment = {.p_type = PT_LOAD,
				   .p_flags = PF_X | PF_R,
				   .p_offset = 0x1000,
				   .p_vaddr = 0x1000,
				   .p_filesz = 0x10};
	char long_name[10000];
	const struct elf_section section = {.name = long_name,
					    .flags = SHF_ALLOC | SHF_EXECINSTR,
					    .vaddr = 0x1000,
					    .size = 0x10};
	struct prf_names names = {0};
	struct prf_error warning;

	memset(long_name, 'x', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	struct prf_layout layout =
		read_layout(&segment, 1, &section, 1, &names, &warning);
	ck_assert_uint_eq(layout.n_ranges, 1);
	ck_assert_uint_eq(strlen(layout.ranges[0].name), 257);
	prf_layout_free(&layout);
	prf_names_free(&names);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("layout");
	TCase *tcase = tcase_create("layout");

	tcase_add_test(tcase,
		       a_segment_within_a_page_is_mapped_from_the_pages_start);
	tcase_add_test(tcase, a_file_mapped_twice_has_two_biases);
	tcase_add_test(tcase, machines_with_larger_pages_are_understood);
	tcase_add_test(tcase, part_of_a_segment_has_the_bias_of_the_whole);
	tcase_add_test(tcase,
		       segments_that_share_a_page_of_the_file_are_told_apart);
	tcase_add_test(tcase, without_the_same_pages_most_bytes_decide);
	tcase_add_test(tcase, an_image_can_lie_below_where_it_was_linked);
	tcase_add_test(tcase, a_mapping_of_other_bytes_has_no_bias);
	tcase_add_test(tcase, ranges_cover_a_segment_and_follow_its_sections);
	tcase_add_test(tcase, a_section_can_reach_over_two_segments);
	tcase_add_test(tcase, segments_that_overlap_still_make_disjoint_ranges);
	tcase_add_test(tcase, a_segment_has_no_more_bytes_than_the_file);
	tcase_add_test(tcase, a_long_name_of_a_section_is_cut);
	suite_add_tcase(suite, tcase);
	return suite;
}
