#include "profile/named_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

static void
add(struct prf_named_counts *names, const char *text, uint32_t ticks)
{
	struct prf_count count = {0};

	prf_count_add(&count, ticks, 0);
	ck_assert_int_eq(prf_named_counts_add(names, text, &count), 0);
}

static size_t
intern(struct prf_named_counts *names, const char *text)
{
	size_t number;

	ck_assert_int_eq(prf_named_counts_intern(names, text, &number), 0);
	return number;
}

START_TEST(of_no_names_there_is_an_empty_order)
{
	struct prf_named_counts names = {0};
	size_t *sorted = prf_named_counts_sorted(&names);

	ck_assert_ptr_nonnull(sorted);
	free(sorted);
	prf_named_counts_clear(&names);
}
END_TEST

START_TEST(ticks_and_their_squares_add)
{
	struct prf_named_counts names = {0};
	char text[] = "read";

	add(&names, text, 3);
	strcpy(text, "xxxx"); /* it was copied */
	add(&names, "read", 4);
	add(&names, "", 1);
	ck_assert_uint_eq(names.n, 2);
	ck_assert_str_eq(names.all[0].text, "read");
	ck_assert_uint_eq(names.all[0].count.ticks, 7);
	ck_assert_double_eq(names.all[0].count.squares, 9 + 16);
	ck_assert_str_eq(names.all[1].text, "");
	prf_named_counts_clear(&names);
}
END_TEST

START_TEST(a_name_keeps_its_number)
{
	enum { N = 5000 };
	struct prf_named_counts names = {0};
	char text[16];

	for (uint32_t round = 0; round < 2; round++)
		for (size_t i = 0; i < N; i++) {
			snprintf(text, sizeof text, "f%zu", i);
			ck_assert_uint_eq(intern(&names, text), i);
		}
	ck_assert_uint_eq(names.n, N);
	for (size_t i = 0; i < N; i++) {
		snprintf(text, sizeof text, "f%zu", i);
		ck_assert_str_eq(names.all[i].text, text);
		ck_assert_uint_eq(names.all[i].count.ticks, 0);
	}
	prf_named_counts_clear(&names);
	ck_assert_uint_eq(intern(&names, "f7"), 0); /* all is new */
	prf_named_counts_clear(&names);
}
END_TEST

START_TEST(they_can_be_put_in_the_order_of_their_names)
{
	struct prf_named_counts names = {0};
	struct random random = random_begin();
	char text[24];

	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof text, "%llx",
			 (unsigned long long)random_of_any_size(&random));
		add(&names, text, 1);
	}
	size_t *sorted = prf_named_counts_sorted(&names);
	for (size_t i = 1; i < names.n; i++)
		ck_assert_msg(strcmp(names.all[sorted[i - 1]].text,
				     names.all[sorted[i]].text) < 0,
			      RANDOM_WHERE "name %zu", RANDOM_IS(&random), i);
	free(sorted);
	prf_named_counts_clear(&names);
}
END_TEST

START_TEST(two_are_merged_name_by_name)
{
	struct prf_named_counts one = {0}, two = {0};

	add(&one, "read", 2);
	add(&one, "write", 1);
	add(&two, "futex", 5);
	add(&two, "read", 3);
	intern(&two, "never");
	ck_assert_int_eq(prf_named_counts_merge(&one, &two), 0);
	ck_assert_uint_eq(two.n, 3);
	ck_assert_uint_eq(one.all[intern(&one, "read")].count.ticks, 5);
	ck_assert_double_eq(one.all[intern(&one, "read")].count.squares, 13);
	ck_assert_uint_eq(one.all[intern(&one, "write")].count.ticks, 1);
	ck_assert_uint_eq(one.all[intern(&one, "futex")].count.ticks, 5);
	ck_assert_uint_eq(one.all[intern(&one, "never")].count.ticks, 0);
	ck_assert_uint_eq(one.n, 4);
	prf_named_counts_clear(&one);
	prf_named_counts_clear(&two);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("named_counts");
	TCase *tcase = tcase_create("named_counts");

	tcase_add_test(tcase, of_no_names_there_is_an_empty_order);
	tcase_add_test(tcase, ticks_and_their_squares_add);
	tcase_add_test(tcase, a_name_keeps_its_number);
	tcase_add_test(tcase, they_can_be_put_in_the_order_of_their_names);
	tcase_add_test(tcase, two_are_merged_name_by_name);
	suite_add_tcase(suite, tcase);
	return suite;
}
