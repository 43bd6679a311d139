#include "unwind/stack_needs.h"

#include "support/suite.h"

enum { PID = 1234, OTHER = 4321 };

static struct prf_stack_needs needs;

static void
set_up(void)
{
	needs = (struct prf_stack_needs){0};
}

START_TEST(little_is_copied_at_first)
{
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, PID), 64 << 10);
	prf_stack_needs_tell(&needs, PID, 64 << 10, 64 << 10);
	prf_stack_needs_tell(&needs, PID, 64 << 10, 100);
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, PID), 64 << 10);
}
END_TEST

START_TEST(who_had_too_little_has_twice_as_much)
{
	static const uint32_t want[] = {128 << 10, 256 << 10, 512 << 10,
					1 << 20, 1 << 20};
	uint32_t had = 64 << 10;

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		/* Some that were copied before are told of later. */
		for (int more = 0; more < 3; more++)
			prf_stack_needs_tell(&needs, PID, had + 128, had + 129);
		had = prf_stack_needs_bytes(&needs, PID);
		ck_assert_uint_eq(had, want[i]);
	}
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, OTHER), 64 << 10);
}
END_TEST

START_TEST(less_is_copied_when_it_is_not_needed)
{
	uint32_t had, before;

	prf_stack_needs_tell(&needs, PID, 512 << 10, 1 << 20);
	/* One in ten needs it. */
	for (int i = 0; i < 1000; i++)
		prf_stack_needs_tell(&needs, PID, 1 << 20,
				     i % 10 ? 1000 : 600 << 10);
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, PID), 1 << 20);
	before = 1 << 20;
	for (int i = 0; i < 1000; i++) {
		had = prf_stack_needs_bytes(&needs, PID);
		ck_assert(had == before || had == before / 2);
		before = had;
		prf_stack_needs_tell(&needs, PID, had, 1000);
	}
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, PID), 64 << 10);
}
END_TEST

START_TEST(a_later_process_has_nothing_of_an_earlier_one)
{
	const pid_t later = PID + PRF_STACK_NEEDS_SLOTS;

	prf_stack_needs_tell(&needs, PID, 512 << 10, 1 << 20);
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, later), 64 << 10);
	prf_stack_needs_tell(&needs, later, 64 << 10, 1 << 20);
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, later), 128 << 10);
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, PID), 64 << 10);
}
END_TEST

START_TEST(short_stacks_are_counted_by_thread)
{
	for (uint32_t n = 0; n < 5; n++) {
		ck_assert_uint_eq(prf_stack_needs_short(&needs, PID), n);
		prf_stack_needs_tell_short(&needs, PID);
	}
	ck_assert_uint_eq(prf_stack_needs_short(&needs, OTHER), 0);
	ck_assert_uint_eq(prf_stack_needs_bytes(&needs, PID), 64 << 10);
}
END_TEST

/* Also where their ids have much in common. */
static const pid_t apart[] = {1, PRF_STACK_NEEDS_SLOTS, 1024, 32768};
enum { N_APART = sizeof apart / sizeof *apart };

START_TEST(threads_that_live_together_are_told_apart)
{
	const pid_t other = PID + apart[_i];

	for (uint32_t n = 1; n < 5; n++) {
		prf_stack_needs_tell_short(&needs, PID);
		ck_assert_uint_eq(prf_stack_needs_short(&needs, other), n - 1);
		prf_stack_needs_tell_short(&needs, other);
		ck_assert_uint_eq(prf_stack_needs_short(&needs, PID), n);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("stack_needs");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, little_is_copied_at_first);
	tcase_add_test(tcase, who_had_too_little_has_twice_as_much);
	tcase_add_test(tcase, less_is_copied_when_it_is_not_needed);
	tcase_add_test(tcase, a_later_process_has_nothing_of_an_earlier_one);
	tcase_add_test(tcase, short_stacks_are_counted_by_thread);
	tcase_add_loop_test(tcase, threads_that_live_together_are_told_apart, 0,
			    N_APART);
	suite_add_tcase(suite, tcase);
	return suite;
}
