#include "view/pprof/pprof_comment.h"

#include "support/suite.h"

START_TEST(what_is_said_of_stacks_is_understood)
{
	char text[PRF_PPROF_COMMENT_BYTES];
	enum prf_stack_end end;
	uint64_t ticks;

	prf_pprof_comment_end((enum prf_stack_end)_i, UINT64_MAX, text);
	ck_assert(prf_pprof_comment_is_end(text, &end, &ticks));
	ck_assert_int_eq(end, _i);
	ck_assert_uint_eq(ticks, UINT64_MAX);
}
END_TEST

START_TEST(where_text_is_linked_is_understood)
{
	char text[PRF_PPROF_COMMENT_BYTES];
	uint64_t addr, vaddr;

	prf_pprof_comment_link(UINT64_MAX, 0x1000, text);
	ck_assert_str_eq(text, "text at 0xffffffffffffffff is linked at "
			       "0x1000");
	ck_assert(prf_pprof_comment_is_link(text, &addr, &vaddr));
	ck_assert_uint_eq(addr, UINT64_MAX);
	ck_assert_uint_eq(vaddr, 0x1000);
}
END_TEST

START_TEST(other_comments_are_not)
{
	static const char *const texts[] = {
		"",
		":",
		"profrun 1.0",
		"stacks complete: ticks",
		"stacks complete: 12 ticks and more",
		"stacks  complete: 12 ticks",
		"stacks incomplete: 12 ticks",
		"text at 0x10 is linked at",
		"text at 0x10 is linked at 0x20, too",
		"text at 0x010 is linked at 0x20",
	};
	enum prf_stack_end end;
	uint64_t left, right;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		ck_assert(!prf_pprof_comment_is_end(texts[i], &end, &left));
		ck_assert(!prf_pprof_comment_is_link(texts[i], &left, &right));
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pprof_comment");
	TCase *tcase = tcase_create("pprof_comment");

	tcase_add_loop_test(tcase, what_is_said_of_stacks_is_understood, 0,
			    PRF_N_STACK_ENDS);
	tcase_add_test(tcase, where_text_is_linked_is_understood);
	tcase_add_test(tcase, other_comments_are_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
