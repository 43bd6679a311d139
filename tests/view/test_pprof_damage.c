/* What pprof_read.c does with files that are not as they should be. */
#include "view/pprof/pprof_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "support/suite.h"
#include "view/made_pprof.h"
#include "view/pprof/gzip.h"
#include "view/pprof/pprof_binaries.h"

PRF_DEFINE_AUTO(prf_profile, prf_profile_free);

static char *
compress(const void *bytes, size_t n, size_t *n_out)
{
	char *text;
	FILE *out = open_memstream(&text, n_out);
	struct prf_gzip *gzip = prf_gzip_new(out);

	ck_assert_ptr_nonnull(gzip);
	prf_gzip_write(gzip, bytes, n);
	ck_assert_int_eq(prf_gzip_finish(gzip, NULL), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void
refuse(const void *bytes, size_t n, int code)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};
	int rc = prf_pprof_read(bytes, n, &made_no_files, &profile, &err);

	ck_assert_msg(rc == code, "%d: %s", rc, err.text);
	ck_assert_ptr_null(profile);
	ck_assert_uint_gt(strlen(err.text), 0);
	ck_assert_int_eq(err.code, code);
}

static void
break_string(void)
{
	made.functions[1].name = N_STRINGS;
}
static void
break_string_sign(void)
{
	made.types[0].unit = -1;
}
static void
break_function(void)
{
	made.lines[1][0].function_id = 99;
}
static void
break_mapping(void)
{
	made.locations[3].mapping_id = 6;
}
static void
break_location(void)
{
	made.stacks[2][0] = 2;
}
static void
break_no_id(void)
{
	made.functions[0].id = 0;
}
static void
break_same_id(void)
{
	made.locations[1].id = 1;
}
static void
break_values(void)
{
	made.samples[1].n_value = 1;
}
static void
break_types(void)
{
	made.profile.n_sample_type = 0;
}
static void
break_sign(void)
{
	made.values[1][0] = -4;
}
static void
break_sum(void)
{
	made.values[0][0] = made.values[1][0] = INT64_MAX;
	made.values[2][0] = 0;
}
static void
break_stack(void)
{
	enum { N = 2 << 20 };
	static uint64_t stack[N];

	made.samples[0].n_location_id = N;
	made.samples[0].location_id = stack;
}

static const struct {
	void (*breaks)(void);
	int code;
} broken[] = {
	{break_string, -EBADMSG},   {break_string_sign, -EBADMSG},
	{break_function, -EBADMSG}, {break_mapping, -EBADMSG},
	{break_location, -EBADMSG}, {break_no_id, -EBADMSG},
	{break_same_id, -EBADMSG},  {break_values, -EBADMSG},
	{break_types, -EBADMSG},    {break_sign, -EINVAL},
	{break_sum, -EOVERFLOW},    {break_stack, -EFBIG},
};

START_TEST(what_does_not_fit_is_refused)
{
	size_t n;

	broken[_i].breaks();
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);
	refuse(bytes, n, broken[_i].code);
}
END_TEST

START_TEST(a_file_that_was_cut_is_refused)
{
	size_t n, n_packed;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);
	PRF_AUTO(prf_auto_free) char *packed = compress(bytes, n, &n_packed);

	for (size_t i = 2; i < n_packed; i++)
		refuse(packed, i, -EBADMSG);
	packed[n_packed - 8] ^= 1; /* the checksum */
	refuse(packed, n_packed, -EBADMSG);
}
END_TEST

START_TEST(damage_is_no_crash)
{
	size_t n;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);

	for (size_t i = 0; i < 8 * n; i++) {
		PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;
		struct prf_error err = {0};

		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		int rc = prf_pprof_read(bytes, n, &made_no_files, &profile,
					&err);
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		ck_assert_int_eq(rc, err.code);
		ck_assert_int_eq(!rc, profile != NULL);
		if (profile)
			made_describe(profile);
	}
	for (size_t i = 0; i < n; i++) {
		PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;

		if (!prf_pprof_read(bytes, i, &made_no_files, &profile, NULL))
			made_describe(profile);
	}
}
END_TEST

START_TEST(what_expands_too_far_is_refused)
{
	enum { N_ZEROS = 1 << 26 };
	size_t n;
	PRF_AUTO(prf_auto_free) uint8_t *zeros = calloc(1, N_ZEROS);

	ck_assert_ptr_nonnull(zeros);
	PRF_AUTO(prf_auto_free) char *packed = compress(zeros, N_ZEROS, &n);
	refuse(packed, n, -EFBIG);
}
END_TEST

START_TEST(very_many_binaries_are_refused)
{
	enum { N = PRF_PPROF_BINARIES_MAX };
	PRF_AUTO(prf_auto_free)
	PrfPprof__Mapping *all = calloc(N, sizeof *all);
	PRF_AUTO(prf_auto_free)
	PrfPprof__Mapping **list = calloc(N, sizeof *list);
	PRF_AUTO(prf_auto_free)
	char **texts = calloc(N_STRINGS + N, sizeof *texts);
	PRF_AUTO(prf_auto_free) char(*paths)[8] = calloc(N, sizeof *paths);
	size_t n;

	memcpy(texts, made_strings, sizeof made_strings);
	for (int i = 0; i < N; i++) {
		all[i] = made.mapping;
		all[i].id += (uint64_t)i;
		all[i].filename = N_STRINGS + i;
		snprintf(paths[i], sizeof paths[i], "/%d", i);
		texts[N_STRINGS + i] = paths[i];
		list[i] = &all[i];
	}
	made.profile.n_mapping = N;
	made.profile.mapping = list;
	made.profile.n_string_table = N_STRINGS + N;
	made.profile.string_table = texts;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);
	refuse(bytes, n, -EFBIG);
}
END_TEST

/* One tick in each piece of text. */
START_TEST(ticks_in_very_many_places_are_refused)
{
	enum { N = PRF_BLOCKS_MAX + 1 };
	static PrfPprof__Location locations[N], *location_list[N];
	static PrfPprof__Sample samples[N], *sample_list[N];
	size_t n;

	for (size_t i = 0; i < N; i++) {
		locations[i] = made.locations[0];
		locations[i].id = i + 1;
		locations[i].address += i * PRF_GMON_BLOCK_BYTES;
		location_list[i] = &locations[i];
		samples[i] = made.samples[2];
		samples[i].location_id = &locations[i].id;
		sample_list[i] = &samples[i];
	}
	made.profile.n_location = N;
	made.profile.location = location_list;
	made.profile.n_sample = N;
	made.profile.sample = sample_list;
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);
	refuse(bytes, n, -EFBIG);
}
END_TEST

/* --- Long names, each of which is in many places */

enum { N_PLACES = 200, NAME_BYTES = 1 << 16 };

static char long_names[2][NAME_BYTES];

/* Functions are called by both of them, by turns. */
static void
name_by_turns(void)
{
	static PrfPprof__Location all[N_PLACES], *list[N_PLACES];

	made_strings[S_MAIN] = long_names[0];
	made_strings[S_LEAF] = long_names[1];
	for (size_t i = 0; i < N_PLACES; i++) {
		all[i] = made.locations[i % 2];
		all[i].id = i + 1;
		all[i].address = 0x400000 + 16 * i;
		list[i] = &all[i];
	}
	made.profile.n_location = N_PLACES;
	made.profile.location = list;
}

static void
name_alike(void)
{
	name_by_turns();
	made.functions[2].name = S_MAIN;
}

static void
name_inlined(void)
{
	made_location(1, 0x402000, 102, 101);
	name_by_turns();
}

/* They differ in their build-ids alone. */
static void
name_binaries(void)
{
	static PrfPprof__Mapping all[N_PLACES], *list[N_PLACES];
	static char *texts[N_STRINGS + N_PLACES], digits[N_PLACES][8];

	made_strings[S_PATH] = long_names[0];
	memcpy(texts, made_strings, sizeof made_strings);
	for (int i = 0; i < N_PLACES; i++) {
		snprintf(digits[i], sizeof digits[i], "%02x", i);
		texts[N_STRINGS + i] = digits[i];
		all[i] = made.mapping;
		all[i].id += (uint64_t)i;
		all[i].build_id = N_STRINGS + i;
		list[i] = &all[i];
	}
	made.profile.n_mapping = N_PLACES;
	made.profile.mapping = list;
	made.profile.n_string_table = N_STRINGS + N_PLACES;
	made.profile.string_table = texts;
}

static const struct {
	void (*names)(void);
	int code;
} long_named[] = {
	{name_by_turns, -EFBIG},
	{name_alike, 0},
	{name_inlined, 0},
	{name_binaries, -EFBIG},
};

START_TEST(names_that_are_copied_too_often_are_refused)
{
	PRF_AUTO(prf_profile_auto) struct prf_profile *profile = NULL;
	size_t n;

	for (size_t i = 0; i < 2; i++)
		memset(long_names[i], 'a' + (int)i, NAME_BYTES - 1);
	long_named[_i].names();
	PRF_AUTO(prf_auto_free) uint8_t *bytes = made_pack(&n);
	if (long_named[_i].code)
		refuse(bytes, n, long_named[_i].code);
	else
		ck_assert_int_eq(prf_pprof_read(bytes, n, &made_no_files,
						&profile, NULL),
				 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pprof_damage");
	TCase *tcase = tcase_create("pprof_damage");

	tcase_add_checked_fixture(tcase, made_pprof_begin, NULL);
	tcase_add_loop_test(tcase, what_does_not_fit_is_refused, 0,
			    sizeof broken / sizeof *broken);
	tcase_add_test(tcase, a_file_that_was_cut_is_refused);
	tcase_add_test(tcase, damage_is_no_crash);
	tcase_add_test(tcase, what_expands_too_far_is_refused);
	tcase_add_test(tcase, very_many_binaries_are_refused);
	tcase_add_test(tcase, ticks_in_very_many_places_are_refused);
	tcase_add_loop_test(tcase, names_that_are_copied_too_often_are_refused,
			    0, sizeof long_named / sizeof *long_named);
	suite_add_tcase(suite, tcase);
	return suite;
}
