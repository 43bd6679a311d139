#include "view/pprof/cpuprofile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/sample_sink.h"
#include "support/suite.h"

/* --- A file, word by word */

static uint8_t bytes[1024];
static size_t n_bytes, word_bytes;
static bool big_endian;

static void
begin(size_t bytes_of_word, bool big)
{
	n_bytes = 0;
	word_bytes = bytes_of_word;
	big_endian = big;
}

static void
put(uint64_t word)
{
	for (size_t i = 0; i < word_bytes; i++) {
		size_t at = big_endian ? word_bytes - 1 - i : i;

		bytes[n_bytes + at] = (uint8_t)(word >> 8 * i);
	}
	n_bytes += word_bytes;
}

static void
put_all(const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(words[i]);
}

#define PUT(...)                                                               \
	put_all((const uint64_t[]){__VA_ARGS__},                               \
		sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void
put_text(const char *text)
{
	memcpy(bytes + n_bytes, text, strlen(text));
	n_bytes += strlen(text);
}

static void
put_usual(void)
{
	PUT(0, 3, 0, 4000, 0);
	PUT(7, 3, 0x1010, 0x1020, 0x1030);
	PUT(1, 1, 0x2000);
	PUT(0, 1, 0);
	put_text("1000-2000 r-xp 0 08:01 5 /bin/prog\n"
		 "3000-4000 rw-p 0 08:01 5 /bin/prog\n"
		 "7000-8000 r-xp 1000 08:01 6 /lib/libc.so\n");
}

/* --- What is told */

static char told[512];
static uint8_t addr_bytes;

static void
tell(const char *text)
{
	snprintf(told + strlen(told), sizeof told - strlen(told), "%s ", text);
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	(void)sink;
	addr_bytes = exec->addr_bytes;
	tell(exec->path);
	return 0;
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	ck_assert_int_eq(map->pid, PRF_CPUPROFILE_PID);
	tell(map->path);
	return 0;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	char text[64];

	(void)sink;
	ck_assert_int_eq(sample->frames[0].kind, PRF_FRAME_PC);
	snprintf(text, sizeof text, "%" PRIu32 ":", sample->ticks);
	for (uint32_t i = 0; i < sample->n_frames; i++) {
		ck_assert(!i || sample->frames[i].kind == PRF_FRAME_RETURN);
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "%" PRIx64 ",", sample->frames[i].addr);
	}
	tell(text);
	return 0;
}

static const struct prf_sink_ops ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.finish = prf_sample_sink_finish,
	.free = prf_sample_sink_free,
};

static int
play(size_t n, struct prf_error *err)
{
	struct prf_sink sink = {&ops};

	*told = '\0';
	return prf_cpuprofile_play(bytes, n, &sink, err);
}

static void
check_refused(const char *why)
{
	struct prf_error err;

	ck_assert_int_eq(play(n_bytes, &err), -EBADMSG);
	ck_assert_msg(strstr(err.text, why), "%s", err.text);
}

/* --- */

START_TEST(each_stack_comes_with_its_ticks_on_any_machine)
{
	struct prf_error err = {0};

	begin(_i < 2 ? 8 : 4, _i % 2);
	put_usual();
	ck_assert(prf_cpuprofile_is_it(bytes, n_bytes));
	ck_assert_uint_eq(prf_cpuprofile_rate_hz(bytes, n_bytes), 250);
	ck_assert_msg(!play(n_bytes, &err), "%s", err.text);
	ck_assert_str_eq(told, "/bin/prog /bin/prog /lib/libc.so "
			       "7:1010,1020,1030, 1:2000, ");
	ck_assert_uint_eq(addr_bytes, word_bytes);
}
END_TEST

START_TEST(a_longer_header_is_passed)
{
	struct prf_error err;

	begin(8, false);
	PUT(0, 4, 0, 10000, 0, 99, 1, 1, 0x10, 0, 1, 0);
	ck_assert_int_eq(play(n_bytes, &err), 0);
	ck_assert_str_eq(told, " 1:10, ");
}
END_TEST

START_TEST(what_is_cut_anywhere_is_refused)
{
	struct prf_error err;

	begin(8, false);
	put_usual();
	size_t end = n_bytes - strlen(strstr((char *)bytes + 128, "1000-"));
	for (size_t n = 0; n < end; n++)
		ck_assert_int_eq(play(n, &err), -EBADMSG);
	ck_assert_int_eq(play(end, &err), 0);
	ck_assert_int_eq(play(n_bytes - 3, &err), -EBADMSG);
}
END_TEST

START_TEST(stacks_that_nobody_has_are_refused)
{
	begin(8, false);
	PUT(0, 3, 0, 10000, 0, 1, UINT64_MAX / 4, 1, 0, 1, 0);
	check_refused("more than the file has");
	begin(8, false);
	PUT(0, 3, 0, 10000, 0, 1, 0, 0, 1, 0);
	check_refused("more than the file has");
	begin(8, false);
	PUT(0, 3, 0, 10000, 0, UINT64_C(1) << 32, 1, 1, 0, 1, 0);
	check_refused("more than any program has");
}
END_TEST

START_TEST(other_files_are_none)
{
	static const uint64_t headers[][5] = {
		{0, 3, 1, 10000, 0}, {1, 3, 0, 10000, 0},   {0, 2, 0, 10000, 0},
		{0, 3, 0, 0, 0},     {0, 3, 0, 1 << 31, 0},
	};

	begin(8, false);
	put_all(headers[_i], 5);
	ck_assert(!prf_cpuprofile_is_it(bytes, n_bytes));
	ck_assert_uint_eq(prf_cpuprofile_rate_hz(bytes, n_bytes), 0);
	check_refused("no CPU profile");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("cpuprofile");
	TCase *tcase = tcase_create("cpuprofile");

	tcase_add_loop_test(
		tcase, each_stack_comes_with_its_ticks_on_any_machine, 0, 4);
	tcase_add_test(tcase, a_longer_header_is_passed);
	tcase_add_test(tcase, what_is_cut_anywhere_is_refused);
	tcase_add_test(tcase, stacks_that_nobody_has_are_refused);
	tcase_add_loop_test(tcase, other_files_are_none, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}
