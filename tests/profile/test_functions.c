#include "profile/functions.h"

#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "space/files.h"
#include "support/made.h"
#include "support/suite.h"

static struct prf_profile *profile;

static void
begin(void)
{
	made_begin();
	profile = prf_profile_new();
	ck_assert_ptr_nonnull(profile);
}

static void
end(void)
{
	prf_profile_free(profile);
	made_end();
}

static struct prf_binary *
binary_of(const char *name)
{
	struct prf_file *file = made_file(name);
	struct prf_binary *binary = prf_profile_binary_of(profile, file);

	ck_assert_ptr_nonnull(binary);
	prf_files_drop(file);
	return binary;
}

static struct prf_binary *
binary_with(const char *name, const struct elf_symbol *symbols, size_t n)
{
	made_elf(name, symbols, n);
	return binary_of(name);
}

static struct prf_binary *
binary_of_kind(enum prf_binary_kind kind)
{
	struct prf_binary *binary = prf_profile_binary(profile, kind);

	ck_assert_ptr_nonnull(binary);
	return binary;
}

static void
add_certain(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks,
	    uint32_t certain)
{
	ck_assert_int_eq(prf_binary_count(binary, vaddr, ticks, certain), 0);
	prf_count_add(&profile->total, ticks, certain);
}

static void
add(struct prf_binary *binary, uint64_t vaddr, uint32_t ticks)
{
	add_certain(binary, vaddr, ticks, 0);
}

static void
add_name(struct prf_binary *binary, const char *name, uint32_t ticks)
{
	struct prf_count count = {0};

	prf_count_add(&count, ticks, 0);
	ck_assert_int_eq(prf_binary_count_name(binary, name, &count), 0);
	prf_count_add(&profile->total, ticks, 0);
}

static struct prf_functions
functions_of(bool sorted)
{
	struct prf_functions functions;

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	ck_assert_uint_eq(functions.total.ticks, profile->total.ticks);
	ck_assert_double_eq(functions.total.squares, profile->total.squares);
	if (sorted)
		prf_functions_sort(&functions);
	return functions;
}

/* Each function: "name@lo=ticks,squares ". */
static void
check_in_order(bool sorted, const char *text)
{
	struct prf_functions functions = functions_of(sorted);
	char found[512] = "";

	for (size_t i = 0; i < functions.n; i++) {
		const struct prf_function *function = &functions.all[i];

		snprintf(found + strlen(found), sizeof found - strlen(found),
			 "%s@%llx=%llu,%.0f ", function->name,
			 (unsigned long long)function->lo,
			 (unsigned long long)function->count.ticks,
			 function->count.squares);
	}
	prf_functions_clear(&functions);
	ck_assert_str_eq(found, text);
}

static void
check(const char *text)
{
	check_in_order(false, text);
}

/* The same if it needs its files no more. */
static void
check_detached_too(const char *text)
{
	check(text);
	ck_assert_int_eq(prf_profile_detach(profile), 0);
	check(text);
}

START_TEST(a_profile_of_nothing_has_no_functions)
{
	static const struct elf_symbol symbols[] = {
		{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1}};
	struct prf_functions functions = {0};

	check("");
	binary_with("lib", symbols, 1);
	for (int kind = PRF_BINARY_VDSO; kind < PRF_N_BINARY_KINDS; kind++)
		binary_of_kind((enum prf_binary_kind)kind);
	check_detached_too("");
	prf_functions_sort(&functions);
	prf_functions_clear(&functions);
}
END_TEST

/* --- By text, and by the address of symbols */

START_TEST(functions_and_gaps_have_the_ticks_that_fell_in_them)
{
	static const struct elf_symbol symbols[] = {
		{"f", 0x1010, 0x30, STB_GLOBAL, STT_FUNC, 1},
		{"g", 0x1040, 0x40, STB_LOCAL, STT_FUNC, 1},
	};
	struct prf_binary *binary = binary_with("lib", symbols, 2);

	add(binary, 0x1010, 1);
	add(binary, 0x1011, 2);
	add(binary, 0x103f, 4);
	add(binary, 0x1ffe, 8);
	check_detached_too("f@1010=7,21 [lib+0x1080]@1080=8,64 ");
}
END_TEST

START_TEST(samples_of_several_ticks_count_as_one_each)
{
	static const struct elf_symbol symbols[] = {
		{"outer", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"inner", 0x1040, 0x20, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_binary *binary = binary_with("lib", symbols, 2);

	for (int i = 0; i < 3; i++)
		add(binary, 0x1000, 1);
	add(binary, 0x1080, 10);
	add_certain(binary, 0x1082, 9, 6);
	add_certain(binary, 0x1050, 5, 5);
	add_certain(binary, 0x1050, 5, 4);
	check_detached_too("outer@1000=22,118 inner@1040=10,10 ");
}
END_TEST

START_TEST(a_function_around_another_is_one)
{
	static const struct elf_symbol symbols[] = {
		{"outer", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"inner", 0x1040, 0x20, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_binary *binary = binary_with("lib", symbols, 2);

	add(binary, 0x1000, 1);
	add(binary, 0x1040, 2);
	add(binary, 0x1060, 4);
	check_detached_too("outer@1000=5,17 inner@1040=2,4 ");
}
END_TEST

/* The first two bytes, which both share, are the inner one's. */
START_TEST(a_function_that_begins_behind_another_is_still_one)
{
	static const struct elf_symbol symbols[] = {
		{"outer", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"inner", 0x1001, 0x1f, STB_GLOBAL, STT_FUNC, 1},
		{"other", 0x1040, 0x20, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_binary *binary = binary_with("lib", symbols, 3);

	add(binary, 0x1020, 1);
	add(binary, 0x1080, 2);
	check_detached_too("outer@1020=3,5 ");
	add(binary, 0x1000, 4);
	check("inner@1000=4,16 outer@1020=3,5 ");
}
END_TEST

/* A list of symbols cannot tell them from pieces of one function. */
START_TEST(static_functions_of_one_name_are_two_while_the_file_is_there)
{
	static const struct elf_symbol symbols[] = {
		{"init", 0x1000, 0x40, STB_LOCAL, STT_FUNC, 1},
		{"init", 0x1040, 0x40, STB_LOCAL, STT_FUNC, 1},
	};
	struct prf_binary *binary = binary_with("lib", symbols, 2);

	add(binary, 0x1000, 1);
	add(binary, 0x1040, 2);
	check("init@1000=1,1 init@1040=2,4 ");
	ck_assert_int_eq(prf_profile_detach(profile), 0);
	check("init@1000=3,5 ");
}
END_TEST

START_TEST(functions_of_one_name_in_two_binaries_are_two)
{
	static const struct elf_symbol symbols[] = {
		{"f", 0x1000, 0x40, STB_GLOBAL, STT_FUNC, 1}};

	add(binary_with("one", symbols, 1), 0x1000, 1);
	add(binary_with("two", symbols, 1), 0x1000, 2);
	check_detached_too("f@1000=1,1 f@1000=2,4 ");
	struct prf_functions functions = functions_of(true);
	ck_assert_str_eq(functions.all[0].binary->name, "two");
	ck_assert_str_eq(functions.all[1].binary->name, "one");
	prf_functions_clear(&functions);
}
END_TEST

/* As a list of a few names has them. */
START_TEST(a_symbol_is_good_up_to_the_next_and_none_is_below_the_first)
{
	struct prf_binary *binary =
		prf_binary_new(PRF_BINARY_FILE, "/bin/listed");

	ck_assert_int_eq(prf_symbol_list_append(&binary->symbols, 0x1011, "f"),
			 0);
	ck_assert_int_eq(prf_symbol_list_append(&binary->symbols, 0x1040, "g"),
			 0);
	binary = prf_profile_take(profile, binary);
	add(binary, 0x1000, 1);
	add(binary, 0x1010, 2); /* a counter belongs where it begins */
	add(binary, 0x1012, 4);
	add(binary, 0x103f, 8);
	add(binary, 0x7ffffffffffffffe, 16);
	check("[unknown]@0=1,3 f@1011=14,82 g@1040=16,256 ");
}
END_TEST

static const struct elf_symbol nested[] = {
	{"a", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"b", 0x1100, 0x400, STB_GLOBAL, STT_FUNC, 1},
	{"c", 0x1200, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"d", 0x1a00, 0x100, STB_GLOBAL, STT_FUNC, 1},
};

/* The innermost of them that has OFF, or a gap. */
static size_t
truth(uint64_t off)
{
	for (size_t i = 4; i-- > 0;)
		if (off >= nested[i].vaddr - 0x1000 &&
		    off < nested[i].vaddr - 0x1000 + nested[i].size)
			return i;
	return off < 0xa00 ? 4 : 5;
}

START_TEST(random_ticks_are_each_in_one_function)
{
	static const char *const names[6] = {
		"a", "b", "c", "d", "[lib+0x1800]", "[lib+0x1b00]"};
	struct prf_binary *binary = binary_with("lib", nested, 4);
	struct random random = random_begin();
	struct prf_count model[6] = {{0}};

	for (int i = 0; i < 5000; i++) {
		uint64_t off = random_below(&random, 0x1000);
		uint32_t ticks = 1 + (uint32_t)random_below(&random, 70000);
		uint32_t certain = (uint32_t)random_below(&random, ticks);

		add_certain(binary, 0x1000 + off, ticks, certain);
		prf_count_add(&model[truth(off)], ticks, certain);
	}
	if (_i)
		ck_assert_int_eq(prf_profile_detach(profile), 0);
	struct prf_functions functions = functions_of(false);
	ck_assert_uint_eq(functions.n, 6);
	for (size_t i = 0; i < 6; i++)
		for (size_t f = 0; f < 6; f++)
			ck_assert_msg(strcmp(functions.all[f].name, names[i]) !=
						      0 ||
					      (functions.all[f].count.ticks ==
						       model[i].ticks &&
					       functions.all[f].count.squares ==
						       model[i].squares),
				      RANDOM_WHERE "%s", RANDOM_IS(&random),
				      names[i]);
	prf_functions_clear(&functions);
}
END_TEST

/* --- Without names */

START_TEST(a_file_without_names_is_one_function)
{
	elf_write(made_path("blob"), "blob", 4);
	struct prf_binary *binary = binary_of("blob");

	add(binary, 0x1ffe, 1);
	add(binary, 0x1101, 2);
	add(binary, 0, 4);
	check_detached_too("[blob]@0=7,21 ");
}
END_TEST

START_TEST(what_is_unknown_is_one_function)
{
	add_name(binary_of_kind(PRF_BINARY_UNKNOWN), "[unknown]", 3);
	add_name(binary_of_kind(PRF_BINARY_UNKNOWN), "[unknown]", 2);
	check_detached_too("[unknown]@0=5,13 ");
}
END_TEST

START_TEST(jit_code_of_a_process_that_lives_is_one_function)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_JIT, "");

	binary->pid = 7;
	binary = prf_profile_take(profile, binary);
	check("");
	add(binary, 0x7f0000000000, 3);
	add(binary, UINT64_MAX, 2);
	check_detached_too("[jit]@0=5,13 ");
}
END_TEST

START_TEST(what_has_names_is_in_their_order)
{
	struct prf_binary *kernel = binary_of_kind(PRF_BINARY_KERNEL);
	size_t number;

	add_name(kernel, "write", 1);
	add_name(kernel, "futex", 2);
	add_name(kernel, "read", 4);
	ck_assert_int_eq(
		prf_named_counts_intern(&kernel->names, "never", &number), 0);
	check_detached_too("futex@0=2,4 read@0=4,16 write@0=1,1 ");
}
END_TEST

/* --- In order */

START_TEST(the_hottest_come_first_and_equals_by_kind_path_and_address)
{
	static const struct elf_symbol symbols[] = {
		{"z", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
		{"y", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
	};
	struct prf_binary *unknown = binary_of_kind(PRF_BINARY_UNKNOWN);
	struct prf_binary *kernel = binary_of_kind(PRF_BINARY_KERNEL);
	struct prf_binary *second = binary_with("b", symbols, 2);
	struct prf_binary *first = binary_with("a", symbols, 2);

	add_name(unknown, "[unknown]", 1);
	add_name(kernel, "write", 1);
	add_name(kernel, "read", 1);
	add(second, 0x1800, 9);
	add(second, 0x1000, 1);
	add(first, 0x1800, 1);
	add(first, 0x1000, 1);
	check_in_order(true, "y@1800=9,81 z@1000=1,1 y@1800=1,1 z@1000=1,1 "
			     "read@0=1,1 write@0=1,1 [unknown]@0=1,1 ");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("functions");
	TCase *tcase = tcase_create("functions");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, a_profile_of_nothing_has_no_functions);
	tcase_add_test(tcase,
		       functions_and_gaps_have_the_ticks_that_fell_in_them);
	tcase_add_test(tcase, samples_of_several_ticks_count_as_one_each);
	tcase_add_test(tcase, a_function_around_another_is_one);
	tcase_add_test(tcase,
		       a_function_that_begins_behind_another_is_still_one);
	tcase_add_test(
		tcase,
		static_functions_of_one_name_are_two_while_the_file_is_there);
	tcase_add_test(tcase, functions_of_one_name_in_two_binaries_are_two);
	tcase_add_test(
		tcase,
		a_symbol_is_good_up_to_the_next_and_none_is_below_the_first);
	tcase_add_loop_test(tcase, random_ticks_are_each_in_one_function, 0, 2);
	tcase_add_test(tcase, a_file_without_names_is_one_function);
	tcase_add_test(tcase, what_is_unknown_is_one_function);
	tcase_add_test(tcase, jit_code_of_a_process_that_lives_is_one_function);
	tcase_add_test(tcase, what_has_names_is_in_their_order);
	tcase_add_test(
		tcase,
		the_hottest_come_first_and_equals_by_kind_path_and_address);
	suite_add_tcase(suite, tcase);
	return suite;
}
