#include "view/export/callgrind.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "view/made_stacks.h"

static const char *
written(const struct prf_export_way *way)
{
	return made_stacks_written(prf_callgrind_write, way);
}

static void
check_has(const char *text, const char *expected)
{
	made_stacks_has(text, expected);
}

START_TEST(functions_have_their_own_ticks_and_calls_those_below)
{
	made_stacks_add(3, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN, MADE_F));
	made_stacks_add(2, PRF_NO_SYSCALL, MADE_PATH(MADE_MAIN));
	made_stacks_add(4, PRF_NO_SYSCALL,
			MADE_PATH(MADE_MAIN, MADE_F, MADE_G));
	const char *text =
		written(&(const struct prf_export_way){.command = "./prog x"});

	check_has(text, "creator: profrun ");
	check_has(text, "\ncmd: ./prog x\n");
	check_has(text, "\npid: 4711\n");
	check_has(text, "\npositions: instr line\n");
	check_has(text, "\nevent: ns = 10000000 Ticks : CPU time");
	check_has(text, "\nevents: Ticks\nsummary: 9\n");
	check_has(text, "/prog\nfl=(1) ???\nfn=(1) main\n0x1008 0 2\n"
			"cob=(1)\ncfi=(1)\ncfn=(2) f\n"
			"calls=7 0x1100 0\n0x1007 0 7\n");
	check_has(text, "fn=(2)\n0x1108 0 3\n"
			"cob=(1)\ncfi=(1)\ncfn=(3) g\n"
			"calls=4 0x1200 0\n0x1107 0 4\n");
	check_has(text, "fn=(4) [all]\ncob=(1)\ncfi=(1)\ncfn=(1)\n"
			"calls=9 0x1000 0\n0x0 0 9\n");
	check_has(text, "\ntotals: 9\n");
}
END_TEST

/* The sum of the calls to each function is what it has with all below. */
START_TEST(recursion_has_each_sample_once)
{
	made_stacks_add(5, PRF_NO_SYSCALL,
			MADE_PATH(MADE_MAIN, MADE_F, MADE_G, MADE_F, MADE_F));
	const char *text = written(&(const struct prf_export_way){0});
	uint64_t calls = 0;

	for (const char *at = strstr(text, "\ncalls="); at;
	     at = strstr(at + 1, "\ncalls="))
		calls += strtoull(at + 7, NULL, 10);
	ck_assert_uint_eq(calls, 3 * 5); /* of main, f and g */
	ck_assert_ptr_null(strstr(text, "cfn=(2)\ncalls=5 0x1100 0\n0x1207"));
}
END_TEST

START_TEST(a_system_call_has_no_address)
{
	made_stacks_add(1, 0, MADE_PATH(MADE_MAIN));
	const char *text = written(&(const struct prf_export_way){0});

	check_has(text, "ob=(2) [kernel]\n");
	/* That is not the function of a library. */
	check_has(text, ") [kernel]:read\n");
	check_has(text, "\n0x0 0 1\n");
}
END_TEST

START_TEST(a_hostile_name_is_one_line_of_its_own)
{
	made_stacks_add(1, PRF_NO_SYSCALL, MADE_PATH(MADE_HOSTILE));
	const char *text = written(&(const struct prf_export_way){
		.command = "a\nfn=(7) b\n", .full_names = true});

	check_has(text, "\ncmd: a?fn=(7) b?\n");
	check_has(text, "\nfn=(1) </script>?\"fn=(1) x\\?;?[2Jcalls=9 0??\n");
	ck_assert_ptr_null(strstr(text, "\ncalls=9"));
	ck_assert_ptr_null(strchr(text, '\033'));
}
END_TEST

START_TEST(a_profile_without_stacks_has_its_functions)
{
	made_stacks_add(6, PRF_NO_SYSCALL, MADE_PATH(MADE_TEMPLATE));
	const char *text = written(&(const struct prf_export_way){0});

	check_has(text, "fn=(1) a::b\n0x1408 0 6\n");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("callgrind");
	TCase *tcase = tcase_create("callgrind");

	tcase_add_checked_fixture(tcase, made_stacks_begin, made_stacks_end);
	tcase_add_test(tcase,
		       functions_have_their_own_ticks_and_calls_those_below);
	tcase_add_test(tcase, recursion_has_each_sample_once);
	tcase_add_test(tcase, a_system_call_has_no_address);
	tcase_add_test(tcase, a_hostile_name_is_one_line_of_its_own);
	tcase_add_test(tcase, a_profile_without_stacks_has_its_functions);
	suite_add_tcase(suite, tcase);
	return suite;
}
