#include "image/names.h"
#include "support/suite.h"

#include <string.h>

START_TEST(a_name_stays_where_it_is_while_others_are_added)
{
	struct prf_names names = {0};
	const char *first = prf_names_join(&names, "[", "text", "]");

	for (int i = 0; i < 10000; i++)
		ck_assert_ptr_nonnull(prf_names_join(&names, "", "other", ""));
	ck_assert_str_eq(first, "[text]");
	prf_names_free(&names);
}
END_TEST

START_TEST(a_block_larger_than_usual_is_given)
{
	struct prf_names names = {0};
	char *big = prf_names_alloc(&names, 1 << 20);

	ck_assert_ptr_nonnull(big);
	memset(big, 'x', 1 << 20);
	ck_assert_str_eq(prf_names_join(&names, "a", "b", "c"), "abc");
	prf_names_free(&names);
}
END_TEST

START_TEST(more_than_an_address_space_is_refused)
{
	struct prf_names names = {0};

	ck_assert_ptr_null(prf_names_alloc(&names, (size_t)-1));
	prf_names_free(&names);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("names");
	TCase *tcase = tcase_create("names");

	tcase_add_test(tcase, a_name_stays_where_it_is_while_others_are_added);
	tcase_add_test(tcase, a_block_larger_than_usual_is_given);
	tcase_add_test(tcase, more_than_an_address_space_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
