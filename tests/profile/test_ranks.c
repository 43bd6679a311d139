#include "profile/ranks.h"

#include "support/suite.h"

static struct prf_ranks ranks;

static void
clear(void)
{
	prf_ranks_clear(&ranks);
}

/* TICKS in a system call, of a program that is of RANK. */
static void
add(int32_t rank, uint32_t ticks)
{
	const struct prf_exec exec = {
		.pid = 10,
		.path = "/no/such/program",
		.command = "program",
		.addr_bytes = 8,
		.rank = rank,
	};
	const struct prf_sample sample = {.ticks = ticks, .certain = ticks};
	struct prf_program *program = prf_program_new(&exec);
	struct prf_profile *profile = prf_profile_new();

	ck_assert_ptr_nonnull(program);
	ck_assert_ptr_nonnull(profile);
	ck_assert_int_eq(prf_profile_count_call(profile, 0, &sample), 0);
	ck_assert_int_eq(prf_ranks_add(&ranks, program, profile), 0);
	prf_profile_free(profile);
	prf_program_drop(program);
}

static void
check(size_t i, int32_t rank, uint64_t ticks)
{
	ck_assert_int_eq(ranks.all[i].rank, rank);
	ck_assert_uint_eq(ranks.all[i].profile->total.ticks, ticks);
	ck_assert_int_eq(ranks.all[i].program->rank, rank);
}

START_TEST(each_rank_has_the_ticks_of_all_its_programs)
{
	add(2, 1);
	add(0, 2);
	add(2, 4);
	add(-1, 8);
	add(10, 16);
	add(-1, 32);
	prf_ranks_sort(&ranks);
	ck_assert_uint_eq(ranks.n, 4);
	check(0, 0, 2);
	check(1, 2, 5);
	check(2, 10, 16);
	check(3, -1, 40);
}
END_TEST

START_TEST(without_any_there_is_nothing_to_do)
{
	prf_ranks_sort(&ranks);
	ck_assert_uint_eq(ranks.n, 0);
	prf_ranks_clear(&ranks);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("ranks");
	TCase *tcase = tcase_create("ranks");

	tcase_add_checked_fixture(tcase, NULL, clear);
	tcase_add_test(tcase, each_rank_has_the_ticks_of_all_its_programs);
	tcase_add_test(tcase, without_any_there_is_nothing_to_do);
	suite_add_tcase(suite, tcase);
	return suite;
}
