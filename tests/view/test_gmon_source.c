#include "view/gmon/gmon_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon/gmon_writer.h"
#include "core/scope.h"
#include "support/suite.h"
#include "view/gmon/gmon_files.h"
#include "view/made_sum.h"

PRF_DEFINE_AUTO(prf_gmon, prf_gmon_free);
PRF_DEFINE_AUTO(prf_gmon_layout, prf_gmon_layout_free);

/* --- One file at a time, without a list */

START_TEST(counters_and_arcs_go_beyond_16_and_32_bits)
{
	PRF_AUTO(made_clear)
	struct made a = made_plain(0x2000, 65535, 100, UINT32_MAX);
	PRF_AUTO(made_clear)
	struct made b = made_plain(0x2000, 40000, 100, UINT32_MAX);
	PRF_AUTO(made_clear)
	struct made c = made_plain(0x9000, UINT32_MAX, 100, 0);
	PRF_AUTO(made_clear)
	struct made sum = sum_of((const struct made *const[]){&a, &b, &c}, 3);
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(sum.gmon, sum.n_gmon, NULL, &gmon, NULL), 0);
	ck_assert_uint_eq(gmon->ticks, 65535 + 40000 + (uint64_t)UINT32_MAX);
	ck_assert_uint_eq(gmon->hists[0].counts[0], 105535);
	ck_assert_uint_eq(gmon->arcs[0].count, 2 * (uint64_t)UINT32_MAX);
}
END_TEST

START_TEST(what_gprof_could_not_add_is_not_written)
{
	PRF_AUTO(made_clear)
	struct made a = made_plain(0x2000, UINT32_MAX, 100, 0);
	PRF_AUTO(made_clear) struct made b = made_plain(0x2000, 1, 100, 0);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	PRF_AUTO(prf_gmon_layout_auto) struct prf_gmon_layout *layout = NULL;
	struct prf_error err = {0};
	FILE *out = fopen("/dev/null", "w");

	ck_assert_int_eq(sum_add(&sum, &a, &err), 0);
	ck_assert_int_eq(sum_add(&sum, &b, &err), 0);
	ck_assert_uint_eq(sum.profile->total.ticks, UINT64_C(1) << 32);
	ck_assert_int_eq(prf_gmon_layout_new(sum.profile, &layout, &err), 0);
	ck_assert_int_eq(prf_gmon_files_write_ticks(layout, out, &err),
			 -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(err.text, "0x2000"));
	fclose(out);
}
END_TEST

/* --- What is refused */

static void
assert_refused(const struct made *a, const struct made *b, const char *why)
{
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	ck_assert_msg(sum_add(&sum, a, &err) == 0, "%s", err.text);
	ck_assert_int_lt(sum_add(&sum, b, &err), 0);
	ck_assert_msg(strstr(err.text, why), "%s", err.text);
}

#define LIST(build_id)                                                         \
	"# gmon.syms 1\n# object 2000 3000 0 " build_id                        \
	" /bin/app\n0000000000002000 T main\n0000000000003000 T [end]\n"

START_TEST(another_rate_is_refused)
{
	PRF_AUTO(made_clear) struct made a = made_plain(0x2000, 1, 100, 0);
	PRF_AUTO(made_clear) struct made b = made_plain(0x2000, 1, 1000, 0);

	assert_refused(&a, &b, "rate 1000, 100 before");
}
END_TEST

/* One tick in each piece of text, by few bytes of a file for each. */
START_TEST(ticks_in_very_many_places_are_refused)
{
	enum { N = PRF_BLOCKS_MAX + 1 };
	static struct prf_gmon_hist hists[N];
	static const uint64_t one = 1;
	const struct prf_gmon gmon = {
		.reading = {.addr_bytes = 8},
		.rate_hz = 100,
		.dimension = "seconds",
		.abbreviation = "s",
		.hists = hists,
		.n_hists = N,
		.ticks = N,
	};
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	for (uint64_t i = 0; i < N; i++)
		hists[i] = (struct prf_gmon_hist){
			.lo_vaddr = i * PRF_GMON_BLOCK_BYTES,
			.hi_vaddr = i * PRF_GMON_BLOCK_BYTES + 2,
			.counts = &one,
			.n_bins = 1,
			.n_records = 1,
		};
	ck_assert_int_eq(prf_gmon_source_add(sum.source, &gmon, NULL, 0, &err),
			 -EFBIG);
	ck_assert_ptr_nonnull(strstr(err.text, "131072 pieces"));
}
END_TEST

static struct made
make_of(uint8_t addr_bytes, bool big_endian, const char *dimension)
{
	const struct prf_gmon_target target = {
		.addr_bytes = addr_bytes,
		.big_endian = big_endian,
		.rate_hz = 100,
		.dimension = dimension,
		.abbreviation = 'x',
	};
	struct prf_gmon_writer *writer;
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_ticks(writer, 0x2000, 7, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

START_TEST(another_unit_or_machine_is_refused)
{
	PRF_AUTO(made_clear) struct made a = make_of(8, false, NULL);
	PRF_AUTO(made_clear) struct made b = make_of(8, false, "samples");
	PRF_AUTO(made_clear) struct made c = make_of(8, true, NULL);
	PRF_AUTO(made_clear) struct made d = make_of(4, false, NULL);

	assert_refused(&a, &b, "counts samples, before it was seconds");
	assert_refused(&a, &c, "of another machine");
	assert_refused(&a, &d, "of another machine");
}
END_TEST

START_TEST(a_damaged_list_is_refused_with_its_line)
{
	PRF_AUTO(made_clear) struct made a = made_listed(0x2000, LIST("01"));
	PRF_AUTO(made_clear) struct made b = made_listed(0x2000, LIST("xy"));

	assert_refused(&a, &b, "its list of symbols: line 2: ");
}
END_TEST

START_TEST(a_file_without_a_list_does_not_go_with_one_that_has_it)
{
	PRF_AUTO(made_clear) struct made a = made_listed(0x2000, LIST("01"));
	PRF_AUTO(made_clear) struct made b = made_plain(0x2000, 1, 100, 0);

	assert_refused(&a, &b, "no list");
	assert_refused(&b, &a, "a list");
}
END_TEST

START_TEST(ticks_that_are_in_no_object_are_refused)
{
	static const uint64_t strays[] = {0x1000, 0x1ffe, 0x3000, 0x90000};
	PRF_AUTO(made_clear) struct made a = made_listed(0x2ffe, LIST("01"));

	for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
		PRF_AUTO(made_clear)
		struct made b = made_listed(strays[i], LIST("01"));

		assert_refused(&a, &b, "do not belong together");
	}
}
END_TEST

/* --- Histograms of another scale, such as glibc's */

static struct made
make_wide(uint64_t lo, uint32_t n_bins, unsigned bin_bytes)
{
	const struct prf_gmon_target target = {.addr_bytes = 8, .rate_hz = 100};
	uint64_t counts[64] = {1, 2, 70000};
	const struct prf_gmon_hist hist = {.lo_vaddr = lo,
					   .hi_vaddr = lo + n_bins * bin_bytes,
					   .counts = counts,
					   .n_bins = n_bins};
	struct prf_gmon_writer *writer;
	struct made made = {0};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_hist(writer, &hist, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_arc(writer, lo, 0x1000, 9, NULL), 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

START_TEST(histograms_keep_their_range_and_scale)
{
	PRF_AUTO(made_clear) struct made a = make_wide(0x1000, 40, 4);
	PRF_AUTO(made_clear) struct made b = make_wide(0x8000, 8, 4);
	PRF_AUTO(made_clear)
	struct made sum = sum_of((const struct made *const[]){&b, &a, &a}, 3);
	PRF_AUTO(prf_gmon_auto) struct prf_gmon *gmon = NULL;

	ck_assert_int_eq(
		prf_gmon_parse(sum.gmon, sum.n_gmon, NULL, &gmon, NULL), 0);
	ck_assert_uint_eq(gmon->n_hists, 2);
	ck_assert_uint_eq(gmon->hists[0].hi_vaddr, 0x1000 + 160);
	ck_assert_uint_eq(gmon->hists[0].n_bins, 40);
	ck_assert_uint_eq(gmon->hists[0].counts[2], 140000);
	ck_assert_uint_eq(gmon->hists[1].counts[2], 70000);
	/* And their arcs. */
	ck_assert_uint_eq(gmon->n_arcs, 2);
	ck_assert_uint_eq(gmon->arcs[0].from_vaddr, 0x1000);
	ck_assert_uint_eq(gmon->arcs[0].count, 18);
	ck_assert_uint_eq(gmon->arcs[1].from_vaddr, 0x8000);
	ck_assert_uint_eq(gmon->arcs[1].count, 9);
}
END_TEST

START_TEST(ranges_that_overlap_and_other_scales_are_refused)
{
	PRF_AUTO(made_clear) struct made a = make_wide(0x1000, 40, 4);
	PRF_AUTO(made_clear) struct made longer = make_wide(0x1000, 41, 4);
	PRF_AUTO(made_clear) struct made wider = make_wide(0x1000, 20, 8);
	PRF_AUTO(made_clear) struct made fine = made_plain(0x2000, 1, 100, 0);

	assert_refused(&a, &longer, "overlaps");
	assert_refused(&a, &wider, "a counter for 8 bytes");
	assert_refused(&a, &fine, "a counter for 2 bytes");
	assert_refused(&fine, &a, "a counter for 4 bytes");
}
END_TEST

START_TEST(a_list_does_not_go_with_another_scale)
{
	PRF_AUTO(made_clear) struct made a = made_listed(0x2000, LIST("01"));
	PRF_AUTO(made_clear) struct made b = make_wide(0x2000, 40, 4);

	b.syms = strdup(a.syms);
	b.n_syms = a.n_syms;
	assert_refused(&a, &b, "a counter for 4 bytes, and a list");
}
END_TEST

/* --- Names */

/* Two files in which three objects that count by name are laid out otherwise,
 * and an arc from main to each function of theirs. */
#define NAMES_1                                                                \
	"# gmon.syms 1\n# object 1000 2000 0 01 /bin/app\n"                    \
	"# object 100000 100020 100000 - [jit]\n"                              \
	"# object 200000 200010 200000 - [kernel]\n"                           \
	"# object 300000 300010 300000 - [unknown]\n"                          \
	"0000000000001000 T main\n"                                            \
	"0000000000100000 T f\n0000000000100010 T g\n"                         \
	"0000000000200000 T [kernel]:read\n"                                   \
	"0000000000300000 T [unknown]\n0000000000300010 T [end]\n"
#define NAMES_2                                                                \
	"# gmon.syms 1\n# object 1000 2000 0 01 /bin/app\n"                    \
	"# object 100000 100010 100000 - [unknown]\n"                          \
	"# object 200000 200020 200000 - [jit]\n"                              \
	"# object 300000 300020 300000 - [kernel]\n"                           \
	"0000000000001000 T main\n0000000000100000 T [unknown]\n"              \
	"0000000000200000 T a\n0000000000200010 T f\n"                         \
	"0000000000300000 T [kernel]:futex\n"                                  \
	"0000000000300010 T [kernel]:read\n0000000000300020 T [end]\n"

static struct made
make_named(const char *syms, const uint64_t *ends, size_t n)
{
	const struct prf_gmon_target target = {.addr_bytes = 8, .rate_hz = 100};
	struct prf_gmon_writer *writer;
	struct made made = {.syms = strdup(syms), .n_syms = strlen(syms)};
	FILE *gmon = open_memstream(&made.gmon, &made.n_gmon);

	ck_assert_int_eq(prf_gmon_writer_new(gmon, &target, &writer, NULL), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(
			prf_gmon_writer_ticks(writer, ends[i], i + 1, NULL), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(prf_gmon_writer_arc(writer, 0x1004, ends[i],
						     10 * (i + 1), NULL),
				 0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
	fclose(gmon);
	return made;
}

/* How often FUNCTION of BINARY was called, and its ticks. */
static void
check_named(const struct prf_profile *profile, const char *binary,
	    const char *function, uint64_t ticks, uint64_t calls)
{
	for (size_t i = 0; i < profile->arcs.n; i++) {
		const struct prf_arc_end *to = &profile->arcs.all[i].to;
		const struct prf_named_count *named =
			&to->binary->names.all[to->vaddr];

		if (strcmp(to->binary->name, binary) != 0 ||
		    strcmp(named->text, function) != 0)
			continue;
		ck_assert_uint_eq(named->count.ticks, ticks);
		ck_assert_uint_eq(profile->arcs.all[i].count, calls);
		return;
	}
	ck_abort_msg("no arc to %s of %s", function, binary);
}

START_TEST(what_has_no_addresses_adds_up_by_name)
{
	static const uint64_t ends_1[] = {0x100000, 0x100010, 0x200000,
					  0x300000};
	static const uint64_t ends_2[] = {0x100000, 0x200000, 0x200010,
					  0x300000, 0x300010};
	PRF_AUTO(made_clear) struct made a = make_named(NAMES_1, ends_1, 4);
	PRF_AUTO(made_clear) struct made b = make_named(NAMES_2, ends_2, 5);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};

	ck_assert_int_eq(sum_add(&sum, _i ? &b : &a, &err), 0);
	ck_assert_msg(!sum_add(&sum, _i ? &a : &b, &err), "%s", err.text);
	ck_assert_uint_eq(sum.profile->arcs.n, 6);
	check_named(sum.profile, "[jit]", "a", 2, 20);
	check_named(sum.profile, "[jit]", "f", 1 + 3, 10 + 30);
	check_named(sum.profile, "[jit]", "g", 2, 20);
	check_named(sum.profile, "[kernel]", "futex", 4, 40);
	check_named(sum.profile, "[kernel]", "read", 3 + 5, 30 + 50);
	check_named(sum.profile, "[unknown]", "[unknown]", 4 + 1, 40 + 10);
}
END_TEST

START_TEST(an_arc_to_where_the_list_has_nothing_is_refused)
{
	PRF_AUTO(made_clear) struct made a = made_listed(0x2ffe, LIST("01"));
	PRF_AUTO(made_clear)
	struct made b = make_named(LIST("01"), NULL, 0);

	free(b.gmon);
	b.gmon = malloc(a.n_gmon + 21);
	memcpy(b.gmon, a.gmon, a.n_gmon);
	memcpy(b.gmon + a.n_gmon, "\1\4 \0\0\0\0\0\0\0\0\x10\0\0\0\0\0\1\0\0",
	       21);
	b.n_gmon = a.n_gmon + 21;
	assert_refused(&a, &b, "an arc at 0x100000");
}
END_TEST

/* --- What each file has */

static int
note_share(void *arg, const struct prf_binary *binary, const char *name,
	   uint64_t ticks)
{
	FILE *out = arg;

	fprintf(out, "%s %s %" PRIu64 "\n", binary->name, name, ticks);
	return 0;
}

START_TEST(the_share_of_each_file_is_told)
{
	static const uint64_t ends[] = {0x100000, 0x200000};
	PRF_AUTO(made_clear) struct made a = make_named(NAMES_1, ends, 2);
	PRF_AUTO(made_clear) struct made b = make_named(NAMES_2, ends, 2);
	PRF_AUTO(sum_clear) struct sum sum = sum_new();
	struct prf_error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	prf_gmon_source_free(sum.source);
	sum.source = prf_gmon_source_new(sum.profile, note_share, out);
	ck_assert_int_eq(sum_add(&sum, &a, &err), 0);
	ck_assert_int_eq(sum_add(&sum, &b, &err), 0);
	ck_assert_int_eq(sum_add(&sum, &a, &err), 0);
	fclose(out);
	ck_assert_str_eq(text, "[jit] f 1\n[kernel] read 2\n"
			       "[unknown] [unknown] 1\n[jit] a 2\n"
			       "[jit] f 1\n[kernel] read 2\n");
	free(text);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_source");
	TCase *tcase = tcase_create("gmon_source");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, counters_and_arcs_go_beyond_16_and_32_bits);
	tcase_add_test(tcase, what_gprof_could_not_add_is_not_written);
	tcase_add_test(tcase, another_rate_is_refused);
	tcase_add_test(tcase, ticks_in_very_many_places_are_refused);
	tcase_add_test(tcase, another_unit_or_machine_is_refused);
	tcase_add_test(tcase, a_damaged_list_is_refused_with_its_line);
	tcase_add_test(tcase,
		       a_file_without_a_list_does_not_go_with_one_that_has_it);
	tcase_add_test(tcase, ticks_that_are_in_no_object_are_refused);
	tcase_add_test(tcase, histograms_keep_their_range_and_scale);
	tcase_add_test(tcase, ranges_that_overlap_and_other_scales_are_refused);
	tcase_add_test(tcase, a_list_does_not_go_with_another_scale);
	tcase_add_loop_test(tcase, what_has_no_addresses_adds_up_by_name, 0, 2);
	tcase_add_test(tcase, an_arc_to_where_the_list_has_nothing_is_refused);
	tcase_add_test(tcase, the_share_of_each_file_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
