#include "view/tree.h"

#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

static struct prf_tree tree;
static struct prf_program *program;

static void
setup(void)
{
	prf_tree_init(&tree);
	program = prf_program_new(NULL);
	ck_assert_ptr_nonnull(program);
}

static void
teardown(void)
{
	prf_tree_clear(&tree);
	ck_assert_uint_eq(program->n_users, 1);
	prf_program_drop(program);
}

static struct prf_branch *
add(struct prf_branch *parent, pid_t pid, uint32_t ticks)
{
	struct prf_branch *branch =
		prf_tree_add(parent ? parent : &tree.root, pid, program);

	ck_assert_ptr_nonnull(branch);
	if (ticks)
		prf_count_add(&branch->count, ticks, 0);
	return branch;
}

static size_t
depth(const struct prf_branch *branch)
{
	size_t n = 0;

	while ((branch = branch->parent))
		n++;
	return n;
}

/* Each branch in order, as its pid and how deep it is. */
static void
check(const char *text)
{
	char found[256] = "";

	for (struct prf_branch *branch = prf_tree_next(&tree, NULL); branch;
	     branch = prf_tree_next(&tree, branch))
		snprintf(found + strlen(found), sizeof found - strlen(found),
			 "%d:%zu ", (int)branch->pid, depth(branch));
	ck_assert_str_eq(found, text);
}

START_TEST(parents_come_first_and_children_in_the_order_of_their_birth)
{
	struct prf_branch *one = add(NULL, 1, 1), *two = add(one, 2, 1);

	add(one, 3, 1);
	add(two, 4, 1);
	add(NULL, 5, 1);
	check("1:1 2:2 4:3 3:2 5:1 ");
	ck_assert_uint_eq(prf_tree_sum(&tree).ticks, 5);
}
END_TEST

START_TEST(an_empty_tree_has_no_first)
{
	ck_assert_ptr_null(prf_tree_next(&tree, NULL));
	ck_assert_uint_eq(prf_tree_sum(&tree).ticks, 0);
}
END_TEST

START_TEST(who_ends_without_ticks_leaves_its_children_to_its_parent)
{
	struct prf_branch *one = add(NULL, 1, 1), *two = add(one, 2, 0);

	add(two, 3, 1);
	add(two, 4, 1);
	add(one, 5, 1);
	prf_tree_end(&tree, two);
	check("1:1 3:2 4:2 5:2 ");
	ck_assert_uint_eq(tree.n_programs, 0);
	prf_tree_end(&tree, one);
	check("1:1 3:2 4:2 5:2 ");
	ck_assert_uint_eq(tree.n_programs, 1);
}
END_TEST

START_TEST(of_very_many_the_busiest_stay_and_no_tick_goes)
{
	enum { N = 20000 };
	static struct prf_branch *live[64];
	struct random random = random_begin();
	uint64_t ticks = 0, n = 0, kept = 0;
	struct prf_branch *busy = add(NULL, 1, 1000000);

	prf_tree_end(&tree, busy);
	ticks = 1000000;
	for (pid_t pid = 2; pid < N; pid++) {
		uint64_t at = random_below(&random, 64);
		uint64_t from = random_below(&random, 64);
		uint32_t own = (uint32_t)random_below(&random, 5);
		struct prf_branch *old = live[at];

		live[at] = add(live[from], pid, own);
		ticks += own;
		n += own > 0;
		if (old)
			prf_tree_end(&tree, old);
	}
	for (int i = 0; i < 64; i++)
		if (live[i])
			prf_tree_end(&tree, live[i]);
	ck_assert_uint_eq(prf_tree_sum(&tree).ticks, ticks);
	ck_assert_uint_eq(tree.n_programs, n + 1);
	ck_assert_uint_le(tree.n_ended, PRF_TREE_MAX_ENDED);
	for (struct prf_branch *branch = prf_tree_next(&tree, NULL); branch;
	     branch = prf_tree_next(&tree, branch))
		kept++;
	ck_assert_uint_eq(kept, tree.n_ended);
	ck_assert_int_eq(prf_tree_next(&tree, NULL)->pid, 1);
}
END_TEST

/* Each process forks one, and ends before it. */
START_TEST(a_long_chain_is_folded_too)
{
	struct prf_branch *last = add(NULL, 1, 1);

	for (pid_t pid = 2; pid < 3 * PRF_TREE_MAX_ENDED; pid++) {
		struct prf_branch *next = add(last, pid, 1);

		prf_tree_end(&tree, last);
		last = next;
	}
	ck_assert_uint_le(tree.n_ended, PRF_TREE_MAX_ENDED);
	ck_assert_uint_eq(prf_tree_sum(&tree).ticks,
			  3 * PRF_TREE_MAX_ENDED - 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("tree");
	TCase *tcase = tcase_create("tree");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(
		tcase,
		parents_come_first_and_children_in_the_order_of_their_birth);
	tcase_add_test(tcase, an_empty_tree_has_no_first);
	tcase_add_test(
		tcase,
		who_ends_without_ticks_leaves_its_children_to_its_parent);
	tcase_add_test(tcase, of_very_many_the_busiest_stay_and_no_tick_goes);
	tcase_add_test(tcase, a_long_chain_is_folded_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
