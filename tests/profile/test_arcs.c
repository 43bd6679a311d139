#include "profile/arcs.h"

#include <errno.h>

#include "core/random.h"
#include "support/suite.h"

static struct prf_binary binaries[2];

static int
add(struct prf_arcs *arcs, size_t from, uint64_t from_vaddr, size_t to,
    uint64_t to_vaddr, uint64_t count)
{
	const struct prf_arc arc = {
		.from = {&binaries[from], from_vaddr},
		.to = {&binaries[to], to_vaddr},
		.count = count,
	};

	return prf_arcs_add(arcs, &arc);
}

START_TEST(arcs_with_the_same_ends_are_one)
{
	struct prf_arcs arcs = {0};

	for (uint64_t i = 1; i <= 3; i++)
		ck_assert_int_eq(add(&arcs, 0, 0x10, 1, 0x20, i), 0);
	ck_assert_uint_eq(arcs.n, 1);
	ck_assert_ptr_eq(arcs.all[0].from.binary, &binaries[0]);
	ck_assert_uint_eq(arcs.all[0].from.vaddr, 0x10);
	ck_assert_ptr_eq(arcs.all[0].to.binary, &binaries[1]);
	ck_assert_uint_eq(arcs.all[0].to.vaddr, 0x20);
	ck_assert_uint_eq(arcs.all[0].count, 6);
	prf_arcs_clear(&arcs);
	ck_assert_uint_eq(arcs.n, 0);
}
END_TEST

START_TEST(each_part_of_an_end_tells_arcs_apart)
{
	struct prf_arcs arcs = {0};

	ck_assert_int_eq(add(&arcs, 0, 0x10, 1, 0x20, 1), 0);
	ck_assert_int_eq(add(&arcs, 1, 0x10, 1, 0x20, 1), 0);
	ck_assert_int_eq(add(&arcs, 0, 0x11, 1, 0x20, 1), 0);
	ck_assert_int_eq(add(&arcs, 0, 0x10, 0, 0x20, 1), 0);
	ck_assert_int_eq(add(&arcs, 0, 0x10, 1, 0x21, 1), 0);
	ck_assert_int_eq(add(&arcs, 1, 0x20, 0, 0x10, 1), 0); /* backwards */
	ck_assert_uint_eq(arcs.n, 6);
	prf_arcs_clear(&arcs);
}
END_TEST

START_TEST(more_calls_than_64_bits_hold_are_refused)
{
	struct prf_arcs arcs = {0};

	ck_assert_int_eq(add(&arcs, 0, 1, 1, 2, UINT64_MAX - 1), 0);
	ck_assert_int_eq(add(&arcs, 0, 1, 1, 2, 1), 0);
	ck_assert_int_eq(add(&arcs, 0, 1, 1, 2, 1), -EOVERFLOW);
	ck_assert_int_eq(add(&arcs, 0, 1, 1, 2, 0), 0);
	ck_assert_uint_eq(arcs.all[0].count, UINT64_MAX);
	prf_arcs_clear(&arcs);
}
END_TEST

START_TEST(random_arcs_are_counted_as_in_an_array)
{
	enum { N = 48 };
	static uint64_t model[2][N][2][N];
	struct random random = random_begin();
	struct prf_arcs arcs = {0};
	uint64_t sum = 0;

	for (uint64_t i = 1; i <= 20000; i++) {
		size_t from = random_below(&random, 2);
		size_t to = random_below(&random, 2);
		uint64_t caller = random_below(&random, N);
		uint64_t callee = random_below(&random, N);

		ck_assert_int_eq(
			add(&arcs, from, caller << 32, to, callee << 12, i), 0);
		model[from][caller][to][callee] += i;
		sum += i;
	}
	for (size_t i = 0; i < arcs.n; i++) {
		const struct prf_arc *arc = &arcs.all[i];

		ck_assert_msg(arc->count == model[arc->from.binary - binaries]
						 [arc->from.vaddr >> 32]
						 [arc->to.binary - binaries]
						 [arc->to.vaddr >> 12],
			      RANDOM_WHERE "arc %zu", RANDOM_IS(&random), i);
		sum -= arc->count;
	}
	ck_assert_uint_eq(sum, 0);
	prf_arcs_clear(&arcs);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("arcs");
	TCase *tcase = tcase_create("arcs");

	tcase_add_test(tcase, arcs_with_the_same_ends_are_one);
	tcase_add_test(tcase, each_part_of_an_end_tells_arcs_apart);
	tcase_add_test(tcase, more_calls_than_64_bits_hold_are_refused);
	tcase_add_test(tcase, random_arcs_are_counted_as_in_an_array);
	suite_add_tcase(suite, tcase);
	return suite;
}
