#include "view/totals.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "support/suite.h"
#include "view/made.h"

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol hk[] = {
	{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"k", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

static const uint64_t prog = 0x555555555000, lib = 0x7f0000001000,
		      jit = 0x7f0001000000;

static struct prf_profile *
begin(void)
{
	const struct prf_profile_config config = {.kernel_apart = true};
	struct prf_profile *profile = made_profile(&config);

	made_elf("prog", fg, 2);
	made_elf("lib", hk, 2);
	made_exec(profile, "prog");
	made_map(profile, "prog", prog);
	made_map(profile, "lib", lib);
	return profile;
}

static void
absorb(struct prf_totals *totals, struct prf_profile *profile)
{
	made_finish(profile);
	ck_assert_int_eq(prf_totals_absorb(totals, profile), 0);
	made_free(profile);
}

/* Each function in order, by name and ticks. */
static void
check(const struct prf_totals *totals, const char *const names[],
      const uint64_t *ticks, size_t n)
{
	const struct prf_total **sorted = prf_totals_sorted(totals);

	ck_assert_uint_eq(totals->n_functions, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_str_eq(sorted[i]->name, names[i]);
		ck_assert_uint_eq(sorted[i]->count.ticks, ticks[i]);
	}
	free(sorted);
}

START_TEST(of_nothing_there_is_no_table)
{
	struct prf_totals totals = {0};

	ck_assert_ptr_null(prf_totals_sorted(&totals));
	absorb(&totals, begin());
	ck_assert_ptr_null(prf_totals_sorted(&totals));
	ck_assert_uint_eq(totals.count.ticks, 0);
	prf_totals_clear(&totals);
}
END_TEST

START_TEST(the_hottest_come_first_and_equals_by_place)
{
	static const char *const names[] = {"k", "h", "f", "g", "[unknown]"};
	static const uint64_t ticks[] = {9, 1, 1, 1, 1};
	struct prf_profile *profile = begin();
	struct prf_totals totals = {0};

	made_ticks(profile, 0x10, 1);
	made_ticks(profile, prog + 0x800, 1);
	made_ticks(profile, prog, 1);
	made_ticks(profile, lib, 1);
	made_ticks(profile, lib + 0x800, 9);
	absorb(&totals, profile);
	check(&totals, names, ticks, 5);
	ck_assert_uint_eq(totals.outside, 1);
	prf_totals_clear(&totals);
}
END_TEST

START_TEST(a_function_is_one_in_all_processes)
{
	static const char *const names[] = {"h", "f", "read", "k"};
	static const uint64_t ticks[] = {12, 9, 6, 3};
	struct prf_totals totals = {0};

	for (uint32_t i = 0; i < 3; i++) {
		struct prf_profile *profile = begin();

		made_ticks(profile, prog, 2 + i);
		made_ticks(profile, lib + 0x10 * i, 4);
		made_ticks(profile, lib + 0x800, 1);
		made_call(profile, 0, SYS_read, 2);
		absorb(&totals, profile);
	}
	check(&totals, names, ticks, 4);
	ck_assert_uint_eq(totals.count.ticks, 30);
	ck_assert_double_eq(totals.count.squares, 4 + 9 + 16 + 48 + 3 + 12);
	prf_totals_clear(&totals);
}
END_TEST

/* Where JIT code was put depends on what else was. */
START_TEST(made_up_places_do_not_tell_functions_apart)
{
	static const char *const maps[] = {"7f0001000000 100 same\n",
					   "7f0001000000 100 before\n"
					   "7f0001000200 100 same\n"};
	static const char *const names[] = {"same", "before"};
	static const uint64_t ticks[] = {6, 1};
	struct prf_totals totals = {0};

	for (uint32_t i = 0; i < 2; i++) {
		const struct prf_profile_config config = {
			.perfmap_dir = made_path(".")};
		elf_write(made_path("perf-4711.map"), maps[i], strlen(maps[i]));
		struct prf_profile *profile = made_profile(&config);
		made_map_kind(profile, PRF_MAPPING_ANON, jit, 0x1000);
		made_ticks(profile, jit + 0x200 * i, 3);
		if (i)
			made_ticks(profile, jit, 1);
		absorb(&totals, profile);
	}
	check(&totals, names, ticks, 2);
	prf_totals_clear(&totals);
}
END_TEST

START_TEST(functions_of_one_name_in_two_objects_are_two)
{
	static const char *const names[] = {"f", "f"};
	static const uint64_t ticks[] = {5, 2};
	struct prf_totals totals = {0};
	struct prf_profile *profile = begin();

	made_elf("second", fg, 2);
	made_map(profile, "second", lib);
	made_ticks(profile, prog, 2);
	made_ticks(profile, lib, 5);
	absorb(&totals, profile);
	check(&totals, names, ticks, 2);
	const struct prf_total **sorted = prf_totals_sorted(&totals);
	ck_assert_str_eq(sorted[0]->object, "second");
	ck_assert_str_eq(sorted[1]->object, "prog");
	free(sorted);
	prf_totals_clear(&totals);
}
END_TEST

START_TEST(a_function_around_another_is_one_row)
{
	static const struct elf_symbol symbols[] = {
		{"outer", 0x1000, 0x1000, STB_GLOBAL, STT_FUNC, 1},
		{"inner", 0x1400, 0x400, STB_GLOBAL, STT_FUNC, 1},
	};
	static const char *const names[] = {"outer", "inner"};
	static const uint64_t ticks[] = {4, 3};
	struct prf_totals totals = {0};
	struct prf_profile *profile = begin();

	made_elf("nest", symbols, 2);
	made_map(profile, "nest", jit);
	made_ticks(profile, jit, 2);
	made_ticks(profile, jit + 0x400, 3);
	made_ticks(profile, jit + 0x800, 2);
	absorb(&totals, profile);
	check(&totals, names, ticks, 2);
	prf_totals_clear(&totals);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("totals");
	TCase *tcase = tcase_create("totals");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_test(tcase, of_nothing_there_is_no_table);
	tcase_add_test(tcase, the_hottest_come_first_and_equals_by_place);
	tcase_add_test(tcase, a_function_is_one_in_all_processes);
	tcase_add_test(tcase, made_up_places_do_not_tell_functions_apart);
	tcase_add_test(tcase, functions_of_one_name_in_two_objects_are_two);
	tcase_add_test(tcase, a_function_around_another_is_one_row);
	suite_add_tcase(suite, tcase);
	return suite;
}
