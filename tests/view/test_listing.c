#include "support/suite.h"
#include "view/table/listing.h"
#include "support/made.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BEGUN_NS = 1000000000 };
static const uint64_t at = 0x7f0000001000;
static struct prf_warnings warnings;
static struct prf_lookup *lookup;
static char *text;
static size_t n_bytes;
static FILE *out;
static struct prf_sink *sink;

typedef int new_listing(FILE *, const struct prf_pctrace_info *,
			struct prf_lookup *, struct prf_sink **,
			struct prf_error *);

static void
begin(void)
{
	static const struct elf_symbol symbols[] = {
		{"first", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
		{"od\033d\"\\name", 0x1100, 0x40, STB_GLOBAL, STT_FUNC, 1},
	};

	made_begin();
	made_elf("prog", symbols, 2);
	lookup = prf_lookup_new(NULL, &warnings);
	ck_assert_ptr_nonnull(lookup);
	out = open_memstream(&text, &n_bytes);
}

static void
end(void)
{
	sink->ops->free(sink);
	fclose(out);
	free(text);
	prf_lookup_free(lookup);
	prf_warnings_clear(&warnings);
	made_end();
}

/* A listing of a process that has prog mapped. */
static void
begin_listing(new_listing *new_sink)
{
	static const struct prf_pctrace_info info = {
		.recorder = "a \"test\"",
		.command = "prog \\ \001 x",
		.clock = "cpu",
		.period_ns = 10000000,
		.monotonic_ns = BEGUN_NS,
	};
	const struct prf_exec exec = {.pid = getpid(),
				      .path = "",
				      .command = "",
				      .addr_bytes = sizeof(void *),
				      .machine = EM_386};
	const struct prf_mapping map = made_mapping("prog", at);

	ck_assert_int_eq(new_sink(out, &info, lookup, &sink, NULL), 0);
	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
	ck_assert_int_eq(sink->ops->mapping(sink, &map), 0);
}

static int
give(uint64_t time_ns, uint64_t addr, int32_t syscall, uint32_t ticks)
{
	const struct prf_frame frame = {addr, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = getpid(),
		.tid = 77,
		.time_ns = time_ns,
		.ticks = ticks,
		.syscall = syscall,
		.n_frames = 1,
		.frames = &frame,
	};

	return sink->ops->sample(sink, &sample);
}

static void
finish(void)
{
	ck_assert_int_eq(sink->ops->finish(sink, NULL), 0);
}

/* What is printed of a sample as text, behind time, process and thread. */
static const struct {
	uint64_t time_ns, addr;
	int32_t syscall;
	uint32_t ticks;
	const char *time, *rest;
} lines[] = {
	{BEGUN_NS, at, PRF_NO_SYSCALL, 1, "0.000000000",
	 "1 user first+0x0 PROG\n"},
	{BEGUN_NS + 1, at + 0xff, PRF_NO_SYSCALL, 3, "0.000000001",
	 "3 user first+0xff PROG\n"},
	{BEGUN_NS - 1, at, PRF_NO_SYSCALL, 1, "-0.000000001",
	 "1 user first+0x0 PROG\n"},
	{0, at, PRF_NO_SYSCALL, UINT32_MAX, "-1.000000000",
	 "4294967295 user first+0x0 PROG\n"},
	{UINT64_MAX, at, PRF_NO_SYSCALL, 1, "18446744072.709551615",
	 "1 user first+0x0 PROG\n"},
	/* Of the program's machine, whatever ours is. */
	{BEGUN_NS, at, 3, 1, "0.000000000", "1 call:read first+0x0 PROG\n"},
	{BEGUN_NS, at, 1000000, 1, "0.000000000",
	 "1 call:1000000 first+0x0 PROG\n"},
	{BEGUN_NS, at, INT32_MIN, 1, "0.000000000",
	 "1 call:-2147483648 first+0x0 PROG\n"},
	{BEGUN_NS, 0, PRF_NO_SYSCALL, 1, "0.000000000",
	 "1 user 0x0 [unknown]\n"},
	{BEGUN_NS, UINT64_MAX, PRF_NO_SYSCALL, 1, "0.000000000",
	 "1 user 0xffffffffffffffff [unknown]\n"},
};

START_TEST(a_line_says_when_who_how_and_where)
{
	char wanted[1024], rest[512];
	const char *prog = strstr(lines[_i].rest, "PROG");

	begin_listing(prf_listing_text_new);
	ck_assert_int_eq(give(lines[_i].time_ns, lines[_i].addr,
			      lines[_i].syscall, lines[_i].ticks),
			 0);
	finish();
	if (prog)
		snprintf(rest, sizeof rest, "%.*s%s\n",
			 (int)(prog - lines[_i].rest), lines[_i].rest,
			 made_path("prog"));
	else
		snprintf(rest, sizeof rest, "%s", lines[_i].rest);
	snprintf(wanted, sizeof wanted, "%s %d 77 %s", lines[_i].time,
		 (int)getpid(), rest);
	ck_assert_str_eq(text, wanted);
}
END_TEST

START_TEST(a_name_cannot_steer_a_terminal)
{
	begin_listing(prf_listing_text_new);
	ck_assert_int_eq(give(BEGUN_NS, at + 0x100, PRF_NO_SYSCALL, 1), 0);
	finish();
	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_nonnull(strstr(text, "d\"\\name+0x0 "));
}
END_TEST

START_TEST(json_quotes_what_must_be_quoted)
{
	static const struct prf_figure figure = {"a\"b\\c", UINT64_MAX};

	begin_listing(prf_listing_json_new);
	ck_assert_int_eq(give(BEGUN_NS, at + 0x100, 0, 1), 0);
	ck_assert_int_eq(give(BEGUN_NS, 0, PRF_NO_SYSCALL, 2), 0);
	ck_assert_int_eq(prf_sink_figure(sink, &figure), 0);
	ck_assert_int_eq(prf_sink_figure(sink, &figure), 0);
	finish();
	ck_assert_ptr_nonnull(strstr(text, "\"recorder\":\"a \\\"test\\\"\""));
	ck_assert_ptr_nonnull(strstr(text, "\"command\":\"prog \\\\ "));
	ck_assert_ptr_nonnull(strstr(text, "d\\\"\\\\name\",\"offset\":0}"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"syscall\":0,\"addr\":\"0x7f0000001100\""));
	ck_assert_ptr_nonnull(strstr(text, "\"ticks\":2,\"syscall\":null,"
					   "\"addr\":\"0x0\",\"object\":"
					   "\"[unknown]\",\"vaddr\":\"0x0\","
					   "\"function\":null,\"offset\":0}"));
	ck_assert_ptr_nonnull(
		strstr(text, "{\"name\":\"a\\\"b\\\\c\","
			     "\"value\":18446744073709551615},\n{\"name\""));
	for (const char *c = text; *c; c++)
		ck_assert((unsigned char)*c >= ' ' || *c == '\n');
	ck_assert_str_eq(text + n_bytes - 3, "]}\n");
}
END_TEST

START_TEST(json_of_nothing_is_whole)
{
	begin_listing(prf_listing_json_new);
	finish();
	ck_assert_ptr_nonnull(
		strstr(text, "\"samples\":[],\n\"figures\":[]}\n"));
}
END_TEST

/* The array of samples is closed by then. */
START_TEST(json_takes_no_sample_behind_a_figure)
{
	static const struct prf_figure figure = {"ticks", 1};

	begin_listing(prf_listing_json_new);
	ck_assert_int_eq(prf_sink_figure(sink, &figure), 0);
	ck_assert_int_eq(give(BEGUN_NS, at, PRF_NO_SYSCALL, 1), -EINVAL);
	finish();
	ck_assert_ptr_nonnull(strstr(
		text, "\"samples\":[],\n\"figures\":[{\"name\":\"ticks\""));
}
END_TEST

START_TEST(events_of_nobody_are_refused)
{
	const struct prf_mapping map = {
		.pid = 4, .kind = PRF_MAPPING_ANON, .size = 1, .path = ""};
	const struct prf_life life = {
		.kind = PRF_LIFE_EXIT, .pid = 4, .name = ""};

	begin_listing(prf_listing_text_new);
	ck_assert_int_eq(sink->ops->mapping(sink, &map), -ESRCH);
	ck_assert_int_eq(prf_sink_life(sink, &life), -ESRCH);
	finish();
	ck_assert_uint_eq(n_bytes, 0);
}
END_TEST

START_TEST(a_full_disk_is_told_at_the_end)
{
	static new_listing *const kinds[] = {prf_listing_text_new,
					     prf_listing_json_new};
	struct prf_error err = {0};

	fclose(out);
	free(text);
	text = NULL;
	out = fopen("/dev/full", "w");
	ck_assert_ptr_nonnull(out);
	begin_listing(kinds[_i]);
	ck_assert_int_eq(give(BEGUN_NS, at, PRF_NO_SYSCALL, 1), 0);
	ck_assert_int_eq(sink->ops->finish(sink, &err), -ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot be written"));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("listing");
	TCase *tcase = tcase_create("listing");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_loop_test(tcase, a_line_says_when_who_how_and_where, 0,
			    sizeof lines / sizeof *lines);
	tcase_add_test(tcase, a_name_cannot_steer_a_terminal);
	tcase_add_test(tcase, json_quotes_what_must_be_quoted);
	tcase_add_test(tcase, json_of_nothing_is_whole);
	tcase_add_test(tcase, json_takes_no_sample_behind_a_figure);
	tcase_add_test(tcase, events_of_nobody_are_refused);
	tcase_add_loop_test(tcase, a_full_disk_is_told_at_the_end, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
