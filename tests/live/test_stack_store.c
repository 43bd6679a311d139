#include "live/wall/stack_store.h"

#include <stdlib.h>

#include "support/suite.h"

static struct prf_stack_store store;
static struct prf_stored_stack stored;

static void
tear_down(void)
{
	prf_stack_store_drop(&store, &stored);
	ck_assert_uint_eq(store.room_bytes, 0);
}

START_TEST(what_is_kept_is_a_copy)
{
	char stack[] = "abcdef";

	ck_assert(prf_stack_store_keep(&store, &stored, stack, 6));
	stack[0] = '?';
	ck_assert_uint_eq(stored.n_bytes, 6);
	ck_assert_mem_eq(stored.copy, "abcdef", 6);
}
END_TEST

START_TEST(another_takes_its_place)
{
	ck_assert(prf_stack_store_keep(&store, &stored, "abcdef", 6));
	ck_assert(prf_stack_store_keep(&store, &stored, "xyz", 3));
	ck_assert_uint_eq(stored.n_bytes, 3);
	ck_assert_mem_eq(stored.copy, "xyz", 3);
	ck_assert(prf_stack_store_keep(&store, &stored, "0123456789", 10));
	ck_assert_mem_eq(stored.copy, "0123456789", 10);
	ck_assert_uint_eq(store.room_bytes, 10);
	ck_assert(prf_stack_store_keep(&store, &stored, "z", 1));
	ck_assert_uint_eq(store.room_bytes, 1);
}
END_TEST

START_TEST(all_together_have_a_limit)
{
	enum { MOST = PRF_STACK_STORE_MOST_BYTES };
	struct prf_stored_stack other = {0};
	char *large = calloc(1, MOST);

	ck_assert_ptr_nonnull(large);
	ck_assert(prf_stack_store_keep(&store, &stored, "ab", 2));
	ck_assert(!prf_stack_store_keep(&store, &other, large, MOST - 1));
	ck_assert_ptr_null(other.copy);
	ck_assert(prf_stack_store_keep(&store, &other, large, MOST - 2));
	/* Who has nothing more has lost what it had. */
	ck_assert(!prf_stack_store_keep(&store, &stored, "abcdef", 6));
	ck_assert_ptr_null(stored.copy);
	ck_assert_uint_eq(stored.n_bytes, 0);
	prf_stack_store_drop(&store, &other);
	ck_assert(prf_stack_store_keep(&store, &stored, "abcdef", 6));
	free(large);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stack_store");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, NULL, tear_down);
	tcase_add_test(tcase, what_is_kept_is_a_copy);
	tcase_add_test(tcase, another_takes_its_place);
	tcase_add_test(tcase, all_together_have_a_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
