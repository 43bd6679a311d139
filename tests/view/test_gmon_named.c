#include "view/gmon/gmon_named.h"

#include <errno.h>
#include <string.h>

#include "core/scope.h"
#include "profile/functions.h"
#include "support/suite.h"

static struct prf_profile *profile;
static struct prf_symbol_list symbols;

static void
begin(void)
{
	profile = prf_profile_new();
	ck_assert_ptr_nonnull(profile);
	ck_assert_int_eq(prf_symbol_list_append(&symbols, 0x1000, "one"), 0);
	ck_assert_int_eq(prf_symbol_list_append(&symbols, 0x1006, "two"), 0);
}

static void
end(void)
{
	prf_profile_free(profile);
	prf_symbol_list_clear(&symbols);
}

/* Bins of 4 bytes, as the C library makes them: the second lies across the
 * border, and its middle is where the second function begins. */
static const uint64_t counts[] = {5, 7, 11};
static struct prf_gmon_hist hist = {
	.lo_vaddr = 0x1000,
	.hi_vaddr = 0x100c,
	.counts = counts,
	.n_bins = 3,
	.n_records = 1,
};
static const struct prf_gmon as_written = {
	.rate_hz = 100,
	.dimension = "seconds",
	.abbreviation = "s",
	.hists = &hist,
	.n_hists = 1,
	.ticks = 23,
};

START_TEST(wide_counters_belong_where_their_middles_are)
{
	PRF_AUTO(prf_functions_clear) struct prf_functions functions;
	struct prf_error err = {0};

	ck_assert_int_eq(prf_gmon_named_add(profile, &as_written, "/bin/app",
					    &symbols, &err),
			 0);
	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	ck_assert_uint_eq(functions.n, 2);
	ck_assert_str_eq(functions.all[0].name, "one");
	ck_assert_uint_eq(functions.all[0].count.ticks, 5);
	ck_assert_str_eq(functions.all[1].name, "two");
	ck_assert_uint_eq(functions.all[1].count.ticks, 18);
	ck_assert_str_eq(functions.all[0].binary->name, "app");
	ck_assert_uint_eq(profile->total.ticks, 23);
	ck_assert_uint_eq(profile->unit.rate_hz, 100);
	ck_assert_uint_eq(symbols.n, 0); /* it was taken over */
}
END_TEST

/* Each of them is for more text than a block of counters. */
START_TEST(very_wide_counters_take_a_block_for_each_function)
{
	enum { N = 1000, N_BYTES = 2048, SPLIT = 0x1000 + N / 2 * N_BYTES };
	static uint64_t ticks[N];
	struct prf_gmon_hist wide = {
		.lo_vaddr = 0x1000,
		.hi_vaddr = 0x1000 + N * N_BYTES,
		.counts = ticks,
		.n_bins = N,
		.n_records = 1,
	};
	struct prf_gmon coarse = as_written;
	PRF_AUTO(prf_functions_clear) struct prf_functions functions;

	for (size_t i = 0; i < N; i++)
		ticks[i] = 1 + i / (N / 2);
	coarse.hists = &wide;
	coarse.ticks = N + N / 2;
	/* The counter at the border has its middle in the latter. */
	ck_assert_int_eq(
		prf_symbol_list_append(&symbols, SPLIT + 1024, "three"), 0);
	ck_assert_int_eq(
		prf_gmon_named_add(profile, &coarse, "", &symbols, NULL), 0);
	ck_assert_uint_le(profile->binaries[0]->blocks.n, 3);
	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	ck_assert_uint_eq(functions.n, 2);
	ck_assert_str_eq(functions.all[0].name, "two");
	ck_assert_uint_eq(functions.all[0].count.ticks, N / 2);
	ck_assert_str_eq(functions.all[1].name, "three");
	ck_assert_uint_eq(functions.all[1].count.ticks, N);
}
END_TEST

START_TEST(without_a_rate_it_is_refused)
{
	struct prf_gmon old = as_written;
	struct prf_error err = {0};

	old.rate_hz = 0;
	ck_assert_int_eq(prf_gmon_named_add(profile, &old, "", &symbols, &err),
			 -EINVAL);
	ck_assert_str_ne(err.text, "");
}
END_TEST

START_TEST(with_two_rates_it_is_refused)
{
	struct prf_gmon mixed = as_written;
	struct prf_error err = {0};

	mixed.rates_differ = true;
	mixed.rates_differ_off = 60;
	ck_assert_int_eq(
		prf_gmon_named_add(profile, &mixed, "", &symbols, &err),
		-EINVAL);
	ck_assert_str_eq(err.text, "offset 60: a record of another rate than "
				   "the first; ticks of two lengths do not "
				   "add");
}
END_TEST

START_TEST(calls_are_read_and_add_up)
{
	static const struct prf_gmon_arc arcs[] = {
		{.from_vaddr = 0x1002, .to_vaddr = 0x1006, .count = 3},
		{.from_vaddr = 0x1002, .to_vaddr = 0x1006, .count = 4},
	};
	struct prf_gmon called = as_written;
	struct prf_error err = {0};

	called.arcs = (struct prf_gmon_arc *)arcs;
	called.n_arcs = 2;
	ck_assert_int_eq(
		prf_gmon_named_add(profile, &called, "/a", &symbols, &err), 0);
	ck_assert_uint_eq(profile->arcs.n, 1);
	ck_assert_uint_eq(profile->arcs.all[0].from.vaddr, 0x1002);
	ck_assert_uint_eq(profile->arcs.all[0].to.vaddr, 0x1006);
	ck_assert_uint_eq(profile->arcs.all[0].count, 7);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_named");
	TCase *tcase = tcase_create("gmon_named");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, wide_counters_belong_where_their_middles_are);
	tcase_add_test(tcase,
		       very_wide_counters_take_a_block_for_each_function);
	tcase_add_test(tcase, calls_are_read_and_add_up);
	tcase_add_test(tcase, without_a_rate_it_is_refused);
	tcase_add_test(tcase, with_two_rates_it_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
