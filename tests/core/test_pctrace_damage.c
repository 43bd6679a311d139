/* Traces that are not as they should be. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/byteorder.h"
#include "core/pctrace/crc32.h"
#include "core/pctrace.h"
#include "core/pctrace/pctrace_format.h"
#include "core/trace_file.h"
#include "support/suite.h"

/* A trace of some blocks, small enough to be tried byte by byte. */
static struct trace_file
some_blocks(struct event_log *given)
{
	struct random random = random_begin();

	return trace_file_of_run(&random, 450, 2, given);
}

struct result {
	int rc;
	struct event_log log;
	struct prf_pctrace_report report;
	struct prf_error err;
};

static struct result
play(const void *bytes, size_t n_bytes)
{
	struct result result = {0};

	event_log_begin(&result.log);
	result.rc = trace_file_play(bytes, n_bytes, &result.log, &result.report,
				    &result.err);
	return result;
}

/* The place in N_BYTES to try next: each of the first ones, each eleventh of the
 * others, and the last. */
static size_t
next_off(size_t off, size_t n_bytes)
{
	size_t next = off + (off < 256 ? 1 : 11);

	return next >= n_bytes && off + 1 < n_bytes ? n_bytes - 1 : next;
}

START_TEST(a_trace_that_is_cut_has_its_first_events_and_says_so)
{
	struct event_log given;
	struct trace_file file = some_blocks(&given);
	size_t n_before = 0;

	for (size_t n = 0; n < file.n_bytes; n = next_off(n, file.n_bytes)) {
		struct result result = play(file.bytes, n);

		if (n < PRF_PCTRACE_HEADER_BYTES) {
			ck_assert_int_eq(result.rc, -EBADMSG);
			event_log_end(&result.log);
			continue;
		}
		ck_assert_int_eq(result.rc, 0);
		ck_assert(!result.report.has_end);
		ck_assert_uint_eq(result.report.n_damaged, 0);
		ck_assert_uint_eq(result.report.events, result.log.n_events);
		event_log_check_begin(&result.log, &given);
		/* A byte more never takes away what was complete. */
		ck_assert_uint_ge(result.log.n_events, n_before);
		n_before = result.log.n_events;
		event_log_end(&result.log);
	}
	ck_assert_uint_eq(n_before, given.n_events);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(a_byte_that_is_another_loses_its_block_at_most)
{
	static const uint8_t flips[] = {0x01, 0x80, 0xff};
	struct event_log given;
	struct trace_file file = some_blocks(&given);

	for (size_t off = 0; off < file.n_bytes;
	     off = next_off(off, file.n_bytes)) {
		uint8_t flip = flips[off % sizeof flips];

		file.bytes[off] ^= (char)flip;
		struct result result = play(file.bytes, file.n_bytes);
		file.bytes[off] ^= (char)flip;
		if (off < PRF_PCTRACE_HEADER_BYTES) {
			ck_assert_int_lt(result.rc, 0);
			event_log_end(&result.log);
			continue;
		}
		ck_assert_int_eq(result.rc, 0);
		ck_assert_uint_eq(result.report.n_damaged, 1);
		ck_assert_int_eq(result.report.damage.code, -EBADMSG);
		event_log_check_subset(&result.log, &given);
		/* A block is a second: 200 ticks and some. */
		ck_assert_uint_ge(result.log.n_events + 230, given.n_events);
		/* The last block's loss is told by the end that is missing. */
		if (result.report.has_end)
			ck_assert_uint_eq(result.log.n_events +
						  result.report.lost_events,
					  given.n_events);
		event_log_end(&result.log);
	}
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(bytes_that_are_missing_or_too_many_lose_their_block_at_most)
{
	struct event_log given;
	struct trace_file file = some_blocks(&given);
	char *other = malloc(file.n_bytes + 30);

	for (size_t off = PRF_PCTRACE_HEADER_BYTES; off + 30 < file.n_bytes;
	     off += 23) {
		size_t n = file.n_bytes;

		memcpy(other, file.bytes, off);
		if (_i) {
			memcpy(other + off, file.bytes + off + 30,
			       n - off - 30);
			n -= 30;
		} else {
			memset(other + off, 'x', 30);
			memcpy(other + off + 30, file.bytes + off, n - off);
			n += 30;
		}
		struct result result = play(other, n);
		ck_assert_int_eq(result.rc, 0);
		/* Thirty bytes can be of two blocks. */
		ck_assert_uint_ge(result.log.n_events + 430, given.n_events);
		/* Within the last block a loss can look like a cut. */
		if (result.report.unchecked == 0)
			event_log_check_subset(&result.log, &given);
		else
			ck_assert(!result.report.has_end);
		ck_assert(!result.report.has_end || result.report.n_damaged);
		event_log_end(&result.log);
	}
	free(other);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

/* --- Other files */

static void
check_refused(const void *bytes, size_t n_bytes, int code, const char *text)
{
	struct result result = play(bytes, n_bytes);

	ck_assert_int_eq(result.rc, code);
	ck_assert_str_eq(result.err.text, text);
	event_log_end(&result.log);
}

START_TEST(what_is_no_trace_is_refused)
{
	static const char *const others[] = {
		"gmon\1\0\0\0", "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0",
		"\x89PNG\r\n\x1a\n and so on", "p"};

	check_refused(others[_i], 1 + strlen(others[_i]), -EBADMSG,
		      "offset 0: not a pcsample trace");
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
	check_refused("", 0, -EBADMSG,
		      "offset 0: the file is empty; not a pcsample trace");
}
END_TEST

/* The header of another version, with flags. */
static void
make_header(uint8_t *header, unsigned version, unsigned flags)
{
	struct prf_crc32 crc;

	prf_crc32_init(&crc);
	memcpy(header, PRF_PCTRACE_MAGIC, PRF_PCTRACE_MAGIC_BYTES);
	prf_byteorder_put(header + PRF_PCTRACE_VERSION_OFF, version, 2, false);
	prf_byteorder_put(header + PRF_PCTRACE_FLAGS_OFF, flags, 2, false);
	prf_byteorder_put(header + PRF_PCTRACE_SUM_OFF,
			  prf_crc32_of(&crc, header, PRF_PCTRACE_SUM_OFF), 4,
			  false);
}

START_TEST(another_version_is_refused_by_its_number)
{
	uint8_t header[PRF_PCTRACE_HEADER_BYTES];

	make_header(header, 4, 0);
	check_refused(header, sizeof header, -ENOTSUP,
		      "offset 8: a pcsample trace of version 4.0; only 1.0 to "
		      "3.0 can be read");
	make_header(header, 0, 0);
	check_refused(header, sizeof header, -ENOTSUP,
		      "offset 8: a pcsample trace of version 0.0; only 1.0 to "
		      "3.0 can be read");
	make_header(header, 1, 4);
	check_refused(header, sizeof header, -ENOTSUP,
		      "offset 8: a pcsample trace of version 1.4; only 1.0 to "
		      "3.0 can be read");
	/* As a machine of the other byte order might have written it. */
	make_header(header, 0x100, 0);
	check_refused(header, sizeof header, -ENOTSUP,
		      "offset 8: a pcsample trace of version 256.0; only 1.0 "
		      "to 3.0 can be read");
}
END_TEST

static struct result
play_file(FILE *in)
{
	struct prf_pctrace *trace = NULL;
	struct result result = {0};

	event_log_begin(&result.log);
	result.rc = prf_pctrace_open(in, &trace, &result.err);
	if (!result.rc)
		result.rc = prf_pctrace_play(trace, &result.log.base,
					     &result.report, &result.err);
	prf_pctrace_close(trace);
	fclose(in);
	return result;
}

START_TEST(a_device_of_zeros_is_refused_at_once)
{
	struct result result = play_file(fopen("/dev/zero", "r"));

	ck_assert_int_eq(result.rc, -EBADMSG);
	event_log_end(&result.log);
}
END_TEST

START_TEST(a_directory_is_an_error_of_reading)
{
	struct result result = play_file(fopen("/", "r"));

	ck_assert_int_eq(result.rc, -EISDIR);
	ck_assert_str_eq(result.err.text,
			 "cannot read the trace: Is a directory");
	event_log_end(&result.log);
}
END_TEST

START_TEST(a_trace_with_ten_gigabytes_of_zeros_in_it_comes_to_an_end)
{
	struct event_log given;
	struct trace_file file = some_blocks(&given);
	FILE *sparse = tmpfile();
	size_t part = file.n_bytes / 5 * 4;

	fwrite(file.bytes, 1, part, sparse);
	ck_assert_int_eq(fflush(sparse), 0);
	if (ftruncate(fileno(sparse), (off_t)10 << 30)) {
		fclose(sparse);
		return; /* a file system of small files */
	}
	rewind(sparse);
	struct result result = play_file(sparse);
	ck_assert_int_eq(result.rc, 0);
	ck_assert_uint_ge(result.report.n_damaged, 1);
	ck_assert_uint_gt(result.log.n_events, 0);
	event_log_check_begin(&result.log, &given);
	event_log_end(&result.log);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(what_follows_the_end_is_not_read)
{
	struct event_log given;
	struct trace_file file = some_blocks(&given);

	file.bytes = realloc(file.bytes, 2 * file.n_bytes);
	memcpy(file.bytes + file.n_bytes, file.bytes, file.n_bytes);
	struct result result = play(file.bytes, 2 * file.n_bytes);
	ck_assert_int_eq(result.rc, 0);
	event_log_check_same(&result.log, &given);
	ck_assert(result.report.has_end);
	ck_assert_ptr_nonnull(strstr(result.report.damage.text,
				     "the trace has ended; more follows"));
	event_log_end(&result.log);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

START_TEST(a_pipe_will_do)
{
	struct event_log given;
	struct trace_file file = some_blocks(&given);
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	if (fork() == 0) {
		close(ends[0]);
		_exit(write(ends[1], file.bytes, file.n_bytes) !=
		      (ssize_t)file.n_bytes);
	}
	close(ends[1]);
	struct result result = play_file(fdopen(ends[0], "r"));
	ck_assert_int_eq(result.rc, 0);
	ck_assert(result.report.has_end);
	event_log_check_same(&result.log, &given);
	event_log_end(&result.log);
	event_log_end(&given);
	free(file.bytes);
}
END_TEST

/* --- Blocks that are made by hand, all checksums right */

static uint8_t made[1 << 18];
static size_t n_made;

static void
make_begin(void)
{
	make_header(made, 1, 0);
	n_made = PRF_PCTRACE_HEADER_BYTES;
}

static void
make_block(const void *payload, size_t n_bytes, uint64_t events, uint64_t ticks)
{
	uint8_t *header = made + n_made;
	struct prf_crc32 crc;

	prf_crc32_init(&crc);
	memset(header, 0, PRF_PCTRACE_BLOCK_HEADER_BYTES);
	memcpy(header, PRF_PCTRACE_MARKER, PRF_PCTRACE_MARKER_BYTES);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_BYTES_OFF, n_bytes, 4,
			  false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_EVENTS_OFF, events, 8,
			  false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_TICKS_OFF, ticks, 8,
			  false);
	prf_byteorder_put(header + PRF_PCTRACE_BLOCK_SUM_OFF,
			  prf_crc32_of(&crc, payload, n_bytes), 4, false);
	prf_byteorder_put(
		header + PRF_PCTRACE_BLOCK_HEADER_SUM_OFF,
		prf_crc32_of(&crc, header, PRF_PCTRACE_BLOCK_HEADER_SUM_OFF), 4,
		false);
	memcpy(header + PRF_PCTRACE_BLOCK_HEADER_BYTES, payload, n_bytes);
	n_made += PRF_PCTRACE_BLOCK_HEADER_BYTES + n_bytes;
}

START_TEST(records_of_a_type_that_nobody_knows_are_passed_over)
{
	static const uint8_t payload[] = {
		77,   3, 1,  2,   3,             /* nothing that is known */
		0x90, 0, 5,  6,   0, 0,          /* a sample */
		5,    7, 1,  'n', 9, 0, 0, 0, 0, /* a figure that has grown */
		4,    9, 99, 1,   1, 0, 0, 0, 0, 0, 0, /* a life of kind 99 */
		6,    0};

	make_begin();
	make_block(payload, sizeof payload, 0, 0);
	struct result result = play(made, n_made);
	ck_assert_int_eq(result.rc, 0);
	ck_assert_msg(result.report.n_damaged == 0, "%s",
		      result.report.damage.text);
	ck_assert_uint_eq(result.report.unknown, 2);
	ck_assert_uint_eq(result.report.events, 2);
	ck_assert_str_eq(result.log.text, "sample 5 6 0 1 0 -1 0 0 0:0\n"
					  "figure n 9\n");
	ck_assert(result.report.has_end);
	event_log_end(&result.log);
}
END_TEST

START_TEST(a_record_that_makes_no_sense_ends_its_block_alone)
{
	static const struct {
		size_t n_bytes;
		uint8_t bytes[16];
	} bad[] = {
		{1, {5}},                         /* no length */
		{2, {5, 9}},                      /* too long */
		{6, {5, 4, 2, 'a', 0, 1}},        /* a string with NUL */
		{2, {0x80, 0}},                   /* a thread's is missing */
		{4, {0x90, 2, 0, 0}},             /* thread 2 before 1 */
		{4, {0xa0, 0, 0, 0}},             /* no ticks */
		{4, {0xc0, 0, 0, 12}},            /* all certain, and some */
		{6, {0xe0, 0, 0, 3, 8, 4}},       /* four of three certain */
		{6, {0xc0, 0, 0, 2, 1, 0}},       /* a stack of one */
		{6, {0xc0, 0, 0, 2, 3, 2}},       /* shares with nothing */
		{8, {0xc0, 0, 0, 2, 2, 1, 0, 3}}, /* a frame's kind */
		{4, {0xc0, 0, 0, 6 << 5}},        /* an end of no meaning */
		{10, {2, 8, 1, 0, 0, 0, 0, 5, 0, 0}}, /* 5-byte addresses */
		{13, {3, 11, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, /* of size 0 */
		{12,
		 {0x90, 0xff, 0xff, 0xff, 0xff, 0x7f, 0}}, /* a big number */
	};
	static const uint8_t good[] = {0x90, 0, 5, 6, 0, 9};
	static const uint8_t end[] = {0x90, 0, 5, 6, 0, 10, 6, 0};
	uint8_t payload[sizeof good + sizeof bad->bytes];

	memcpy(payload, good, sizeof good);
	memcpy(payload + sizeof good, bad[_i].bytes, bad[_i].n_bytes);
	make_begin();
	make_block(payload, _i == 3 ? 2 : sizeof good + bad[_i].n_bytes, 0, 0);
	if (_i == 3) { /* in a block of its own */
		make_begin();
		make_block(bad[3].bytes, bad[3].n_bytes, 0, 0);
	}
	make_block(end, sizeof end, 5, 50);
	struct result result = play(made, n_made);
	ck_assert_int_eq(result.rc, 0);
	ck_assert_uint_eq(result.report.n_damaged, 1);
	ck_assert_ptr_nonnull(strstr(result.report.damage.text,
				     _i == 3 ? "offset 56: this record makes "
					       "no sense"
					     : "offset 62: this record makes "
					       "no sense"));
	ck_assert_uint_eq(result.report.events, _i == 3 ? 1 : 2);
	ck_assert_uint_eq(result.report.lost_events, _i == 3 ? 5 : 4);
	ck_assert_uint_eq(result.report.lost_ticks, _i == 3 ? 50 : 49);
	ck_assert(result.report.has_end);
	event_log_end(&result.log);
}
END_TEST

START_TEST(a_block_that_stands_there_twice_is_played_once)
{
	static const uint8_t sample[] = {0x90, 0, 5, 6, 0, 9};
	static const uint8_t end[] = {6, 0};

	make_begin();
	make_block(sample, sizeof sample, 0, 0);
	make_block(sample, sizeof sample, 0, 0);
	make_block(end, sizeof end, 1, 1);
	struct result result = play(made, n_made);
	ck_assert_int_eq(result.rc, 0);
	ck_assert_uint_eq(result.report.samples, 1);
	ck_assert_uint_eq(result.report.n_damaged, 1);
	ck_assert(result.report.has_end);
	event_log_end(&result.log);
}
END_TEST

START_TEST(a_block_that_has_gone_is_missed)
{
	static const uint8_t sample[] = {0x90, 0, 5, 6, 0, 9};
	static const uint8_t end[] = {6, 0};

	make_begin();
	make_block(sample, sizeof sample, 0, 0);
	make_block(sample, sizeof sample, 3, 30);
	make_block(end, sizeof end, 4, 31);
	struct result result = play(made, n_made);
	ck_assert_int_eq(result.rc, 0);
	ck_assert_uint_eq(result.report.samples, 2);
	ck_assert_uint_eq(result.report.n_damaged, 1);
	ck_assert_uint_eq(result.report.lost_events, 2);
	ck_assert_uint_eq(result.report.lost_ticks, 29);
	event_log_end(&result.log);
}
END_TEST

/* What is searched through, is so by strides of 64 KiB: a block is found
 * wherever it begins around the end of one, or of the second. */
START_TEST(a_block_is_found_behind_any_number_of_other_bytes)
{
	static const uint8_t sample[] = {0x90, 0, 5, 6, 0, 9};
	static const uint8_t end[] = {6, 0};
	enum { STRIDE = 64 << 10, AROUND = 2 * PRF_PCTRACE_BLOCK_HEADER_BYTES };
	unsigned n_bytes = (unsigned)_i * STRIDE - AROUND;

	for (unsigned i = 0; i <= 2 * AROUND; i++, n_bytes++) {
		make_begin();
		memset(made + n_made, 0xb5, n_bytes);
		n_made += n_bytes;
		make_block(sample, sizeof sample, 0, 0);
		make_block(end, sizeof end, 1, 1);
		struct result result = play(made, n_made);
		ck_assert_int_eq(result.rc, 0);
		ck_assert_uint_eq(result.report.n_damaged, 1);
		ck_assert_msg(result.report.samples == 1, "behind %u bytes",
			      n_bytes);
		ck_assert(result.report.has_end);
		event_log_end(&result.log);
	}
}
END_TEST

/* Good headers of long blocks, one in the other: each a checksum in vain. */
START_TEST(a_file_made_to_take_long_does_not)
{
	enum { N_HEADERS = 50000, N_BYTES = 40 * N_HEADERS + (1 << 20) };
	uint8_t *bytes = calloc(1, N_BYTES);
	struct prf_crc32 crc;

	prf_crc32_init(&crc);
	make_header(bytes, 1, 0);
	for (size_t i = 0; i < N_HEADERS; i++) {
		uint8_t *header = bytes + PRF_PCTRACE_HEADER_BYTES + 40 * i;

		memcpy(header, PRF_PCTRACE_MARKER, PRF_PCTRACE_MARKER_BYTES);
		prf_byteorder_put(header + PRF_PCTRACE_BLOCK_BYTES_OFF,
				  PRF_PCTRACE_MAX_PAYLOAD_BYTES, 4, false);
		prf_byteorder_put(
			header + PRF_PCTRACE_BLOCK_HEADER_SUM_OFF,
			prf_crc32_of(&crc, header,
				     PRF_PCTRACE_BLOCK_HEADER_SUM_OFF),
			4, false);
	}
	struct result result = play(bytes, N_BYTES);
	ck_assert_int_eq(result.rc, 0);
	ck_assert_uint_eq(result.report.events, 0);
	ck_assert_uint_lt(result.report.n_damaged, 1000);
	event_log_end(&result.log);
	free(bytes);
}
END_TEST

START_TEST(bytes_of_no_meaning_do_no_harm)
{
	struct random random = random_begin();
	uint8_t payload[300];

	for (int round = 0; round < 1000; round++) {
		size_t n_bytes = random_below(&random, sizeof payload);

		for (size_t i = 0; i < n_bytes; i++)
			payload[i] = (uint8_t)(random_of_any_size(&random) >>
					       random_below(&random, 8));
		make_begin();
		make_block(payload, n_bytes, 0, 0);
		struct result result = play(made, n_made);
		ck_assert_int_eq(result.rc, 0);
		event_log_end(&result.log);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("pctrace_damage");
	TCase *tcase = tcase_create("pctrace_damage");

	/* A reader has megabytes of which little is touched.  Those that are
	 * mapped anew are zero; what was freed would be cleared, thousands of
	 * times. */
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase,
		       a_trace_that_is_cut_has_its_first_events_and_says_so);
	tcase_add_test(tcase, a_byte_that_is_another_loses_its_block_at_most);
	tcase_add_loop_test(
		tcase,
		bytes_that_are_missing_or_too_many_lose_their_block_at_most, 0,
		2);
	tcase_add_loop_test(tcase, what_is_no_trace_is_refused, 0, 4);
	tcase_add_test(tcase, an_empty_file_is_refused);
	tcase_add_test(tcase, another_version_is_refused_by_its_number);
	tcase_add_test(tcase, a_device_of_zeros_is_refused_at_once);
	tcase_add_test(tcase, a_directory_is_an_error_of_reading);
	tcase_add_test(
		tcase,
		a_trace_with_ten_gigabytes_of_zeros_in_it_comes_to_an_end);
	tcase_add_test(tcase, what_follows_the_end_is_not_read);
	tcase_add_test(tcase, a_pipe_will_do);
	tcase_add_test(tcase,
		       records_of_a_type_that_nobody_knows_are_passed_over);
	tcase_add_loop_test(tcase,
			    a_record_that_makes_no_sense_ends_its_block_alone,
			    0, 15);
	tcase_add_test(tcase, a_block_that_stands_there_twice_is_played_once);
	tcase_add_test(tcase, a_block_that_has_gone_is_missed);
	tcase_add_loop_test(
		tcase, a_block_is_found_behind_any_number_of_other_bytes, 1, 3);
	tcase_add_test(tcase, a_file_made_to_take_long_does_not);
	tcase_add_test(tcase, bytes_of_no_meaning_do_no_harm);
	suite_add_tcase(suite, tcase);
	return suite;
}
