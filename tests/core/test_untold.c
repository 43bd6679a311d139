#include "core/sink/untold.h"

#include "support/suite.h"

static struct prf_untold untold;

static bool
admits_sample(pid_t pid)
{
	const struct prf_sample sample = {.pid = pid};

	return prf_untold_admits(&untold, PRF_EVENT_SAMPLE, &sample, false);
}

static bool
admits_exec(pid_t pid, bool has_room)
{
	const struct prf_exec exec = {.pid = pid};

	return prf_untold_admits(&untold, PRF_EVENT_EXEC, &exec, has_room);
}

static bool
admits_mapping(pid_t pid, bool has_room)
{
	const struct prf_mapping map = {.pid = pid};

	return prf_untold_admits(&untold, PRF_EVENT_MAPPING, &map, has_room);
}

static bool
admits_life(enum prf_life_kind kind, pid_t pid, pid_t parent, bool has_room)
{
	const struct prf_life life = {
		.kind = kind, .pid = pid, .tid = pid, .parent = parent};

	return prf_untold_admits(&untold, PRF_EVENT_LIFE, &life, has_room);
}

static bool
admits_fork(pid_t pid, pid_t parent, bool has_room)
{
	return admits_life(PRF_LIFE_FORK, pid, parent, has_room);
}

static void
teardown(void)
{
	prf_untold_clear(&untold);
}

START_TEST(while_there_is_room_all_is_admitted)
{
	ck_assert(admits_exec(1, true));
	ck_assert(admits_mapping(1, true));
	ck_assert(admits_fork(2, 1, true));
	ck_assert(admits_life(PRF_LIFE_THREAD, 2, 0, true));
	ck_assert(admits_sample(2));
	ck_assert(admits_life(PRF_LIFE_EXIT, 2, 0, true));
	ck_assert_ptr_null(untold.bits);
}
END_TEST

START_TEST(what_is_lost_of_one_process_is_not_lost_of_others)
{
	ck_assert(!admits_mapping(1, false));
	ck_assert(!admits_sample(1));
	ck_assert(admits_sample(2));
	ck_assert(admits_sample(8 * 1000 + 1));
	/* Whatever is told of it now is not all. */
	ck_assert(!admits_mapping(1, true));
	ck_assert(!admits_sample(1));
	ck_assert(admits_mapping(2, true));
}
END_TEST

START_TEST(another_program_is_told_of_from_its_beginning)
{
	ck_assert(!admits_mapping(1, false));
	ck_assert(!admits_exec(1, false));
	ck_assert(!admits_sample(1));
	ck_assert(admits_exec(1, true));
	ck_assert(admits_mapping(1, true));
	ck_assert(admits_sample(1));
	ck_assert(!admits_exec(1, false));
	ck_assert(!admits_sample(1));
}
END_TEST

START_TEST(a_child_is_told_of_as_its_parent_is)
{
	ck_assert(!admits_mapping(1, false));
	ck_assert(!admits_fork(2, 1, true));
	ck_assert(!admits_fork(3, 2, true));
	ck_assert(!admits_life(PRF_LIFE_THREAD, 3, 0, true));
	ck_assert(!admits_sample(3));
	ck_assert(!admits_fork(4, 7, false));
	ck_assert(!admits_sample(4));
	ck_assert(admits_sample(7));
	/* Its number has another process then. */
	ck_assert(admits_life(PRF_LIFE_EXIT, 3, 0, true));
	ck_assert(admits_fork(3, 7, true));
	ck_assert(admits_sample(3));
}
END_TEST

START_TEST(that_a_process_or_thread_has_ended_is_not_missed)
{
	ck_assert(!admits_life(PRF_LIFE_END, 1, 0, false));
	ck_assert(!admits_life(PRF_LIFE_THREAD, 1, 0, false));
	ck_assert(admits_sample(1));
	ck_assert(!admits_life(PRF_LIFE_EXIT, 1, 0, false));
	ck_assert(admits_fork(1, 2, true));
	ck_assert(admits_sample(1));
}
END_TEST

START_TEST(a_figure_is_admitted_in_any_case)
{
	const struct prf_figure figure = {"n", 1};

	ck_assert(prf_untold_admits(&untold, PRF_EVENT_FIGURE, &figure, false));
}
END_TEST

/* Nothing is known of numbers that no process can have. */
START_TEST(strange_numbers_are_untold_with_the_first)
{
	const pid_t strange[] = {-1, 1 << 22, INT32_MAX, INT32_MIN};

	for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
		ck_assert(admits_sample(strange[i]));
	ck_assert(!admits_mapping((1 << 22) - 1, false));
	for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
		ck_assert(!admits_sample(strange[i]));
		ck_assert(!admits_mapping(strange[i], true));
	}
	ck_assert(!admits_sample((1 << 22) - 1));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("untold");
	TCase *tcase = tcase_create("untold");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, while_there_is_room_all_is_admitted);
	tcase_add_test(tcase,
		       what_is_lost_of_one_process_is_not_lost_of_others);
	tcase_add_test(tcase, another_program_is_told_of_from_its_beginning);
	tcase_add_test(tcase, a_child_is_told_of_as_its_parent_is);
	tcase_add_test(tcase, that_a_process_or_thread_has_ended_is_not_missed);
	tcase_add_test(tcase, a_figure_is_admitted_in_any_case);
	tcase_add_test(tcase, strange_numbers_are_untold_with_the_first);
	suite_add_tcase(suite, tcase);
	return suite;
}
