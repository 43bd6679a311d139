/* The rows of vectors.csv about regions and lists of them, by the dialects
 * they are about.  The rows of counts are in test_counter.c, those of sequences in
 * test_pcsample.c. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/region.h"
#include "core/table.h"
#include "core/vectors.h"
#include "support/suite.h"

/* --- Outcomes, written as the file writes them. */

struct outcome {
	char text[80];
	uint64_t address; /* of the counter, if it is a hit */
};

static uint64_t
counter_address(struct prf_region region, uint64_t byte)
{
	return (uint64_t)(uintptr_t)region.base + byte;
}

static struct outcome
outcome_of_region(struct prf_region region, unsigned width_bytes,
		  const struct prf_dialect *dialect, uint64_t pc)
{
	static const char *const names[] = {
		[PRF_MISS] = "miss",
		[PRF_OFF] = "off",
		[PRF_INVALID] = "EINVAL",
	};
	struct prf_hit hit = prf_region_map(region, width_bytes, dialect, pc);
	struct outcome outcome = {.text = ""};

	if (hit.kind != PRF_HIT) {
		strcpy(outcome.text, names[hit.kind]);
		return outcome;
	}
	snprintf(outcome.text, sizeof outcome.text, "%" PRIu64 ":%" PRIu64,
		 hit.index, hit.byte);
	outcome.address = counter_address(region, hit.byte);
	return outcome;
}

static struct outcome
outcome_in_table(const struct prf_table *table, uint64_t pc)
{
	struct prf_table_hit hit = prf_table_find(table, pc);
	struct outcome outcome = {.text = "miss"};

	if (hit.entry == PRF_TABLE_NONE)
		return outcome;
	snprintf(outcome.text, sizeof outcome.text, "%zu/%" PRIu64 ":%" PRIu64,
		 hit.entry, hit.index, hit.byte);
	outcome.address =
		counter_address(prf_table_region(table, hit.entry), hit.byte);
	return outcome;
}

static struct outcome
outcome_of_list(const struct prf_region *list, long n, unsigned width_bytes,
		const struct prf_dialect *dialect, uint64_t pc)
{
	struct outcome outcome = {.text = "EINVAL"};
	struct prf_table *table = NULL;
	struct prf_error err = {0};
	int rc = prf_table_new(list, n, width_bytes, dialect, &table, &err);

	if (rc == -EINVAL)
		return outcome;
	ck_assert_msg(rc == 0, "%s", err.text);
	if (prf_table_n_regions(table) == 0)
		strcpy(outcome.text, "off");
	else
		outcome = outcome_in_table(table, pc);
	prf_table_free(table);
	return outcome;
}

/* --- One region. */

static struct prf_region
region_of_row(const struct vector *row)
{
	return (struct prf_region){
		.base = (void *)(uintptr_t)vectors_number(row->field[COL_base]),
		.size_bytes = vectors_number(row->field[COL_size]),
		.offset = vectors_number(row->field[COL_offset]),
		.scale = (uint32_t)vectors_number(row->field[COL_scale]),
	};
}

/* HP-UX knows regions only in lists, so there it is a list of one. */
static struct outcome
outcome_of_row(const struct vector *row, const struct prf_dialect *dialect)
{
	struct prf_region region = region_of_row(row);
	unsigned width_bytes = (unsigned)vectors_number(row->field[COL_width]);
	uint64_t pc = vectors_number(row->field[COL_pc]);

	if (dialect != prf_dialect_hpux())
		return outcome_of_region(region, width_bytes, dialect, pc);

	struct outcome outcome =
		outcome_of_list(&region, 1, width_bytes, dialect, pc);
	if (strncmp(outcome.text, "0/", 2) == 0)
		memmove(outcome.text, outcome.text + 2,
			strlen(outcome.text + 2) + 1);
	return outcome;
}

static const struct prf_dialect *
dialect_followed(const struct vector *row)
{
	static const struct {
		const char *follows;
		const struct prf_dialect *(*dialect)(void);
	} documents[] = {
		{"svr4", prf_dialect_svr4},
		{"solaris10", prf_dialect_solaris},
		{"freebsd", prf_dialect_freebsd},
		{"hpux", prf_dialect_hpux},
	};

	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
		if (strcmp(documents[i].follows, row->field[COL_follows]) == 0)
			return documents[i].dialect();
	ck_abort_msg("%s follows nobody", row->field[COL_id]);
	return NULL;
}

static void
check_result(const struct vector *row)
{
	struct outcome outcome = outcome_of_row(row, dialect_followed(row));
	const char *address = row->field[COL_address];

	ck_assert_msg(strcmp(outcome.text, row->field[COL_result]) == 0,
		      "%s is %s, should be %s (%s)", row->field[COL_id],
		      outcome.text, row->field[COL_result],
		      row->field[COL_note]);
	ck_assert_msg(outcome.address ==
			      (*address ? vectors_number(address) : 0),
		      "%s is counted at 0x%" PRIx64 ", not %s",
		      row->field[COL_id], outcome.address, address);
}

START_TEST(a_row_of_one_region_gives_its_result)
{
	ck_assert_int_eq(vectors_for_each("map", check_result), N_MAP_ROWS);
}
END_TEST

/* --- The other readings of the same rows, and what we do not follow. */

static const struct reading {
	int column;
	const struct prf_dialect *(*dialect)(void);
} readings[] = {
	{COL_text_svr4_solaris, prf_dialect_svr4},
	{COL_text_svr4_solaris, prf_dialect_solaris},
	{COL_solaris_kernel, prf_dialect_solaris_kernel},
	{COL_text_freebsd, prf_dialect_freebsd},
	{COL_bsd_kernel, prf_dialect_freebsd_kernel},
	{COL_text_hpux, prf_dialect_hpux},
	{COL_glibc_profil, prf_dialect_glibc},
};

static const struct exception {
	const char *id;
	int column;
	const char *ours;
	const char *reason;
} exceptions[] = {
	{"M032", COL_solaris_kernel, "miss",
	 "scale 2 does not look at the size: writes into a buffer of 0 bytes"},
	{"M036", COL_solaris_kernel, "miss",
	 "writes 2 bytes into a buffer of 1"},
	{"M037", COL_solaris_kernel, "miss",
	 "writes the second counter of a buffer of 3 bytes"},
	{"M074", COL_solaris_kernel, "miss",
	 "writes the second counter of a buffer of 3 bytes"},
	{"M049", COL_solaris_kernel, "miss",
	 "a product that wraps at 2^64 hits counter 0"},
	{"M036", COL_bsd_kernel, "miss", "writes 2 bytes into a buffer of 1"},
	{"M037", COL_bsd_kernel, "miss",
	 "writes the second counter of a buffer of 3 bytes"},
	{"M074", COL_bsd_kernel, "miss",
	 "writes the second counter of a buffer of 3 bytes"},
	{"M047", COL_bsd_kernel, "miss",
	 "a product that wraps at 2^64 hits counter 0"},
	{"M048", COL_bsd_kernel, "miss",
	 "a product that wraps at 2^64 hits counter 3"},
	{"M050", COL_bsd_kernel, "miss",
	 "a byte that is cut to 32 bits hits counter 0"},
	{"M070", COL_bsd_kernel, "miss",
	 "a byte that is cut to 32 bits hits counter 0"},
	{"M071", COL_bsd_kernel, "miss",
	 "a byte that is cut to 32 bits hits counter 4"},
	{"M034", COL_glibc_profil, "off",
	 "scale 0 counts every pc in counter 0 instead of turning it off"},
	{"M066", COL_glibc_profil, "off",
	 "scale 0 counts every pc in counter 0 instead of turning it off"},
	{"M045", COL_glibc_profil, "miss",
	 "a pc below the offset wraps, and hits counter 0"},
};
#define N_EXCEPTIONS (sizeof exceptions / sizeof *exceptions)

static bool was_excepted[N_EXCEPTIONS];

static const char *
expected_reading(const struct vector *row, int column)
{
	const char *recorded = row->field[column];

	for (size_t i = 0; i < N_EXCEPTIONS; i++) {
		const struct exception *exception = &exceptions[i];

		if (exception->column != column ||
		    strcmp(exception->id, row->field[COL_id]) != 0)
			continue;
		ck_assert_msg(strcmp(exception->ours, recorded) != 0,
			      "%s is no exception: %s", exception->id,
			      exception->reason);
		was_excepted[i] = true;
		return exception->ours;
	}
	return recorded;
}

static void
check_readings(const struct vector *row)
{
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
		const struct reading *reading = &readings[i];
		const char *expected = expected_reading(row, reading->column);

		if (strcmp(row->field[reading->column], "-") == 0)
			continue;
		struct outcome outcome =
			outcome_of_row(row, reading->dialect());
		ck_assert_msg(strcmp(outcome.text, expected) == 0,
			      "%s by %s is %s, should be %s (%s)",
			      row->field[COL_id], reading->dialect()->name,
			      outcome.text, expected, row->field[COL_note]);
	}
}

START_TEST(each_dialect_reads_a_row_as_its_document_but_for_named_defects)
{
	ck_assert_int_eq(vectors_for_each("map", check_readings), N_MAP_ROWS);
	for (size_t i = 0; i < N_EXCEPTIONS; i++)
		ck_assert_msg(was_excepted[i], "no row %s for the exception",
			      exceptions[i].id);
}
END_TEST

/* --- Lists. */

#define MAX_REGIONS 8

static long
regions_of_row(const struct vector *row, struct prf_region *list)
{
	char text[sizeof row->line];
	char *save, *word;
	long n = 0;

	strcpy(text, row->field[COL_regions]);
	for (word = strtok_r(text, ";", &save); word;
	     word = strtok_r(NULL, ";", &save)) {
		uint64_t offset, size, base;
		uint32_t scale;
		int got = sscanf(word,
				 "%" SCNx64 "/%" SCNu64 "/%" SCNx32 "@%" SCNx64,
				 &offset, &size, &scale, &base);

		ck_assert_msg(got == 4 && n < MAX_REGIONS, "%s: %s",
			      row->field[COL_id], word);
		list[n++] = (struct prf_region){
			.base = (void *)(uintptr_t)base,
			.size_bytes = size,
			.offset = offset,
			.scale = scale,
		};
	}
	return n;
}

static struct outcome
check_list_by(const struct vector *row, const struct prf_dialect *dialect,
	      int column)
{
	struct prf_region list[MAX_REGIONS];
	long n = regions_of_row(row, list);
	struct outcome outcome = outcome_of_list(
		list, n, (unsigned)vectors_number(row->field[COL_width]),
		dialect, vectors_number(row->field[COL_pc]));

	ck_assert_msg(strcmp(outcome.text, row->field[column]) == 0,
		      "%s by %s is %s, should be %s (%s)", row->field[COL_id],
		      dialect->name, outcome.text, row->field[column],
		      row->field[COL_note]);
	return outcome;
}

static void
check_list(const struct vector *row)
{
	const char *address = row->field[COL_address];

	check_list_by(row, prf_dialect_hpux(), COL_result);
	struct outcome outcome =
		check_list_by(row, prf_dialect_lenient(), COL_lenient);
	ck_assert_msg(outcome.address ==
			      (*address ? vectors_number(address) : 0),
		      "%s is counted at 0x%" PRIx64 ", not %s",
		      row->field[COL_id], outcome.address, address);
}

START_TEST(a_row_of_several_regions_gives_its_strict_and_lenient_result)
{
	ck_assert_int_eq(vectors_for_each("list", check_list), N_LIST_ROWS);
}
END_TEST

START_TEST(the_rows_of_the_four_kinds_are_all_the_rows)
{
	size_t n;

	vectors_read(&n);
	ck_assert_uint_eq(n, N_ROWS);
	ck_assert_uint_eq(N_MAP_ROWS + N_LIST_ROWS + N_COUNT_ROWS +
				  N_SEQUENCE_ROWS,
			  N_ROWS);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("vectors");
	TCase *tcase = tcase_create("vectors");

	tcase_add_test(tcase, the_rows_of_the_four_kinds_are_all_the_rows);
	tcase_add_test(tcase, a_row_of_one_region_gives_its_result);
	tcase_add_test(
		tcase,
		each_dialect_reads_a_row_as_its_document_but_for_named_defects);
	tcase_add_test(
		tcase,
		a_row_of_several_regions_gives_its_strict_and_lenient_result);
	suite_add_tcase(suite, tcase);
	return suite;
}
