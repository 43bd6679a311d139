#include "core/region.h"

#include <inttypes.h>
#include <stdbool.h>

#include "core/random.h"
#include "support/scaled.h"
#include "support/suite.h"

static const unsigned widths[] = {2, 4, 8};

START_TEST(the_span_is_rounded_up)
{
	ck_assert_uint_eq(prf_region_span(64, 0x10000), 64);
	ck_assert_uint_eq(prf_region_span(64, 0x5555), 193);
	ck_assert_uint_eq(prf_region_span(2, 2), 65536);
	ck_assert_uint_eq(prf_region_span(64, 0x20000), 32);
	ck_assert_uint_eq(prf_region_span(2, UINT32_MAX), 1);
	ck_assert_uint_eq(prf_region_span(UINT64_C(1) << 31, 2), UINT64_C(1)
									 << 46);
}
END_TEST

START_TEST(a_span_that_has_no_number_is_the_largest)
{
	ck_assert_uint_eq(prf_region_span(UINT64_C(1) << 48, 1), UINT64_MAX);
	ck_assert_uint_eq(prf_region_span(UINT64_MAX, 1), UINT64_MAX);
	ck_assert_uint_eq(prf_region_span(UINT64_MAX, 0x10000), UINT64_MAX);
	ck_assert_uint_eq(prf_region_span(0, 1), 0);
	ck_assert_uint_eq(prf_region_span(64, 0), 0);
}
END_TEST

START_TEST(only_the_widths_2_4_and_8_are_valid)
{
	struct prf_region region = {.size_bytes = 64, .scale = 0x10000};

	for (unsigned width = 0; width <= 17; width++) {
		bool valid = width == 2 || width == 4 || width == 8;
		struct prf_hit hit =
			prf_region_map(region, width, prf_dialect_svr4(), 0);

		ck_assert_int_eq(hit.kind, valid ? PRF_HIT : PRF_INVALID);
	}
}
END_TEST

START_TEST(core_clock_takes_every_pc_from_the_offset_up_in_counter_0)
{
	struct prf_region region = {
		.size_bytes = 2,
		.offset = 0x400000,
		.scale = 2,
	};
	const struct prf_dialect *dialect = prf_dialect_solaris_kernel();
	uint64_t last_pc;

	ck_assert(prf_region_last_pc(region, 2, dialect, &last_pc));
	ck_assert_uint_eq(last_pc, UINT64_MAX);
	ck_assert_int_eq(prf_region_map(region, 2, dialect, 0x3fffff).kind,
			 PRF_MISS);
	ck_assert_int_eq(prf_region_map(region, 2, dialect, UINT64_MAX).kind,
			 PRF_HIT);
	region.size_bytes = 1;
	ck_assert(!prf_region_last_pc(region, 2, dialect, &last_pc));
	ck_assert_int_eq(prf_region_map(region, 2, dialect, UINT64_MAX).kind,
			 PRF_MISS);
}
END_TEST

/* --- The reference */

static struct prf_hit
reference(struct prf_region region, unsigned width_bytes,
	  const struct prf_dialect *dialect, uint64_t pc)
{
	const struct prf_hit miss = {.kind = PRF_MISS};
	uint64_t distance = pc - region.offset, index;

	if (region.scale == 0 ||
	    (region.scale == 1 && dialect->scale_1 == PRF_SCALE_OFF))
		return (struct prf_hit){.kind = PRF_OFF};
	if (region.scale > dialect->scale_max)
		return (struct prf_hit){.kind = PRF_INVALID};
	if (pc < region.offset)
		return miss;
	if (dialect->rounding == PRF_ROUND_HALVE_FIRST)
		distance /= width_bytes;
	if (!prf_scaled(distance, region.scale, &index))
		return miss;
	if (dialect->rounding == PRF_ROUND_BYTES_FIRST)
		index /= width_bytes;
	if (region.scale == 2 && dialect->scale_2 == PRF_SCALE_FIRST)
		index = 0;
	if (index >= region.size_bytes / width_bytes)
		return miss;
	return (struct prf_hit){PRF_HIT, index, index * width_bytes};
}

static uint32_t
random_scale(struct random *random)
{
	switch (random_below(random, 4)) {
	case 0:
		return (uint32_t)random_below(random, 4);
	case 1:
		return UINT32_C(1) << random_below(random, 32);
	case 2:
		return 0x10000 - 2 + (uint32_t)random_below(random, 4);
	default:
		return (uint32_t)random_of_any_size(random);
	}
}

static struct prf_region
random_region(struct random *random)
{
	uint64_t offset = random_of_any_size(random);

	return (struct prf_region){
		.size_bytes = random_of_any_size(random),
		.offset = random_below(random, 4) ? offset : ~offset,
		.scale = random_scale(random),
	};
}

/* A pc where something happens: at an end of the region, or anywhere. */
static uint64_t
random_pc(struct random *random, struct prf_region region)
{
	uint64_t span = prf_region_span(region.size_bytes, region.scale);
	uint64_t near = random_below(random, 40) - 20;

	switch (random_below(random, 5)) {
	case 0:
		return region.offset + near;
	case 1:
		return region.offset + span + near;
	case 2:
		return random_of_any_size(random);
	case 3:
		return region.offset + random_of_any_size(random);
	default:
		return span ? region.offset + random_below(random, span)
			    : region.offset;
	}
}

static const struct prf_dialect *
random_dialect(struct random *random)
{
	return prf_dialects()[random_below(random, 8)];
}

START_TEST(a_million_random_pcs_are_where_arithmetic_on_paper_says)
{
	struct random random = random_begin();
	int n_hits = 0;

	for (int round = 0; round < 1000000; round++) {
		struct prf_region region = random_region(&random);
		const struct prf_dialect *dialect = random_dialect(&random);
		unsigned width = widths[random_below(&random, 3)];
		uint64_t pc = random_pc(&random, region);
		struct prf_hit is = prf_region_map(region, width, dialect, pc);
		struct prf_hit should = reference(region, width, dialect, pc);

		n_hits += is.kind == PRF_HIT;
		if (is.kind == should.kind && is.index == should.index &&
		    is.byte == should.byte)
			continue;
		ck_abort_msg(RANDOM_WHERE "%s, width %u, size %" PRIu64
					  ", offset %" PRIx64 ", scale %" PRIx32
					  ", pc %" PRIx64 ": %d %" PRIu64
					  ", should be %d %" PRIu64,
			     RANDOM_IS(&random), dialect->name, width,
			     region.size_bytes, region.offset, region.scale, pc,
			     (int)is.kind, is.index, (int)should.kind,
			     should.index);
	}
	ck_assert_int_gt(n_hits, 100000);
	ck_assert_int_lt(n_hits, 900000);
}
END_TEST

START_TEST(the_hits_are_the_pcs_from_offset_to_last_pc)
{
	struct random random = random_begin();

	for (int round = 0; round < 300000; round++) {
		struct prf_region region = random_region(&random);
		const struct prf_dialect *dialect = random_dialect(&random);
		unsigned width = widths[random_below(&random, 3)];
		uint64_t pc = random_pc(&random, region), last_pc = 0;
		bool any = prf_region_last_pc(region, width, dialect, &last_pc);
		bool inside = any && pc >= region.offset && pc <= last_pc;

		if ((prf_region_map(region, width, dialect, pc).kind ==
		     PRF_HIT) == inside)
			continue;
		ck_abort_msg(RANDOM_WHERE "%s, width %u, size %" PRIu64
					  ", offset %" PRIx64 ", scale %" PRIx32
					  ", pc %" PRIx64 ", last %" PRIx64,
			     RANDOM_IS(&random), dialect->name, width,
			     region.size_bytes, region.offset, region.scale, pc,
			     last_pc);
	}
}
END_TEST

/* Walks over all pcs from below the region to above it. */
static void
check_every_pc(struct prf_region region, unsigned width,
	       const struct prf_dialect *dialect)
{
	uint64_t last_pc, before = 0;

	ck_assert(prf_region_last_pc(region, width, dialect, &last_pc));
	ck_assert_int_eq(
		prf_region_map(region, width, dialect, region.offset - 1).kind,
		PRF_MISS);
	for (uint64_t pc = region.offset; pc - 1 != last_pc; pc++) {
		struct prf_hit hit = prf_region_map(region, width, dialect, pc);

		ck_assert_msg(hit.kind == PRF_HIT && hit.index >= before &&
				      hit.index < region.size_bytes / width &&
				      hit.byte == hit.index * width,
			      "%s, width %u, scale %" PRIx32 ", pc %" PRIx64
			      ": index %" PRIu64 " after %" PRIu64,
			      dialect->name, width, region.scale, pc, hit.index,
			      before);
		ck_assert(pc != region.offset || hit.index == 0);
		/* Below 1.0 no counter is left out. */
		ck_assert(region.scale > 0x10000 || hit.index - before <= 1);
		before = hit.index;
	}
	ck_assert_int_eq(
		prf_region_map(region, width, dialect, last_pc + 1).kind,
		PRF_MISS);
}

START_TEST(the_counters_cut_the_span_into_intervals_in_order)
{
	static const uint32_t scales[] = {
		700,    0x1000,  0x4000,  0x5555,  0x8000,  0xfffe,
		0xffff, 0x10000, 0x10001, 0x20000, 0x33333,
	};

	for (const struct prf_dialect *const *dialect = prf_dialects();
	     *dialect; dialect++) {
		for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
			struct prf_region region = {
				.size_bytes = 96,
				.offset = 0x400001,
				.scale = scales[i],
			};

			if (region.scale > (*dialect)->scale_max)
				continue;
			for (int w = 0; w < 3; w++)
				check_every_pc(region, widths[w], *dialect);
		}
	}
}
END_TEST

START_TEST(a_region_may_end_with_the_address_space)
{
	struct prf_region region = {
		.size_bytes = UINT64_MAX,
		.offset = UINT64_MAX - 15,
		.scale = 0x10000,
	};
	uint64_t last_pc;
	struct prf_hit hit =
		prf_region_map(region, 8, prf_dialect_hpux(), UINT64_MAX);

	ck_assert(prf_region_last_pc(region, 8, prf_dialect_hpux(), &last_pc));
	ck_assert_uint_eq(last_pc, UINT64_MAX);
	ck_assert_int_eq(hit.kind, PRF_HIT);
	ck_assert_uint_eq(hit.index, 1);
	ck_assert_int_eq(prf_region_map(region, 8, prf_dialect_hpux(), 0).kind,
			 PRF_MISS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("region");
	TCase *tcase = tcase_create("region");

	tcase_set_timeout(tcase, 120); /* a million under sanitizers */
	tcase_add_test(tcase, the_span_is_rounded_up);
	tcase_add_test(tcase, a_span_that_has_no_number_is_the_largest);
	tcase_add_test(tcase, only_the_widths_2_4_and_8_are_valid);
	tcase_add_test(
		tcase,
		core_clock_takes_every_pc_from_the_offset_up_in_counter_0);
	tcase_add_test(tcase,
		       a_million_random_pcs_are_where_arithmetic_on_paper_says);
	tcase_add_test(tcase, the_hits_are_the_pcs_from_offset_to_last_pc);
	tcase_add_test(tcase,
		       the_counters_cut_the_span_into_intervals_in_order);
	tcase_add_test(tcase, a_region_may_end_with_the_address_space);
	suite_add_tcase(suite, tcase);
	return suite;
}
