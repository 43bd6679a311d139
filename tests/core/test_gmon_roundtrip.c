/* What gmon_write.c writes, gmon_read.c reads. */
#include "core/gmon.h"
#include "core/gmon_file.h"
#include "core/gmon_read.h"
#include "support/suite.h"

#include <stdlib.h>

enum { N_PLACES = 300, N_ARCS = 40 };

struct truth {
	struct {
		uint64_t vaddr, ticks;
	} places[N_PLACES];
	struct prf_gmon_arc arcs[N_ARCS];
};

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Ascending places, some next to each other and some far apart; most counts
 * are small, some need several records. */
static struct truth
invent(uint64_t seed, uint8_t addr_bytes)
{
	struct truth truth = {0};
	uint64_t vaddr = addr_bytes == 4 ? 0x8048000 : 0x7f0012345000;

	for (size_t i = 0; i < N_PLACES; i++) {
		vaddr += 2 + next_random(&seed) % (i % 7 ? 40 : 100000);
		truth.places[i].vaddr = vaddr;
		truth.places[i].ticks =
			next_random(&seed) % (i % 11 ? 100 : 500000);
	}
	for (size_t i = 0; i < N_ARCS; i++) {
		truth.arcs[i].from_vaddr = 0x1000 + i;
		truth.arcs[i].to_vaddr = vaddr - next_random(&seed) % 9999;
		truth.arcs[i].count = 1 + next_random(&seed) % (1ULL << 34);
	}
	return truth;
}

static void
write_truth(const struct truth *truth, struct prf_gmon_reading reading,
	    FILE *out)
{
	const struct prf_gmon_target target = {
		.addr_bytes = reading.addr_bytes,
		.big_endian = reading.big_endian,
		.rate_hz = 250,
	};
	struct prf_gmon_writer *writer = NULL;

	ck_assert_int_eq(prf_gmon_writer_new(out, &target, &writer, NULL), 0);
	for (size_t i = 0; i < N_PLACES; i++)
		ck_assert_int_eq(
			prf_gmon_writer_ticks(writer, truth->places[i].vaddr,
					      truth->places[i].ticks, NULL),
			0);
	for (size_t i = N_ARCS; i-- > 0;)
		ck_assert_int_eq(
			prf_gmon_writer_arc(writer, truth->arcs[i].from_vaddr,
					    truth->arcs[i].to_vaddr,
					    truth->arcs[i].count, NULL),
			0);
	ck_assert_int_eq(prf_gmon_writer_finish(writer, NULL), 0);
	prf_gmon_writer_free(writer);
}

/* The counter of the unit that holds VADDR; 0 where there is none. */
static uint64_t
ticks_at(const struct prf_gmon *gmon, uint64_t vaddr)
{
	for (size_t i = 0; i < gmon->n_hists; i++) {
		const struct prf_gmon_hist *hist = &gmon->hists[i];

		if (vaddr >= hist->lo_vaddr && vaddr < hist->hi_vaddr)
			return hist->counts[(vaddr - hist->lo_vaddr) / 2];
	}
	return 0;
}

static void
check_ticks(const struct truth *truth, const struct prf_gmon *gmon)
{
	uint64_t all = 0;

	for (size_t i = 0; i < N_PLACES; i++) {
		uint64_t unit = truth->places[i].vaddr / 2, expected = 0;

		for (size_t j = 0; j < N_PLACES; j++)
			if (truth->places[j].vaddr / 2 == unit)
				expected += truth->places[j].ticks;
		ck_assert_uint_eq(ticks_at(gmon, truth->places[i].vaddr),
				  expected);
		all += truth->places[i].ticks;
	}
	ck_assert_uint_eq(gmon->ticks, all);
}

START_TEST(what_is_written_is_read_whatever_the_target)
{
	const struct prf_gmon_reading reading = gmon_file_readings[_i % 4];
	const struct prf_gmon_hint hint = gmon_file_hint(reading);
	struct truth truth =
		invent(0x1234567 + (uint64_t)_i, reading.addr_bytes);
	struct prf_gmon *gmon = NULL;
	struct prf_error err = {0};
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	write_truth(&truth, reading, file);
	rewind(file);
	ck_assert_msg(prf_gmon_read(file, _i % 8 < 4 ? NULL : &hint, &gmon,
				    &err) == 0,
		      "%s", err.text);
	fclose(file);

	gmon_file_check(gmon);
	ck_assert_uint_eq(gmon->n_readings, 1);
	ck_assert_uint_eq(gmon->reading.addr_bytes, reading.addr_bytes);
	ck_assert(gmon->reading.big_endian == reading.big_endian);
	ck_assert_uint_eq(gmon->rate_hz, 250);
	check_ticks(&truth, gmon);
	ck_assert_uint_eq(gmon->n_arcs, N_ARCS);
	for (size_t i = 0; i < N_ARCS; i++) {
		ck_assert_uint_eq(gmon->arcs[i].from_vaddr,
				  truth.arcs[i].from_vaddr);
		ck_assert_uint_eq(gmon->arcs[i].to_vaddr,
				  truth.arcs[i].to_vaddr);
		ck_assert_uint_eq(gmon->arcs[i].count, truth.arcs[i].count);
	}
	prf_gmon_free(gmon);
}
END_TEST

START_TEST(two_files_have_only_equal_or_disjoint_ranges)
{
	const struct prf_gmon_reading reading = gmon_file_readings[0];
	struct prf_gmon *gmons[2] = {NULL, NULL};

	for (unsigned i = 0; i < 2; i++) {
		struct truth truth = invent(77 + i, reading.addr_bytes);
		FILE *file = tmpfile();

		ck_assert_ptr_nonnull(file);
		write_truth(&truth, reading, file);
		rewind(file);
		ck_assert_int_eq(prf_gmon_read(file, NULL, &gmons[i], NULL), 0);
		fclose(file);
	}
	for (size_t i = 0; i < gmons[0]->n_hists; i++)
		for (size_t j = 0; j < gmons[1]->n_hists; j++) {
			const struct prf_gmon_hist *a = &gmons[0]->hists[i],
						   *b = &gmons[1]->hists[j];

			ck_assert((a->lo_vaddr == b->lo_vaddr &&
				   a->hi_vaddr == b->hi_vaddr) ||
				  a->hi_vaddr <= b->lo_vaddr ||
				  b->hi_vaddr <= a->lo_vaddr);
		}
	prf_gmon_free(gmons[0]);
	prf_gmon_free(gmons[1]);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_roundtrip");
	TCase *tcase = tcase_create("gmon_roundtrip");

	tcase_add_loop_test(tcase, what_is_written_is_read_whatever_the_target,
			    0, 24);
	tcase_add_test(tcase, two_files_have_only_equal_or_disjoint_ranges);
	suite_add_tcase(suite, tcase);
	return suite;
}
