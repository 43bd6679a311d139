#include "config.h" /* fopencookie() */

#include "core/gmon.h"
#include "core/gmon/gmon_writer.h"
#include "core/random.h"
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct prf_gmon_target pc = {.addr_bytes = 8, .rate_hz = 100};

/* A file in memory, and its writer. */
struct fixture {
	FILE *out;
	char *bytes;
	size_t n_bytes;
	struct prf_gmon_writer *writer;
	struct prf_error err;
};

static struct fixture
begin(struct prf_gmon_target target)
{
	struct fixture f = {0};

	f.out = tmpfile();
	ck_assert_ptr_nonnull(f.out);
	ck_assert_int_eq(prf_gmon_writer_new(f.out, &target, &f.writer, &f.err),
			 0);
	return f;
}

static void
ticks(struct fixture *f, uint64_t vaddr, uint64_t n)
{
	ck_assert_int_eq(prf_gmon_writer_ticks(f->writer, vaddr, n, &f->err),
			 0);
}

static void
arc(struct fixture *f, uint64_t from, uint64_t to, uint64_t n)
{
	ck_assert_int_eq(prf_gmon_writer_arc(f->writer, from, to, n, &f->err),
			 0);
}

/* What was written, once all was. */
static void
finish(struct fixture *f)
{
	ck_assert_int_eq(prf_gmon_writer_finish(f->writer, &f->err), 0);
	f->n_bytes = (size_t)ftell(f->out);
	f->bytes = malloc(f->n_bytes);
	ck_assert_ptr_nonnull(f->bytes);
	rewind(f->out);
	ck_assert_uint_eq(fread(f->bytes, 1, f->n_bytes, f->out), f->n_bytes);
}

static void
end(struct fixture *f)
{
	prf_gmon_writer_free(f->writer);
	free(f->bytes);
	fclose(f->out);
}

/* Appends the bytes that HEX, with blanks between them, spells. */
static size_t
unhex(const char *hex, uint8_t *to, size_t n)
{
	char *next;

	for (;;) {
		unsigned long byte = strtoul(hex, &next, 16);
		if (next == hex)
			return n;
		to[n++] = (uint8_t)byte;
		hex = next;
	}
}

#define HEADER_BYTES 20
#define BINS_BYTES 1024

#define COOKIE "67 6d 6f 6e "
#define SPARE "00 00 00 00 00 00 00 00 00 00 00 00 "
/* "seconds", filled up to 15 bytes, and "s" */
#define UNIT "73 65 63 6f 6e 64 73 00 00 00 00 00 00 00 00 73 "

/* 0x1234 ticks at 0x1c06: block 0x1c00 to 0x2000, bin 3; an arc from 0x1c05
 * to 0x2a00, seen 0x10203 times; 250 Hz. */
static const struct golden {
	struct prf_gmon_target target;
	const char *header, *hist, *bin, *arc;
} goldens[] = {
	{{.addr_bytes = 8, .rate_hz = 250},
	 COOKIE "01 00 00 00 " SPARE,
	 "00 00 1c 00 00 00 00 00 00 00 20 00 00 00 00 00 00 "
	 "00 02 00 00 fa 00 00 00 " UNIT,
	 "34 12",
	 "01 05 1c 00 00 00 00 00 00 00 2a 00 00 00 00 00 00 03 02 01 00"},
	{{.addr_bytes = 4, .rate_hz = 250},
	 COOKIE "01 00 00 00 " SPARE,
	 "00 00 1c 00 00 00 20 00 00 00 02 00 00 fa 00 00 00 " UNIT,
	 "34 12",
	 "01 05 1c 00 00 00 2a 00 00 03 02 01 00"},
	{{.addr_bytes = 8, .big_endian = true, .rate_hz = 250},
	 COOKIE "00 00 00 01 " SPARE,
	 "00 00 00 00 00 00 00 1c 00 00 00 00 00 00 00 20 00 "
	 "00 00 02 00 00 00 00 fa " UNIT,
	 "12 34",
	 "01 00 00 00 00 00 00 1c 05 00 00 00 00 00 00 2a 00 00 01 02 03"},
	{{.addr_bytes = 4, .big_endian = true, .rate_hz = 250},
	 COOKIE "00 00 00 01 " SPARE,
	 "00 00 00 1c 00 00 00 20 00 00 00 02 00 00 00 00 fa " UNIT,
	 "12 34",
	 "01 00 00 1c 05 00 00 2a 00 00 01 02 03"},
};

START_TEST(a_file_has_these_bytes_and_no_others)
{
	const struct golden *golden = &goldens[_i];
	uint8_t bytes[2048] = {0};
	size_t n = unhex(golden->header, bytes, 0);
	n = unhex(golden->hist, bytes, n);
	unhex(golden->bin, bytes, n + 3 * 2);
	n = unhex(golden->arc, bytes, n + BINS_BYTES);

	struct fixture f = begin(golden->target);
	ticks(&f, 0x1c06, 0x1234);
	arc(&f, 0x1c05, 0x2a00, 0x10203);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, n);
	ck_assert_mem_eq(f.bytes, bytes, n);
	end(&f);
}
END_TEST

/* What a target says of its unit and of its writer, and what is written. */
static const struct {
	const char *dimension, *mark;
	char abbreviation;
	char written_mark[13], written_dimension[17];
} texts[] = {
	{NULL, NULL, '\0', "\0\0\0\0\0\0\0\0\0\0\0",
	 "seconds\0\0\0\0\0\0\0\0s"},
	{NULL, "me", 'x', "me\0\0\0\0\0\0\0\0\0", "seconds\0\0\0\0\0\0\0\0s"},
	{"samples", NULL, ' ', "\0\0\0\0\0\0\0\0\0\0\0",
	 "samples\0\0\0\0\0\0\0\0 "},
	{"", "", '\xff', "\0\0\0\0\0\0\0\0\0\0\0",
	 "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff"},
	/* Of what is too long the beginning. */
	{"0123456789abcdefg", "0123456789abcd", 'c', "0123456789ab",
	 "0123456789abcdec"},
};

START_TEST(a_file_has_its_unit_and_its_mark)
{
	struct fixture f = begin((struct prf_gmon_target){
		.addr_bytes = 8,
		.rate_hz = 100,
		.dimension = texts[_i].dimension,
		.abbreviation = texts[_i].abbreviation,
		.mark = texts[_i].mark,
	});

	ticks(&f, 0x1000, 1);
	ticks(&f, 0x1400, 1);
	finish(&f);
	ck_assert_mem_eq(f.bytes + 8, texts[_i].written_mark, 12);
	for (size_t block = 0; block < 2; block++)
		ck_assert_mem_eq(f.bytes + HEADER_BYTES +
					 block * (41 + BINS_BYTES) + 25,
				 texts[_i].written_dimension, 16);
	end(&f);
}
END_TEST

START_TEST(a_file_without_ticks_or_arcs_is_its_header_alone)
{
	struct fixture f = begin(pc);

	arc(&f, 0x1000, 0x2000, 0);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES);
	end(&f);
}
END_TEST

START_TEST(a_block_of_0_ticks_is_there_once_and_full_of_zeros)
{
	struct fixture f = begin(pc);

	ticks(&f, 0x1000, 0);
	ticks(&f, 0x1010, 0);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 41 + BINS_BYTES);
	for (size_t i = 0; i < BINS_BYTES; i++)
		ck_assert_int_eq(f.bytes[HEADER_BYTES + 41 + i], 0);
	end(&f);
}
END_TEST

/* The counter of BIN in the RECORD-th record of a file for a PC. */
static unsigned
bin_of(const struct fixture *f, size_t record, size_t bin)
{
	size_t off = HEADER_BYTES + record * (41 + BINS_BYTES) + 41 + 2 * bin;

	ck_assert_uint_lt(off + 1, f->n_bytes);
	return (uint8_t)f->bytes[off] | (uint8_t)f->bytes[off + 1] << 8;
}

START_TEST(a_count_above_65535_repeats_the_record)
{
	struct fixture f = begin(pc);

	ticks(&f, 0x1000, 5);
	ticks(&f, 0x1002, 131000);
	ticks(&f, 0x1003, 71);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 3 * (41 + BINS_BYTES));
	ck_assert_uint_eq(bin_of(&f, 0, 0), 5);
	ck_assert_uint_eq(bin_of(&f, 1, 0), 0);
	ck_assert_uint_eq(bin_of(&f, 0, 1), 65535);
	ck_assert_uint_eq(bin_of(&f, 1, 1), 65535);
	ck_assert_uint_eq(bin_of(&f, 2, 1), 1);
	ck_assert_mem_eq(f.bytes + HEADER_BYTES,
			 f.bytes + HEADER_BYTES + 41 + BINS_BYTES, 41);
	end(&f);
}
END_TEST

START_TEST(a_count_of_65535_needs_one_record)
{
	struct fixture f = begin(pc);

	ticks(&f, 0x13fe, 65535);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 41 + BINS_BYTES);
	ck_assert_uint_eq(bin_of(&f, 0, 511), 65535);
	end(&f);
}
END_TEST

START_TEST(addresses_that_descend_are_refused_and_change_nothing)
{
	struct fixture f = begin(pc);

	ticks(&f, 0x1005, 1);
	ticks(&f, 0x1004, 1); /* the same unit */
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x1003, 9, &f.err),
			 -EINVAL);
	ck_assert_str_eq(f.err.text, "ticks at 0x1003 after those at 0x1004");
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 41 + BINS_BYTES);
	ck_assert_uint_eq(bin_of(&f, 0, 1), 0);
	ck_assert_uint_eq(bin_of(&f, 0, 2), 2);
	end(&f);
}
END_TEST

START_TEST(more_ticks_than_gprof_can_add_are_refused_and_change_nothing)
{
	struct fixture f = begin(pc);

	ticks(&f, 0x1000, 5);
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x1000,
					       PRF_GMON_MAX_TICKS - 4, &f.err),
			 -EOVERFLOW);
	ck_assert_int_eq(
		prf_gmon_writer_ticks(f.writer, 0x1000, UINT64_MAX, &f.err),
		-EOVERFLOW);
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x5000,
					       PRF_GMON_MAX_TICKS + 1ULL,
					       &f.err),
			 -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(f.err.text, "0x5000"));
	ticks(&f, 0x1000, 1); /* not after 0x5000 */
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 41 + BINS_BYTES);
	ck_assert_uint_eq(bin_of(&f, 0, 0), 6);
	end(&f);
}
END_TEST

START_TEST(as_many_ticks_as_gprof_can_add_are_taken)
{
	struct fixture f = begin(pc);

	ticks(&f, 0x1000, 5);
	ticks(&f, 0x1000, PRF_GMON_MAX_TICKS - 5);
	end(&f);
}
END_TEST

/* --- Many units at once */

enum { N_UNITS = 3000 };

static int
units(struct fixture *f, uint64_t vaddr, const uint32_t *n_ticks, size_t n)
{
	return prf_gmon_writer_units(f->writer, vaddr, n_ticks, n, &f->err);
}

/* Some stretches have ticks, in some of their units; the others have none. */
static void
scatter(struct random *random, uint32_t *n_ticks)
{
	for (size_t i = 0; i < N_UNITS; i++)
		n_ticks[i] = random_below(random, 2)
				     ? 0
				     : (uint32_t)random_below(random, 70000);
	for (size_t i = random_below(random, 500); i < N_UNITS; i++) {
		size_t n = random_below(random, N_UNITS - i);

		memset(&n_ticks[i], 0, n * sizeof *n_ticks);
		i += n + random_below(random, 800);
	}
}

START_TEST(units_at_once_are_as_one_after_the_other)
{
	struct random random = random_begin();
	static uint32_t n_ticks[N_UNITS];

	for (int i = 0; i < 20; i++) {
		uint64_t lo = 0x1000 + random_below(&random, 2048);
		struct fixture f = begin(pc), other = begin(pc);

		scatter(&random, n_ticks);
		n_ticks[0] = 1;
		ticks(&f, lo, 2); /* the same unit */
		ck_assert_int_eq(units(&f, lo, n_ticks, N_UNITS), 0);
		ticks(&f, lo + 2 * N_UNITS - 2, 3);
		ticks(&other, lo, 2);
		for (size_t u = 0; u < N_UNITS; u++)
			if (n_ticks[u])
				ticks(&other, lo + 2 * u, n_ticks[u]);
		ticks(&other, lo + 2 * N_UNITS - 2, 3);
		finish(&f);
		finish(&other);
		ck_assert_msg(f.n_bytes == other.n_bytes &&
				      !memcmp(f.bytes, other.bytes, f.n_bytes),
			      RANDOM_WHERE "file %d", RANDOM_IS(&random), i);
		end(&f);
		end(&other);
	}
}
END_TEST

START_TEST(units_where_no_tick_can_be_are_refused)
{
	static uint32_t n_ticks[1024];
	const uint64_t end_of_all = 0x100000000;
	struct fixture f = begin(
		(struct prf_gmon_target){.addr_bytes = 4, .rate_hz = 100});

	ticks(&f, 0x1004, PRF_GMON_MAX_TICKS);
	ck_assert_int_eq(units(&f, end_of_all - 2048, n_ticks, 1024), 0);
	n_ticks[1] = 1;
	ck_assert_int_eq(units(&f, 0x1000, n_ticks, 2), -EINVAL);
	n_ticks[0] = 1;
	ck_assert_int_eq(units(&f, 0x1004, n_ticks, 2), -EOVERFLOW);
	n_ticks[512] = 1;
	ck_assert_int_eq(units(&f, end_of_all - 2048, n_ticks, 1024),
			 -EOVERFLOW);
	ck_assert_ptr_nonnull(strstr(f.err.text, "0xfffffc00"));
	end(&f);
}
END_TEST

/* --- What cannot be */

START_TEST(an_address_wider_than_the_pointer_is_refused)
{
	struct fixture f = begin(
		(struct prf_gmon_target){.addr_bytes = 4, .rate_hz = 100});
	const uint64_t wide = 0x100000000;

	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, wide, 1, &f.err),
			 -EOVERFLOW);
	ck_assert_int_eq(prf_gmon_writer_arc(f.writer, wide, 0, 1, &f.err),
			 -EOVERFLOW);
	ck_assert_int_eq(prf_gmon_writer_arc(f.writer, 0, wide, 1, &f.err),
			 -EOVERFLOW);
	arc(&f, wide - 1, wide - 1, 1);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 13);
	end(&f);
}
END_TEST

START_TEST(the_last_block_of_an_address_space_is_refused)
{
	const uint64_t last = _i == 4 ? 0xfffffc00 : 0xfffffffffffffc00;
	struct fixture f = begin((struct prf_gmon_target){
		.addr_bytes = (uint8_t)_i, .rate_hz = 100});

	ticks(&f, last - 1, 1);
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, last, 1, &f.err),
			 -EOVERFLOW);
	finish(&f);
	end(&f);
}
END_TEST

START_TEST(an_arc_above_32_bits_repeats_its_record)
{
	struct fixture f = begin(pc);
	const uint64_t most = (uint64_t)UINT32_MAX * PRF_GMON_MAX_ARC_RECORDS;

	arc(&f, 1, 2, 2 * (uint64_t)UINT32_MAX + 1);
	ck_assert_int_eq(prf_gmon_writer_arc(f.writer, 1, 2, most + 1, &f.err),
			 -EOVERFLOW);
	finish(&f);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 3 * 21);
	ck_assert_mem_eq(f.bytes + HEADER_BYTES + 17, "\xff\xff\xff\xff", 4);
	ck_assert_mem_eq(f.bytes + HEADER_BYTES + 2 * 21 + 17, "\1\0\0\0", 4);
	end(&f);
}
END_TEST

START_TEST(calls_out_of_order_are_refused)
{
	struct fixture f = begin(pc);

	arc(&f, 1, 2, 3);
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x1000, 1, &f.err),
			 -EINVAL);
	finish(&f);
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x1000, 1, &f.err),
			 -EINVAL);
	ck_assert_int_eq(prf_gmon_writer_arc(f.writer, 1, 2, 3, &f.err),
			 -EINVAL);
	ck_assert_uint_eq(f.n_bytes, HEADER_BYTES + 21);
	end(&f);
}
END_TEST

START_TEST(a_target_that_no_file_can_have_is_refused)
{
	static const struct prf_gmon_target targets[] = {
		{.addr_bytes = 0, .rate_hz = 100},
		{.addr_bytes = 2, .rate_hz = 100},
		{.addr_bytes = 16, .rate_hz = 100},
		{.addr_bytes = 8, .rate_hz = 0},
	};
	struct prf_gmon_writer *writer = NULL;
	struct prf_error err;

	ck_assert_int_eq(
		prf_gmon_writer_new(stderr, &targets[_i], &writer, &err),
		-EINVAL);
	ck_assert_ptr_null(writer);
}
END_TEST

START_TEST(a_full_disk_is_told_at_the_end)
{
	struct fixture f = {.out = fopen("/dev/full", "w")};

	ck_assert_ptr_nonnull(f.out);
	ck_assert_int_eq(prf_gmon_writer_new(f.out, &pc, &f.writer, &f.err), 0);
	ticks(&f, 0x1000, 1);
	ck_assert_int_eq(prf_gmon_writer_finish(f.writer, &f.err), -ENOSPC);
	ck_assert_str_eq(f.err.text,
			 "cannot write gmon.out: No space left on device");
	end(&f);
}
END_TEST

/* A disk with room for *COOKIE bytes. */
static ssize_t
write_to_small_disk(void *cookie, const char *bytes, size_t n_bytes)
{
	size_t *room_bytes = cookie;

	(void)bytes;
	if (n_bytes > *room_bytes) {
		errno = ENOSPC;
		return 0;
	}
	*room_bytes -= n_bytes;
	return (ssize_t)n_bytes;
}

START_TEST(a_full_disk_ends_the_file_and_every_later_call_says_so)
{
	size_t room_bytes = HEADER_BYTES;
	const cookie_io_functions_t disk = {.write = write_to_small_disk};
	struct fixture f = {.out = fopencookie(&room_bytes, "w", disk)};

	ck_assert_ptr_nonnull(f.out);
	ck_assert_int_eq(setvbuf(f.out, NULL, _IONBF, 0), 0);
	ck_assert_int_eq(prf_gmon_writer_new(f.out, &pc, &f.writer, &f.err), 0);
	ticks(&f, 0x1000, 1);
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x9000, 1, &f.err),
			 -ENOSPC);
	room_bytes = 1 << 20; /* too late: a record is missing */
	ck_assert_int_eq(prf_gmon_writer_ticks(f.writer, 0x9000, 1, &f.err),
			 -ENOSPC);
	ck_assert_int_eq(prf_gmon_writer_arc(f.writer, 1, 2, 3, &f.err),
			 -ENOSPC);
	ck_assert_int_eq(prf_gmon_writer_finish(f.writer, &f.err), -ENOSPC);
	ck_assert_uint_eq(room_bytes, 1 << 20);
	end(&f);
}
END_TEST

START_TEST(where_not_even_the_header_can_be_written_there_is_no_writer)
{
	struct fixture f = {.out = fopen("/dev/full", "w")};

	ck_assert_ptr_nonnull(f.out);
	ck_assert_int_eq(setvbuf(f.out, NULL, _IONBF, 0), 0);
	ck_assert_int_eq(prf_gmon_writer_new(f.out, &pc, &f.writer, &f.err),
			 -ENOSPC);
	ck_assert_ptr_null(f.writer);
	end(&f);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_write");
	TCase *tcase = tcase_create("gmon_write");

	tcase_add_loop_test(tcase, a_file_has_these_bytes_and_no_others, 0, 4);
	tcase_add_loop_test(tcase, a_file_has_its_unit_and_its_mark, 0,
			    sizeof texts / sizeof *texts);
	tcase_add_test(tcase, a_file_without_ticks_or_arcs_is_its_header_alone);
	tcase_add_test(tcase,
		       a_block_of_0_ticks_is_there_once_and_full_of_zeros);
	tcase_add_test(tcase, a_count_above_65535_repeats_the_record);
	tcase_add_test(tcase, a_count_of_65535_needs_one_record);
	tcase_add_test(tcase,
		       addresses_that_descend_are_refused_and_change_nothing);
	tcase_add_test(
		tcase,
		more_ticks_than_gprof_can_add_are_refused_and_change_nothing);
	tcase_add_test(tcase, as_many_ticks_as_gprof_can_add_are_taken);
	tcase_add_test(tcase, units_at_once_are_as_one_after_the_other);
	tcase_add_test(tcase, units_where_no_tick_can_be_are_refused);
	tcase_add_test(tcase, an_address_wider_than_the_pointer_is_refused);
	tcase_add_loop_test(
		tcase, the_last_block_of_an_address_space_is_refused, 4, 5);
	tcase_add_loop_test(
		tcase, the_last_block_of_an_address_space_is_refused, 8, 9);
	tcase_add_test(tcase, an_arc_above_32_bits_repeats_its_record);
	tcase_add_test(tcase, calls_out_of_order_are_refused);
	tcase_add_loop_test(tcase, a_target_that_no_file_can_have_is_refused, 0,
			    4);
	tcase_add_test(tcase, a_full_disk_is_told_at_the_end);
	tcase_add_test(tcase,
		       a_full_disk_ends_the_file_and_every_later_call_says_so);
	tcase_add_test(
		tcase,
		where_not_even_the_header_can_be_written_there_is_no_writer);
	suite_add_tcase(suite, tcase);
	return suite;
}
