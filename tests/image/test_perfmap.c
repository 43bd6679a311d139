#include "image/perfmap.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prf_perfmap *
parse_bytes(const char *text, size_t size)
{
	struct prf_perfmap *map = NULL;
	char *copy = malloc(size + 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, size);
	ck_assert_int_eq(prf_perfmap_parse(copy, size, &map, NULL), 0);
	return map;
}

static struct prf_perfmap *
parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static const char *
name_at(const struct prf_perfmap *map, uint64_t addr)
{
	const struct prf_perfmap_entry *entry = prf_perfmap_at(map, addr);

	return entry ? entry->name : "";
}

START_TEST(an_address_finds_its_entry)
{
	struct prf_perfmap *map = parse("7f001000 20 LazyCompile:*f /x.js:1\n"
					"0x7f000000 0X10 Builtin:g\n");

	ck_assert_str_eq(name_at(map, 0x7f001000), "LazyCompile:*f /x.js:1");
	ck_assert_str_eq(name_at(map, 0x7f00101f), "LazyCompile:*f /x.js:1");
	ck_assert_str_eq(name_at(map, 0x7f001020), "");
	ck_assert_str_eq(name_at(map, 0x7f00000f), "Builtin:g");
	ck_assert_str_eq(name_at(map, 0), "");
	ck_assert_uint_eq(prf_perfmap_at(map, 0x7f001001)->addr, 0x7f001000);
	ck_assert_uint_eq(prf_perfmap_at(map, 0x7f001001)->size, 0x20);
	prf_perfmap_drop(map);
}
END_TEST

START_TEST(where_entries_overlap_the_later_line_wins)
{
	struct prf_perfmap *map = parse("1000 100 first\n"
					"1040 20 inside\n"
					"10f0 100 over the end\n"
					"1000 100 again\n"
					"1080 8 last\n");

	ck_assert_str_eq(name_at(map, 0x1000), "again");
	ck_assert_str_eq(name_at(map, 0x1050), "again");
	ck_assert_str_eq(name_at(map, 0x1087), "last");
	ck_assert_str_eq(name_at(map, 0x1088), "again");
	ck_assert_str_eq(name_at(map, 0x10ff), "again");
	ck_assert_str_eq(name_at(map, 0x1100), "over the end");
	ck_assert_str_eq(name_at(map, 0x11f0), "");
	prf_perfmap_drop(map);
}
END_TEST

START_TEST(lines_that_are_none_are_left_out)
{
	struct prf_perfmap *map = parse("\n"
					"xyz\n"
					"1000 10\n"
					"1000 10 \n"
					"1000 0 empty\n"
					"1000 g name\n"
					"ffffffffffffffff 2 wraps\n"
					"11112222333344445 1 too long\n"
					"1000 10 good\r\n");

	ck_assert_str_eq(name_at(map, 1), "");
	ck_assert_str_eq(name_at(map, UINT64_MAX), "");
	ck_assert_str_eq(name_at(map, 0x1112222333344445), "");
	ck_assert_str_eq(name_at(map, 0x1000), "good");
	prf_perfmap_drop(map);
}
END_TEST

START_TEST(a_file_that_is_cut_is_good_up_to_there)
{
	static const char text[] = "1000 10 one\n2000 10 two\n";

	for (size_t size = 0; size < sizeof text; size++) {
		struct prf_perfmap *map = parse_bytes(text, size);

		ck_assert_str_eq(name_at(map, 0x1000), size < 12 ? "" : "one");
		ck_assert_str_eq(name_at(map, 0x2000), size < 24 ? "" : "two");
		prf_perfmap_drop(map);
	}
}
END_TEST

START_TEST(random_entries_agree_with_painting_them)
{
	enum { N = 40, SPACE = 256 };
	char text[N * 32];
	int painted[SPACE];
	size_t size = 0;

	srand((unsigned)_i);
	memset(painted, -1, sizeof painted);
	for (int i = 0; i < N; i++) {
		int at = rand() % SPACE, n = 1 + rand() % 60;

		if (at + n > SPACE)
			n = SPACE - at;
		size += (size_t)sprintf(text + size, "%x %x %d\n", at + 1, n,
					i);
		for (int j = at; j < at + n; j++)
			painted[j] = i;
	}
	struct prf_perfmap *map = parse(text);
	for (int i = 0; i < SPACE; i++) {
		const char *name = name_at(map, (uint64_t)i + 1);

		ck_assert_int_eq(*name ? atoi(name) : -1, painted[i]);
	}
	prf_perfmap_drop(map);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("perfmap");
	TCase *tcase = tcase_create("perfmap");

	tcase_add_test(tcase, an_address_finds_its_entry);
	tcase_add_test(tcase, where_entries_overlap_the_later_line_wins);
	tcase_add_test(tcase, lines_that_are_none_are_left_out);
	tcase_add_test(tcase, a_file_that_is_cut_is_good_up_to_there);
	tcase_add_loop_test(tcase, random_entries_agree_with_painting_them, 0,
			    200);
	suite_add_tcase(suite, tcase);
	return suite;
}
