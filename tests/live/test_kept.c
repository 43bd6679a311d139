#include "live/kept.h"

#include <stddef.h>

#include "support/suite.h"

enum { MANY = 3 };

static struct prf_kept *list, all[MANY];
static int owners[MANY], n_freed;
static const struct prf_kept *freed;

static void
note_freed(struct prf_kept *kept)
{
	freed = kept;
	n_freed++;
}

static void
set_up(void)
{
	list = NULL;
	n_freed = 0;
	for (int i = 0; i < MANY; i++) {
		all[i] = (struct prf_kept){
			.owner = &owners[i],
			.free = note_freed,
		};
		prf_kept_add(&list, &all[i]);
	}
}

START_TEST(each_owner_finds_its_own)
{
	for (int i = 0; i < MANY; i++)
		ck_assert_ptr_eq(prf_kept_find(list, &owners[i]), &all[i]);
	ck_assert_ptr_null(prf_kept_find(list, &list));
	ck_assert_ptr_null(prf_kept_find(NULL, &owners[0]));
}
END_TEST

/* The last one, the one between and the first. */
START_TEST(what_is_dropped_is_freed_and_the_others_stay)
{
	prf_kept_drop(&list, &owners[_i]);
	ck_assert_ptr_eq(freed, &all[_i]);
	ck_assert_int_eq(n_freed, 1);
	for (int i = 0; i < MANY; i++)
		ck_assert(!prf_kept_find(list, &owners[i]) == (i == _i));
	prf_kept_drop(&list, &owners[_i]);
	ck_assert_int_eq(n_freed, 1);
}
END_TEST

START_TEST(a_cleared_list_is_empty_and_all_are_freed)
{
	prf_kept_clear(&list);
	ck_assert_ptr_null(list);
	ck_assert_int_eq(n_freed, MANY);
	prf_kept_clear(&list);
	ck_assert_int_eq(n_freed, MANY);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("kept");
	TCase *tcase = tcase_create("kept");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, each_owner_finds_its_own);
	tcase_add_loop_test(tcase, what_is_dropped_is_freed_and_the_others_stay,
			    0, MANY);
	tcase_add_test(tcase, a_cleared_list_is_empty_and_all_are_freed);
	suite_add_tcase(suite, tcase);
	return suite;
}
