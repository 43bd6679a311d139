#include "view/pprof/pprof_read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "core/scope.h"
#include "profile/calls.h"
#include "support/made.h"
#include "support/suite.h"
#include "view/made_pprof.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

START_TEST(self_and_total_are_those_of_the_file)
{
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);

	ck_assert_str_eq(made_describe(profile), "leaf 7/7 main 5/12 = 12");
	ck_assert_uint_eq(profile->unit.rate_hz, 100);
	ck_assert_str_eq(profile->program->path, "/bin/made");
	ck_assert_int_eq(profile->program->form, PRF_BINARY_BY_ADDRESS);
	ck_assert_uint_eq(profile->calls->ended[PRF_STACK_COMPLETE], 7);
}
END_TEST

START_TEST(inlined_calls_are_functions_of_their_own)
{
	made_location(1, 0x402000, 102, 101);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);

	ck_assert_str_eq(made_describe(profile),
			 "in 0/7 leaf 7/7 main 5/12 = 12");
	ck_assert_int_eq(profile->program->form, PRF_BINARY_BY_NAME);
}
END_TEST

START_TEST(a_location_without_a_mapping_or_an_address_has_its_name)
{
	made_location(0, 0, 100, 0);
	made.locations[1].mapping_id = 0;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);

	ck_assert_str_eq(made_describe(profile), "leaf 7/7 main 5/12 = 12");
}
END_TEST

START_TEST(a_sample_without_locations_is_counted)
{
	made.samples[0].n_location_id = 0;
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);

	ck_assert_str_eq(made_describe(profile),
			 "[unknown] 3/3 leaf 4/4 main 5/9 = 12");
}
END_TEST

static int
open_made(void *arg, const struct prf_mapping *map)
{
	(void)map;
	return open(made_path(arg), O_RDONLY | O_CLOEXEC);
}

START_TEST(names_that_are_missing_are_read_from_the_binary)
{
	static const struct elf_symbol symbols[] = {
		{"real", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"other", 0x1100, 0xf00, STB_GLOBAL, STT_FUNC, 1},
	};
	const struct prf_objectfile_way way = {.open = open_made,
					       .arg = (void *)"made"};

	made_begin();
	made_elf("made", symbols, 2);
	made.mapping.file_offset = MADE_TEXT;
	made.mapping.build_id = _i ? S_ID : S_NONE;
	made_location(1, 0x400010, 0, 0);
	made_location(2, 0x400110, 0, 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&way);
	/* Without a build-id nothing shows that it is the same file. */
	ck_assert_str_eq(made_describe(profile),
			 _i ? "main 0/3 other 5/9 real 7/7 = 12"
			    : "[made] 12/12 main 0/3 = 12");
	ck_assert_uint_eq(profile->program->is_offsets, !_i);
	made_end();
}
END_TEST

/* --- Which value counts */

static const struct {
	int64_t types[2][2], period_unit, period;
	uint64_t ticks; /* 0: it is refused */
	uint32_t rate_hz;
} units[] = {
	{{{S_SAMPLES, S_COUNT}, {S_CPU, S_NANOSECONDS}},
	 S_NANOSECONDS,
	 2000000,
	 12,
	 500},
	{{{S_SAMPLES, S_COUNT}, {S_CPU, S_NANOSECONDS}},
	 S_NANOSECONDS,
	 3333333,
	 12,
	 300},
	{{{S_SAMPLES, S_COUNT}, {S_CPU, S_NANOSECONDS}},
	 S_NONE,
	 0,
	 120000000,
	 1000000000},
	{{{S_SAMPLES, S_COUNT}, {S_MAIN, S_NANOSECONDS}},
	 S_COUNT,
	 1000,
	 120000000,
	 1000000000},
	{{{S_MAIN, S_NANOSECONDS}, {S_CPU, S_NANOSECONDS}},
	 S_NANOSECONDS,
	 -1,
	 120000000,
	 1000000000},
	{{{S_CPU, S_NANOSECONDS}, {S_SPACE, S_BYTES}},
	 S_SPACE,
	 1,
	 12,
	 1000000000},
	{{{S_SAMPLES, S_COUNT}, {S_SPACE, S_BYTES}}, S_BYTES, 512, 0, 0},
};

START_TEST(the_value_that_is_time_is_counted)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	size_t n;

	for (size_t i = 0; i < 2; i++)
		made_type(i, units[_i].types[i][0], units[_i].types[i][1]);
	made.period.unit = units[_i].period_unit;
	made.profile.period = units[_i].period;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);
	int rc = prf_pprof_read(bytes, n, &made_no_files, &profile, &err);
	ck_assert_int_eq(rc, units[_i].ticks ? 0 : -EINVAL);
	if (rc) {
		ck_assert_ptr_nonnull(strstr(err.text, "inuse_space (bytes)"));
		return;
	}
	ck_assert_uint_eq(profile->total.ticks, units[_i].ticks);
	ck_assert_uint_eq(profile->unit.rate_hz, units[_i].rate_hz);
	prf_profile_free(profile);
}
END_TEST

START_TEST(a_sample_of_many_nanoseconds_is_one_sample)
{
	/* No number of samples, but a period. */
	made_type(0, S_MAIN, S_COUNT);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);

	ck_assert_uint_eq(profile->total.ticks, 120000000);
	ck_assert_double_eq_tol(prf_count_samples(&profile->total), 12, 1e-6);
}
END_TEST

/* --- Whose samples are */

/* Sample I is of thread TID of process 7, called NAME, in STATE; 0: it is not
 * told. */
static void
make_labels(size_t i, int64_t tid, int64_t name, int64_t state)
{
	static const int64_t keys[N_LABELS] = {S_PID, S_TID, S_THREAD,
					       S_PROGRAM, S_STATE};
	const int64_t numbers[N_LABELS] = {7, tid, 0, 0, 0};
	const int64_t texts[N_LABELS] = {0, 0, name, S_PATH, state};

	for (size_t k = 0; k < N_LABELS; k++) {
		PrfPprof__Label *label = &made.labels[i][k];

		prf_pprof__label__init(label);
		label->key = keys[k];
		label->num = numbers[k];
		label->str = texts[k];
		made.label_lists[i][k] = label;
	}
	made.samples[i].n_label = N_LABELS;
	made.samples[i].label = made.label_lists[i];
}

START_TEST(a_thread_is_one_by_its_number)
{
	make_labels(0, 8, S_MAIN, 0);
	make_labels(1, 9, S_LEAF, 0);
	make_labels(2, 8, S_MAIN, 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);
	ck_assert_uint_eq(profile->threads.n, 2);
	ck_assert_str_eq(profile->threads.rows[0].name, "main");
	ck_assert_uint_eq(profile->threads.rows[0].count.ticks, 8);
	ck_assert_str_eq(profile->threads.rows[1].name, "leaf");
}
END_TEST

START_TEST(a_thread_in_several_states_is_one)
{
	make_labels(0, 7, S_MAIN, 0);
	make_labels(1, 7, S_MAIN, S_BLOCKED);
	make_labels(2, 9, S_LEAF, S_BLOCKED);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);
	const struct prf_thread_row *rows = profile->threads.rows;
	ck_assert_uint_eq(profile->calls->owners.n, 3);
	ck_assert_uint_eq(profile->threads.n, 2);
	ck_assert_int_eq(rows[0].tid, 7);
	ck_assert_uint_eq(rows[0].count.ticks, 7);
	ck_assert_int_eq(rows[1].tid, 9);
	ck_assert_uint_eq(rows[1].count.ticks, 5);
	ck_assert_uint_eq(profile->programs.n, 1);
	ck_assert_uint_eq(profile->programs.rows[0].n_processes, 1);
	ck_assert_uint_eq(profile->programs.rows[0].count.ticks, 12);
}
END_TEST

START_TEST(threads_without_numbers_have_no_name_in_common)
{
	make_labels(0, 0, S_MAIN, 0);
	make_labels(1, 0, S_LEAF, 0);
	PRF_AUTO(prf_profile_auto)
	struct prf_profile *profile = made_read(&made_no_files);
	const struct prf_owners *owners = &profile->calls->owners;
	ck_assert_uint_eq(profile->threads.n, 0);
	ck_assert_uint_eq(owners->n, 1);
	ck_assert_int_eq(owners->all[0].pid, 7);
	ck_assert_str_eq(owners->all[0].name, "");
}
END_TEST

START_TEST(other_files_are_none)
{
	static const char *const others[] = {
		"",          "gmon\1",      "\177ELF\2\1\1",
		"samples\n", "\x89pctrace", "# gmon.syms 2\n"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert(!prf_pprof_read_is_it(others[i], strlen(others[i])));
	ck_assert(prf_pprof_read_is_it("\x1f\x8b", 2));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pprof_read");
	TCase *tcase = tcase_create("pprof_read");

	tcase_add_checked_fixture(tcase, made_pprof_begin, NULL);
	tcase_add_test(tcase, self_and_total_are_those_of_the_file);
	tcase_add_test(tcase, inlined_calls_are_functions_of_their_own);
	tcase_add_test(tcase,
		       a_location_without_a_mapping_or_an_address_has_its_name);
	tcase_add_test(tcase, a_sample_without_locations_is_counted);
	tcase_add_loop_test(
		tcase, names_that_are_missing_are_read_from_the_binary, 0, 2);
	tcase_add_loop_test(tcase, the_value_that_is_time_is_counted, 0,
			    sizeof units / sizeof *units);
	tcase_add_test(tcase, a_sample_of_many_nanoseconds_is_one_sample);
	tcase_add_test(tcase, a_thread_is_one_by_its_number);
	tcase_add_test(tcase, a_thread_in_several_states_is_one);
	tcase_add_test(tcase, threads_without_numbers_have_no_name_in_common);
	tcase_add_test(tcase, other_files_are_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
