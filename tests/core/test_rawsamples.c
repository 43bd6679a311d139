#include "core/rawsamples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "support/suite.h"

static FILE *raw, *maps;
static struct prf_sink *sink;

static void
begin(int64_t max_samples)
{
	struct prf_error err;

	raw = tmpfile();
	maps = tmpfile();
	ck_assert_int_eq(
		prf_rawsamples_sink_new(raw, maps, max_samples, &sink, &err),
		0);
}

static void
give_exec(uint8_t addr_bytes)
{
	const struct prf_exec exec = {
		.pid = 77,
		.path = "/bin/new\nline",
		.command = "x -y",
		.addr_bytes = addr_bytes,
	};

	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
}

static int
give(uint64_t addr, uint32_t ticks)
{
	const struct prf_frame frames[] = {{addr, PRF_FRAME_PC},
					   {99, PRF_FRAME_RETURN}};
	const struct prf_sample sample = {
		.ticks = ticks,
		.syscall = 3,
		.n_frames = 2,
		.frames = frames,
	};

	return sink->ops->sample(sink, &sample);
}

/* What is in FILE, as text; and how many bytes. */
static char *
contents(FILE *file, size_t *n_bytes)
{
	static char text[4096];

	rewind(file);
	*n_bytes = fread(text, 1, sizeof text - 1, file);
	text[*n_bytes] = '\0';
	return text;
}

static void
check_stored(size_t addr_bytes, size_t n, const void *want)
{
	struct prf_error err;
	size_t n_bytes;

	ck_assert_int_eq(sink->ops->finish(sink, &err), 0);
	ck_assert_uint_eq(prf_rawsamples_sink_stats(sink).stored, n);
	ck_assert_uint_eq(prf_rawsamples_sink_stats(sink).addr_bytes,
			  addr_bytes);
	const char *got = contents(raw, &n_bytes);
	ck_assert_uint_eq(n_bytes, n * addr_bytes);
	ck_assert_mem_eq(got, want, n_bytes);
}

static void
end(void)
{
	sink->ops->free(sink);
	fclose(raw);
	fclose(maps);
}

START_TEST(there_is_a_pointer_for_each_tick)
{
	static const uint64_t want[] = {0x7f0000001234, 5, 5, 5, 7};

	begin(INT64_MAX);
	give_exec(8);
	ck_assert_int_eq(give(0x7f0000001234, 1), 0);
	ck_assert_int_eq(give(5, 3), 0);
	ck_assert_int_eq(give(7, 1), 0);
	check_stored(8, 5, want);
	end();
}
END_TEST

START_TEST(pointers_are_as_wide_as_the_programs)
{
	static const uint32_t want[] = {0xfffffffe, 5};

	begin(INT64_MAX);
	give_exec(4);
	ck_assert_int_eq(give(0xfffffffe, 1), 0);
	ck_assert_int_eq(give(0x100000000, 1), -EOVERFLOW);
	ck_assert_int_eq(give(5, 1), 0);
	check_stored(4, 2, want);
	end();
}
END_TEST

START_TEST(when_it_is_full_it_is_off)
{
	static const uint64_t want[] = {1, 2, 2};

	begin(3);
	ck_assert_int_eq(give(1, 1), 0);
	ck_assert_int_eq(give(2, 4), 0);
	ck_assert_int_eq(give(3, 1), 0);
	ck_assert_uint_eq(prf_rawsamples_sink_stats(sink).unstored, 3);
	check_stored(8, 3, want);
	end();
}
END_TEST

START_TEST(a_negative_number_of_samples_is_refused)
{
	struct prf_error err;

	ck_assert_int_eq(prf_rawsamples_sink_new(stdout, NULL, -1, &sink, &err),
			 -EINVAL);
}
END_TEST

START_TEST(the_text_says_what_lay_where_from_which_sample_on)
{
	static const uint8_t build_id[] = {0xab, 0x01};
	struct prf_mapping map = {
		.addr = 0x555555554000,
		.size = 0x2000,
		.file_off = 0x1000,
		.dev = makedev(8, 17),
		.inode = 4711,
		.path = "/bin/a b\n",
		.build_id = build_id,
		.build_id_bytes = sizeof build_id,
	};
	struct prf_error err;
	size_t n_bytes;

	begin(INT64_MAX);
	give_exec(8);
	sink->ops->mapping(sink, &map);
	give(1, 2);
	map.deleted = 1;
	map.build_id_bytes = 0;
	sink->ops->mapping(sink, &map);
	map = (struct prf_mapping){.kind = PRF_MAPPING_NONE,
				   .addr = UINT64_MAX - 0xfff,
				   .size = 0x1000,
				   .path = ""};
	sink->ops->mapping(sink, &map);
	ck_assert_int_eq(sink->ops->finish(sink, &err), 0);
	ck_assert_str_eq(
		contents(maps, &n_bytes),
		"# sample 0\n"
		"# process 77: /bin/new\\012line: x -y\n"
		"# build-id ab01\n"
		"555555554000-555555556000 r-xp 00001000 08:11 4711 /bin/a "
		"b\\012\n"
		"# sample 2\n"
		"555555554000-555555556000 r-xp 00001000 08:11 4711 /bin/a "
		"b\\012 (deleted)\n"
		"fffffffffffff000-ffffffffffffffff ---p 00000000 00:00 0\n");
	end();
}
END_TEST

START_TEST(a_full_disk_is_said_at_the_end_at_the_latest)
{
	FILE *full = fopen("/dev/full", "w");
	struct prf_error err;
	int rc = 0;

	ck_assert_int_eq(
		prf_rawsamples_sink_new(full, NULL, INT64_MAX, &sink, &err), 0);
	for (int i = 0; i < 10000 && !rc; i++)
		rc = give(1, 1);
	ck_assert_int_eq(rc, -ENOSPC);
	ck_assert_int_eq(sink->ops->finish(sink, &err), -ENOSPC);
	ck_assert_ptr_nonnull(strstr(err.text, "No space"));
	sink->ops->free(sink);
	fclose(full);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("rawsamples");
	TCase *tcase = tcase_create("rawsamples");

	tcase_add_test(tcase, there_is_a_pointer_for_each_tick);
	tcase_add_test(tcase, pointers_are_as_wide_as_the_programs);
	tcase_add_test(tcase, when_it_is_full_it_is_off);
	tcase_add_test(tcase, a_negative_number_of_samples_is_refused);
	tcase_add_test(tcase,
		       the_text_says_what_lay_where_from_which_sample_on);
	tcase_add_test(tcase, a_full_disk_is_said_at_the_end_at_the_latest);
	suite_add_tcase(suite, tcase);
	return suite;
}
