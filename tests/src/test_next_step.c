#include "src/output/next_step.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* What is printed of COMMAND with REMARK; to be freed. */
static char *
printed(const char *command, const char *word, const char *remark)
{
	struct prf_next_step step;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_next_step_begin(&step);
	prf_next_step_put(&step, command);
	prf_next_step_put_word(&step, word);
	prf_next_step_end(&step, remark, out);
	fclose(out);
	return text;
}

START_TEST(a_short_one_has_its_remark_behind_it)
{
	char *text = printed("profrun report", "a b", "the table");

	ck_assert_str_eq(text, "  profrun report 'a b'    # the table\n");
	free(text);
}
END_TEST

/* 80 characters are a line. */
START_TEST(a_long_one_has_its_remark_below_it)
{
	const char *word = "0123456789012345678901234567890123456789";
	const char *remark = "23456789012345678901234567890";
	char *text = printed("do", word, remark + 1);

	ck_assert_int_eq(strlen(text), 81 - 1);
	free(text);
	text = printed("do", word, remark);
	ck_assert_int_eq(strlen(text), 81);
	ck_assert_ptr_eq(strchr(text, '\n'), text + 80);
	free(text);
	text = printed("do it", word, remark);
	ck_assert_str_eq(text,
			 "  do it 0123456789012345678901234567890123456789"
			 "\n    # 23456789012345678901234567890\n");
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("next_step");
	TCase *tcase = tcase_create("next_step");

	tcase_add_test(tcase, a_short_one_has_its_remark_behind_it);
	tcase_add_test(tcase, a_long_one_has_its_remark_below_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
