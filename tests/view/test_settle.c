#include "view/object.h"

#include <inttypes.h>
#include <string.h>
#include <sys/syscall.h>

#include "core/gmon.h"
#include "core/random.h"
#include "support/suite.h"
#include "view/made.h"
#include "view/points.h"

/* An object without a file, with ticks at KEYS. */
static struct prf_object *
made_of_keys(enum prf_object_kind kind, const uint64_t *keys, size_t n,
	     uint32_t ticks)
{
	struct prf_object *object = prf_object_new(kind, NULL);

	ck_assert_ptr_nonnull(object);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(prf_object_add(object, keys[i], ticks, 0), 0);
	return object;
}

static void
settle(struct prf_object *object, const char *map)
{
	ck_assert_int_eq(
		prf_object_settle(object, map, map ? strlen(map) : 0, NULL), 0);
	made_check_object(object);
}

static struct prf_object *
made_of_file(const struct elf_symbol *symbols, size_t n)
{
	made_elf("lib", symbols, n);
	struct prf_object *object = made_mapped_object("lib");
	ck_assert_ptr_nonnull(object->image);
	return object;
}

static void
add(struct prf_object *object, uint64_t vaddr, uint32_t ticks)
{
	ck_assert_int_eq(prf_object_add(object, vaddr, ticks, 0), 0);
}

static void
check_function(const struct prf_object *object, size_t i, const char *name,
	       uint64_t lo, uint64_t ticks)
{
	ck_assert_uint_lt(i, object->n_functions);
	ck_assert_str_eq(object->functions[i].name, name);
	ck_assert_uint_eq(object->functions[i].lo, lo);
	ck_assert_uint_eq(object->functions[i].count.ticks, ticks);
}

/* --- With names */

START_TEST(functions_and_gaps_have_the_ticks_that_fell_in_them)
{
	static const struct elf_symbol symbols[] = {
		{"f", 0x1010, 0x30, STB_GLOBAL, STT_FUNC, 1},
		{"g", 0x1040, 0x40, STB_LOCAL, STT_FUNC, 1},
	};
	struct prf_object *object = made_of_file(symbols, 2);

	add(object, 0x1010, 1);
	add(object, 0x1011, 2);
	add(object, 0x103f, 4);
	add(object, 0x1ffe, 8);
	settle(object, NULL);
	ck_assert_uint_eq(object->n_functions, 4);
	check_function(object, 0, "[lib+0x1000]", 0x1000, 0);
	check_function(object, 1, "f", 0x1010, 7);
	check_function(object, 2, "g", 0x1040, 0);
	check_function(object, 3, "[lib+0x1080]", 0x1080, 8);
	ck_assert_uint_eq(object->lo, 0x1000);
	ck_assert_uint_eq(object->hi, 0x2000);
	made_check_object(object);
	ck_assert_double_eq(object->functions[1].count.squares, 21);
	prf_object_free(object);
}
END_TEST

START_TEST(a_function_around_another_is_one_function_in_two_pieces)
{
	static const struct elf_symbol symbols[] = {
		{"outer", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"inner", 0x1040, 0x20, STB_GLOBAL, STT_FUNC, 1},
	};
	static const struct prf_piece pieces[] = {
		{0x1000, 0x1040, 0},
		{0x1040, 0x1060, 1},
		{0x1060, 0x1100, 0},
		{0x1100, 0x2000, 2},
	};
	struct prf_object *object = made_of_file(symbols, 2);

	add(object, 0x1000, 1);
	add(object, 0x1040, 2);
	add(object, 0x1060, 4);
	settle(object, NULL);
	ck_assert_uint_eq(object->n_functions, 3);
	check_function(object, 0, "outer", 0x1000, 5);
	check_function(object, 1, "inner", 0x1040, 2);
	ck_assert_uint_eq(object->n_pieces, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(object->pieces[i].lo, pieces[i].lo);
		ck_assert_uint_eq(object->pieces[i].hi, pieces[i].hi);
		ck_assert_uint_eq(object->pieces[i].function,
				  pieces[i].function);
	}
	prf_object_free(object);
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
	struct prf_object *object = made_of_file(symbols, 3);

	add(object, 0x1020, 1);
	add(object, 0x1080, 2);
	settle(object, NULL);
	check_function(object, 0, "inner", 0x1000, 0);
	check_function(object, 1, "outer", 0x1020, 3);
	check_function(object, 2, "other", 0x1040, 0);
	ck_assert_uint_eq(object->n_functions, 4);
	ck_assert_uint_eq(object->n_pieces, 5);
	prf_object_free(object);
}
END_TEST

START_TEST(static_functions_of_one_name_stay_two)
{
	static const struct elf_symbol symbols[] = {
		{"init", 0x1000, 0x40, STB_LOCAL, STT_FUNC, 1},
		{"init", 0x1040, 0x40, STB_LOCAL, STT_FUNC, 1},
	};
	struct prf_object *object = made_of_file(symbols, 2);

	add(object, 0x1000, 1);
	add(object, 0x1040, 2);
	settle(object, NULL);
	check_function(object, 0, "init", 0x1000, 1);
	check_function(object, 1, "init", 0x1040, 2);
	prf_object_free(object);
}
END_TEST

START_TEST(random_ticks_are_in_points_and_functions_alike)
{
	static const struct elf_symbol symbols[] = {
		{"a", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
		{"b", 0x1100, 0x400, STB_GLOBAL, STT_FUNC, 1},
		{"c", 0x1200, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"d", 0x1a00, 0x100, STB_GLOBAL, STT_FUNC, 1},
	};
	static uint64_t model[0x800];
	struct random random = random_begin();
	struct prf_object *object = made_of_file(symbols, 4);
	struct prf_points points = {.object = object};
	struct prf_point point;

	for (int i = 0; i < 5000; i++) {
		uint64_t off = random_below(&random, 0x1000);
		uint32_t ticks = 1 + (uint32_t)random_below(&random, 70000);

		add(object, 0x1000 + off, ticks);
		model[off / 2] += ticks;
	}
	settle(object, NULL);
	for (uint64_t i = 0; i < 0x800; i++) {
		if (!model[i])
			continue;
		ck_assert_msg(prf_points_next(&points, &point) &&
				      point.vaddr == 0x1000 + 2 * i &&
				      point.ticks == model[i],
			      RANDOM_WHERE "off %" PRIu64, RANDOM_IS(&random),
			      2 * i);
	}
	ck_assert(!prf_points_next(&points, &point));
	prf_object_free(object);
}
END_TEST

/* --- Without */

START_TEST(a_file_without_names_is_one_function_over_what_was_mapped)
{
	elf_write(made_path("blob"), "blob", 4);
	struct prf_object *object = made_mapped_object("blob");
	if (_i > 0) {
		add(object, 0x1ffe, 1);
		add(object, 0x1101, 2);
		add(object, 0x1100, 4);
	}
	settle(object, NULL);
	ck_assert_uint_eq(object->n_functions, 1);
	check_function(object, 0, "[blob]", 0x1000, _i > 0 ? 7 : 0);
	ck_assert_uint_eq(object->pieces[0].hi, 0x2000);
	ck_assert_uint_eq(object->hi, 0x2000);
	ck_assert_uint_eq(object->n_points, _i > 0 ? 2 : 0);
	if (_i > 0)
		ck_assert_uint_eq(object->points[0].ticks, 6);
	prf_object_free(object);
}
END_TEST

START_TEST(what_has_no_file_and_no_names_is_one_point)
{
	static const struct {
		enum prf_object_kind kind;
		const char *name;
	} kinds[] = {
		{PRF_OBJECT_VDSO, "[vdso]"},
		{PRF_OBJECT_JIT, "[jit]"},
		{PRF_OBJECT_UNKNOWN, "[unknown]"},
	};
	const uint64_t keys[] = {UINT64_MAX, 0, 0x7f0000000000};
	struct prf_object *object = made_of_keys(kinds[_i].kind, keys, 3, 2);

	settle(object, NULL);
	ck_assert_uint_eq(object->n_functions, 1);
	check_function(object, 0, kinds[_i].name, 0, 6);
	ck_assert_uint_eq(object->n_points, 1);
	prf_object_free(object);
}
END_TEST

/* 2^32 ticks are 4 days of 128 processors at 100 Hz. */
START_TEST(more_ticks_than_a_counter_holds_go_into_the_next)
{
	const uint64_t keys[] = {1, 2, 3};
	struct prf_object *object =
		made_of_keys(PRF_OBJECT_UNKNOWN, keys, 3, UINT32_MAX);

	ck_assert_int_eq(prf_object_add(object, 4, 5, 0), 0);
	settle(object, NULL);
	ck_assert_uint_eq(object->n_points, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(object->points[i].ticks,
				  i < 3 ? PRF_GMON_MAX_TICKS : 5);
	prf_object_free(object);
}
END_TEST

START_TEST(what_was_never_hit_has_a_function_and_no_points)
{
	struct prf_object *object =
		prf_object_new((enum prf_object_kind)_i, NULL);

	settle(object, NULL);
	ck_assert_uint_eq(object->n_points, 0);
	ck_assert_uint_eq(object->total.ticks, 0);
	prf_object_free(object);
}
END_TEST

/* --- The kernel */

START_TEST(system_calls_have_their_names_and_places)
{
	const uint64_t keys[] = {SYS_write, SYS_read, SYS_futex, SYS_read};
	struct prf_object *object = made_of_keys(PRF_OBJECT_KERNEL, keys, 4, 3);

	settle(object, NULL);
	ck_assert_uint_eq(object->n_functions, 3);
	check_function(object, 0, "read", SYS_read * 16, 6);
	check_function(object, 1, "write", SYS_write * 16, 3);
	check_function(object, 2, "futex", SYS_futex * 16, 3);
	prf_object_free(object);
}
END_TEST

START_TEST(numbers_that_no_system_call_has_stay_in_the_kernel)
{
	const uint64_t keys[] = {0x40000000, UINT32_MAX - 4, 100000, SYS_read};
	struct prf_object *object = made_of_keys(PRF_OBJECT_KERNEL, keys, 4, 3);

	settle(object, NULL);
	ck_assert_str_eq(object->functions[1].name, "syscall_100000");
	ck_assert_str_eq(object->functions[2].name, "syscall_1073741824");
	ck_assert_str_eq(object->functions[3].name, "syscall_-5");
	ck_assert_uint_lt(object->hi, 1 << 20);
	prf_object_free(object);
}
END_TEST

START_TEST(to_wait_for_a_processor_is_a_place_of_the_kernel)
{
	const uint64_t keys[] = {(uint32_t)PRF_NO_PROCESSOR, SYS_read, 100000};
	struct prf_object *object = made_of_keys(PRF_OBJECT_KERNEL, keys, 3, 3);

	settle(object, NULL);
	check_function(object, 0, "read", SYS_read * 16, 3);
	ck_assert_str_eq(object->functions[1].name, "waiting_for_a_processor");
	ck_assert_str_eq(object->functions[2].name, "syscall_100000");
	prf_object_free(object);
}
END_TEST

START_TEST(the_kernel_is_as_large_whatever_was_called)
{
	const uint64_t first[] = {(uint32_t)PRF_NO_PROCESSOR},
		       second[] = {SYS_futex};
	struct prf_object *left = made_of_keys(PRF_OBJECT_KERNEL, first, 1, 1);
	struct prf_object *right =
		made_of_keys(PRF_OBJECT_KERNEL, second, 1, 1);

	settle(left, NULL);
	settle(right, NULL);
	ck_assert_uint_eq(left->lo, right->lo);
	ck_assert_uint_eq(left->hi, right->hi);
	prf_object_free(left);
	prf_object_free(right);
}
END_TEST

/* --- JIT code */

static const char jit_map[] = "1000 100 Script:~zebra\n"
			      "2000 100 LazyCompile:*apple x.js:1\n"
			      "3000 100 Script:~zebra\n"
			      "not a line\n"
			      "4000 100 never\n";

START_TEST(jit_code_is_laid_out_by_name)
{
	const uint64_t keys[] = {0x1000, 0x10ff, 0x2080, 0x3000, 0x5000};
	struct prf_object *object = made_of_keys(PRF_OBJECT_JIT, keys, 5, 2);

	settle(object, jit_map);
	ck_assert_uint_eq(object->n_functions, 3);
	check_function(object, 0, "LazyCompile:*apple x.js:1", 0, 2);
	check_function(object, 1, "Script:~zebra", 16, 6);
	check_function(object, 2, "[jit]", 32, 2);
	prf_object_free(object);
}
END_TEST

START_TEST(jit_code_with_an_empty_map_is_one)
{
	const uint64_t keys[] = {0x1000, 0x2000};
	struct prf_object *object = made_of_keys(PRF_OBJECT_JIT, keys, 2, 1);

	settle(object, "");
	ck_assert_uint_eq(object->n_functions, 1);
	check_function(object, 0, "[jit]", 0, 2);
	prf_object_free(object);
}
END_TEST

START_TEST(jit_code_that_was_not_hit_needs_no_map)
{
	struct prf_object *object = prf_object_new(PRF_OBJECT_JIT, NULL);

	settle(object, jit_map);
	check_function(object, 0, "[jit]", 0, 0);
	prf_object_free(object);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("settle");
	TCase *named = tcase_create("named"), *others = tcase_create("others");

	tcase_add_checked_fixture(named, made_begin, made_end);
	tcase_add_test(named,
		       functions_and_gaps_have_the_ticks_that_fell_in_them);
	tcase_add_test(named,
		       a_function_around_another_is_one_function_in_two_pieces);
	tcase_add_test(named,
		       a_function_that_begins_behind_another_is_still_one);
	tcase_add_test(named, static_functions_of_one_name_stay_two);
	tcase_add_test(named, random_ticks_are_in_points_and_functions_alike);
	tcase_add_loop_test(
		named,
		a_file_without_names_is_one_function_over_what_was_mapped, 0,
		2);
	suite_add_tcase(suite, named);

	tcase_add_loop_test(others, what_has_no_file_and_no_names_is_one_point,
			    0, 3);
	tcase_add_test(others,
		       more_ticks_than_a_counter_holds_go_into_the_next);
	tcase_add_loop_test(others,
			    what_was_never_hit_has_a_function_and_no_points,
			    PRF_OBJECT_FILE, PRF_N_OBJECT_KINDS);
	tcase_add_test(others, system_calls_have_their_names_and_places);
	tcase_add_test(others,
		       to_wait_for_a_processor_is_a_place_of_the_kernel);
	tcase_add_test(others,
		       numbers_that_no_system_call_has_stay_in_the_kernel);
	tcase_add_test(others, the_kernel_is_as_large_whatever_was_called);
	tcase_add_test(others, jit_code_is_laid_out_by_name);
	tcase_add_test(others, jit_code_with_an_empty_map_is_one);
	tcase_add_test(others, jit_code_that_was_not_hit_needs_no_map);
	suite_add_tcase(suite, others);
	return suite;
}
