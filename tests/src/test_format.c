#include "src/options/format.h"
#include "support/suite.h"
#include "view/export/export_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_list_of_formats_is_read_in_any_order)
{
	unsigned formats;

	ck_assert_int_eq(prf_formats_parse("raw,pcsample", &formats, NULL), 0);
	ck_assert_uint_eq(formats, PRF_FORMAT_RAW | PRF_FORMAT_PCSAMPLE);
	ck_assert_int_eq(prf_formats_parse("gmon,gmon", &formats, NULL), 0);
	ck_assert_uint_eq(formats, PRF_FORMAT_GMON);
}
END_TEST

START_TEST(each_word_is_a_format_of_its_own)
{
	unsigned all = 0;
	const char *word;

	for (size_t i = 0; (word = prf_format_word(i)); i++) {
		unsigned formats;

		ck_assert_int_eq(prf_formats_parse(word, &formats, NULL), 0);
		ck_assert_uint_eq(all & formats, 0);
		all |= formats;
	}
	ck_assert_uint_eq(all & (PRF_FORMAT_EXPORT - 1),
			  PRF_FORMAT_GMON | PRF_FORMAT_PCSAMPLE |
				  PRF_FORMAT_RAW);
}
END_TEST

START_TEST(formats_of_other_tools_are_rows_like_ours)
{
	const struct prf_export_format *format;
	char *about = prf_formats_describe();

	ck_assert_ptr_nonnull(about);
	for (size_t i = 0; (format = prf_export_format(i)); i++) {
		enum prf_format bit = prf_format_export(i);
		unsigned formats;

		ck_assert_ptr_eq(prf_export_format_find(format->name), format);
		ck_assert_int_eq(
			prf_formats_parse(format->name, &formats, NULL), 0);
		ck_assert_uint_eq(formats, bit);
		ck_assert(prf_formats_need_stacks(formats) ==
			  format->needs_stacks);
		ck_assert(prf_formats_have_profile(formats));
		ck_assert_str_eq(prf_formats_pattern(formats, NULL),
				 format->usual);
		ck_assert_str_eq(
			prf_format_name(bit, formats | PRF_FORMAT_GMON, "x")
				.suffix,
			format->suffix);
		ck_assert_ptr_nonnull(strstr(about, format->about));
	}
	ck_assert(!prf_formats_need_stacks(PRF_FORMAT_EXPORT - 1));
	ck_assert(!prf_formats_have_profile(PRF_FORMAT_PCSAMPLE |
					    PRF_FORMAT_RAW));
	free(about);
}
END_TEST

START_TEST(what_is_no_format_is_refused)
{
	static const char *const lists[] = {"",     ",",       "gmon,",
					    ",raw", "gmonx",   "gmo",
					    "RAW",  "raw raw", "gmon,,raw"};
	unsigned formats;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		ck_assert_int_eq(prf_formats_parse(lists[i], &formats, NULL),
				 -EINVAL);
}
END_TEST

START_TEST(a_single_format_has_the_name_and_others_stand_beside_gmon)
{
	unsigned both = PRF_FORMAT_GMON | PRF_FORMAT_PCSAMPLE;
	struct prf_format_name name =
		prf_format_name(PRF_FORMAT_PCSAMPLE, PRF_FORMAT_PCSAMPLE, "x");

	ck_assert_str_eq(name.pattern, "x");
	ck_assert_str_eq(name.suffix, "");
	name = prf_format_name(PRF_FORMAT_PCSAMPLE, both, "x");
	ck_assert_str_eq(name.pattern, "x");
	ck_assert_str_eq(name.suffix, ".trace");
	name = prf_format_name(PRF_FORMAT_GMON, both, "x");
	ck_assert_str_eq(name.suffix, "");
	name = prf_format_name(PRF_FORMAT_PCSAMPLE, both, NULL);
	ck_assert_str_eq(name.pattern, "profrun.trace");
	ck_assert_str_eq(name.suffix, "");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("format");
	TCase *tcase = tcase_create("format");

	tcase_add_test(tcase, a_list_of_formats_is_read_in_any_order);
	tcase_add_test(tcase, each_word_is_a_format_of_its_own);
	tcase_add_test(tcase, formats_of_other_tools_are_rows_like_ours);
	tcase_add_test(tcase, what_is_no_format_is_refused);
	tcase_add_test(
		tcase,
		a_single_format_has_the_name_and_others_stand_beside_gmon);
	suite_add_tcase(suite, tcase);
	return suite;
}
