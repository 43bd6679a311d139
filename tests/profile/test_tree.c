#include "profile/tree.h"

#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "support/suite.h"

static struct prf_tree tree, sum; /* SUM: trees are added to it */
static struct prf_program *program;

static void
setup(void)
{
	prf_tree_init(&tree);
	prf_tree_init(&sum);
	program = prf_program_new(NULL);
	ck_assert_ptr_nonnull(program);
}

static void
teardown(void)
{
	prf_tree_clear(&tree);
	prf_tree_clear(&sum);
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
check_of(const struct prf_tree *of, const char *text)
{
	char found[256] = "";

	for (struct prf_branch *branch = prf_tree_next(of, NULL); branch;
	     branch = prf_tree_next(of, branch))
		snprintf(found + strlen(found), sizeof found - strlen(found),
			 "%d:%zu ", (int)branch->pid, depth(branch));
	ck_assert_str_eq(found, text);
}

static void
check(const char *text)
{
	check_of(&tree, text);
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

START_TEST(a_program_without_ticks_leaves_its_children_to_its_parent)
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

/* --- Adding another */

static void
merge(void)
{
	ck_assert_int_eq(prf_tree_merge(&sum, &tree), 0);
}

START_TEST(a_sum_has_the_programs_of_both_side_by_side)
{
	struct prf_branch *one = add(NULL, 1, 1), *two = add(one, 2, 2);

	add(one, 3, 4);
	prf_tree_end(&tree, two);
	merge();
	check_of(&sum, "1:1 2:2 3:2 ");
	merge();
	check_of(&sum, "1:1 2:2 3:2 1:1 2:2 3:2 ");
	check("1:1 2:2 3:2 "); /* as it was */
	ck_assert_uint_eq(prf_tree_sum(&sum).ticks, 14);
	ck_assert_double_eq(prf_tree_sum(&sum).squares, 2 * (1 + 4 + 16));
	ck_assert_uint_eq(sum.n_programs, 6);
	ck_assert_uint_eq(tree.n_programs, 1);
	prf_tree_clear(&tree);
	check_of(&sum, "1:1 2:2 3:2 1:1 2:2 3:2 ");
	ck_assert_str_eq(prf_tree_next(&sum, NULL)->program->path, "");
}
END_TEST

/* As in a snapshot: those that go on are as if they ended now. */
START_TEST(a_sum_leaves_out_programs_without_ticks)
{
	struct prf_branch *one = add(NULL, 1, 0), *two = add(one, 2, 1);
	struct prf_branch *three = add(two, 3, 0);

	add(three, 4, 2);
	add(three, 5, 0);
	prf_count_add(&three->folded, 4, 0);
	three->n_folded = 1;
	prf_tree_end(&tree, two);
	merge();
	check_of(&sum, "2:1 4:2 ");
	ck_assert_uint_eq(prf_tree_sum(&sum).ticks, 7);
	ck_assert_uint_eq(sum.n_programs, 2);
	ck_assert_uint_eq(sum.n_ended, 2);
	ck_assert_uint_eq(prf_tree_next(&sum, NULL)->n_folded, 1);
	check("1:1 2:2 3:3 4:4 5:4 ");
}
END_TEST

START_TEST(what_was_folded_is_folded_in_the_sum)
{
	struct prf_branch *one = add(NULL, 1, 1);

	prf_count_add(&one->folded, 2, 0);
	one->n_folded = 1;
	prf_tree_end(&tree, one);
	prf_count_add(&tree.root.folded, 4, 0);
	tree.root.n_folded = 2;
	tree.n_programs = 3;
	merge();
	merge();
	ck_assert_uint_eq(prf_tree_sum(&sum).ticks, 14);
	ck_assert_uint_eq(prf_tree_next(&sum, NULL)->folded.ticks, 2);
	ck_assert_uint_eq(prf_tree_next(&sum, NULL)->n_folded, 1);
	ck_assert_uint_eq(sum.root.folded.ticks, 8);
	ck_assert_uint_eq(sum.root.n_folded, 4);
	ck_assert_uint_eq(sum.n_programs, 6);
}
END_TEST

START_TEST(a_sum_of_many_trees_stays_small_and_no_tick_goes)
{
	enum { N_TREES = 40, N_BRANCHES = 500 };
	uint64_t n = 0, kept = 0;

	for (pid_t pid = 1; pid <= N_BRANCHES; pid++)
		prf_tree_end(&tree, add(NULL, pid, (uint32_t)pid));
	for (int i = 0; i < N_TREES; i++, n += N_BRANCHES) {
		merge();
		ck_assert_uint_le(sum.n_ended, PRF_TREE_MAX_ENDED);
	}
	ck_assert_uint_eq(sum.n_programs, n);
	ck_assert_uint_eq(prf_tree_sum(&sum).ticks,
			  N_TREES * N_BRANCHES * (N_BRANCHES + 1) / 2);
	for (struct prf_branch *branch = prf_tree_next(&sum, NULL); branch;
	     branch = prf_tree_next(&sum, branch))
		kept++;
	ck_assert_uint_eq(kept, sum.n_ended);
	ck_assert_uint_eq(kept + sum.root.n_folded, n);
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
		a_program_without_ticks_leaves_its_children_to_its_parent);
	tcase_add_test(tcase, of_very_many_the_busiest_stay_and_no_tick_goes);
	tcase_add_test(tcase, a_long_chain_is_folded_too);
	tcase_add_test(tcase, a_sum_has_the_programs_of_both_side_by_side);
	tcase_add_test(tcase, a_sum_leaves_out_programs_without_ticks);
	tcase_add_test(tcase, what_was_folded_is_folded_in_the_sum);
	tcase_add_test(tcase, a_sum_of_many_trees_stays_small_and_no_tick_goes);
	suite_add_tcase(suite, tcase);
	return suite;
}
