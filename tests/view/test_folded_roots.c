#include "view/export/folded_roots.h"

#include <stdio.h>

#include "support/suite.h"

static struct prf_profile *profile;
static struct prf_folded_roots roots;

static void
begin(void)
{
	profile = prf_profile_new();
	ck_assert_ptr_nonnull(profile);
	ck_assert_int_eq(prf_profile_begin_calls(profile), 0);
}

static void
end(void)
{
	prf_folded_roots_clear(&roots);
	prf_profile_free(profile);
}

/* Thread TID of PROGRAM is called NAME. */
static void
add(pid_t tid, const char *program, const char *name)
{
	struct prf_owner owner = {
		.pid = 1, .tid = tid, .program = program, .rank = -1};
	uint32_t number;

	snprintf(owner.name, sizeof owner.name, "%s", name);
	ck_assert_int_eq(
		prf_owners_intern(&profile->calls->owners, &owner, &number), 0);
	prf_owners_name(&profile->calls->owners, &owner);
}

static void
check_root(uint32_t owner, const char *program, const char *thread)
{
	ck_assert_uint_lt(owner, roots.n_owners);
	ck_assert_uint_lt(roots.root[owner], roots.n);
	ck_assert_str_eq(roots.all[roots.root[owner]].program, program);
	ck_assert_str_eq(roots.all[roots.root[owner]].thread, thread);
}

START_TEST(without_owners_there_is_one_root)
{
	prf_calls_free(profile->calls);
	profile->calls = NULL;
	ck_assert_int_eq(prf_folded_roots_of(profile, &roots), 0);
	ck_assert_uint_eq(roots.n, 1);
	check_root(0, "", "");
}
END_TEST

START_TEST(threads_are_told_where_their_names_differ)
{
	add(1, "/bin/one", "main");
	add(2, "/bin/one", "worker");
	add(3, "/usr/bin/one", "worker");
	add(4, "/bin/two", "two");
	add(5, "/bin/two", "two");
	add(6, "/bin/two", "");
	ck_assert_int_eq(prf_folded_roots_of(profile, &roots), 0);
	check_root(1, "one", "main");
	check_root(2, "one", "worker");
	check_root(3, "one", "worker");
	check_root(4, "two", "");
	check_root(5, "two", "");
	check_root(6, "two", "");
	/* And that of whom nobody knows. */
	ck_assert_uint_eq(roots.n, 4);
}
END_TEST

/* Threads of one program, and programs. */
START_TEST(of_too_many_less_is_told)
{
	for (int i = 0; i < PRF_FOLDED_ROOTS_MAX + 1; i++) {
		char number[16];

		snprintf(number, sizeof number, "%d", i);
		add(i + 1, _i ? number : "one", _i ? "" : number);
	}
	ck_assert_int_eq(prf_folded_roots_of(profile, &roots), 0);
	ck_assert_uint_le(roots.n, 2);
	check_root(1, _i ? "" : "one", "");
	check_root(PRF_FOLDED_ROOTS_MAX, _i ? "" : "one", "");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("folded_roots");
	TCase *tcase = tcase_create("folded_roots");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, without_owners_there_is_one_root);
	tcase_add_test(tcase, threads_are_told_where_their_names_differ);
	tcase_add_loop_test(tcase, of_too_many_less_is_told, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
