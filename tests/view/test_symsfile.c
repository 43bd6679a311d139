#include "view/gmon/symsfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

#define HEAD "# gmon.syms 1\n"
#define HEAD2 "# gmon.syms 2\n"
#define OBJECT "# object 1000 2000 0 ab /bin/a%20b\n"
#define MAIN "0000000000001000 T main\n"
#define END "0000000000002000 T [end]\n"

START_TEST(objects_and_symbols_are_read)
{
	static const char text[] =
		HEAD OBJECT "# object 100000 100800 ff000 - [vdso]\n" MAIN
			    "0000000000001801 T [a b+0x1801]\n"
			    "0000000000100000 T \xc3\xa9\n"
			    "0000000000100800 T [end]\n";
	/* Names hold no blanks. */
	char good[sizeof text];
	struct prf_syms *syms = NULL;
	struct prf_error err = {0};

	memcpy(good, text, sizeof text);
	memcpy(strstr(good, "[a b+"), "[a_b+", 5);
	ck_assert_msg(!prf_syms_parse(good, strlen(good), &syms, &err), "%s",
		      err.text);
	ck_assert_uint_eq(syms->n_objects, 2);
	ck_assert_uint_eq(syms->objects[0].lo, 0x1000);
	ck_assert_str_eq(syms->objects[0].build_id, "ab");
	ck_assert_str_eq(syms->objects[0].path, "/bin/a%20b");
	ck_assert_uint_eq(syms->objects[1].shift, 0xff000);
	ck_assert_uint_eq(syms->n_symbols, 3);
	ck_assert_uint_eq(syms->symbols[1].addr, 0x1801);
	ck_assert_str_eq(syms->symbols[1].name, "[a_b+0x1801]");
	ck_assert_uint_eq(syms->symbols[2].object, 1);
	prf_syms_free(syms);
}
END_TEST

static const struct bad {
	const char *text, *error;
} bad[] = {
	{"", "line 1:"},
	{"# gmon.syms 3\n", "line 1:"},
	{"# gmon.syms 2\n", "cut"},
	{HEAD2 "# object 1000 2000 0 - /a x\n" END, "line 2:"},
	{HEAD2 "# object 1000 2000 0 - /a 1 2\n" END, "line 2:"},
	{"\n", "line 1:"},
	{"# gmon.syms 1", "line 1:"},
	{HEAD, "cut"},
	{HEAD OBJECT MAIN, "cut"},
	{HEAD OBJECT MAIN "00000000000020", "line 4:"},
	{HEAD OBJECT MAIN END MAIN, "line 5:"},
	{HEAD OBJECT MAIN MAIN END, "line 4: not above"},
	{HEAD OBJECT MAIN OBJECT END, "line 4: an object behind"},
	{HEAD OBJECT OBJECT END, "line 3: an object in the place"},
	{HEAD MAIN END, "line 2: a symbol that is in no object"},
	{HEAD OBJECT "0000000000000fff T low\n" END, "in no object"},
	{HEAD OBJECT "0000000000002000 T high\n" END, "in no object"},
	{HEAD OBJECT "1000 T main\n" END, "line 3:"},
	{HEAD OBJECT "#\n" END, ""},
	{HEAD2 "# command a b c\n" OBJECT "# Too many words T x\n" MAIN
	       "#objects\n" END,
	 ""},
	{HEAD OBJECT END "# comment\n", "line 4: something behind"},
	{HEAD OBJECT "000000000000100g T main\n" END, "line 3:"},
	{HEAD OBJECT "000000000000100A T main\n" END, "line 3:"},
	{HEAD OBJECT "00000000000001000 T main\n" END, "line 3:"},
	{HEAD OBJECT "0000000000001000 t main\n" END, "line 3:"},
	{HEAD OBJECT "0000000000001000 T\n" END, "line 3:"},
	{HEAD OBJECT "0000000000001800 T b\n" MAIN END, "line 4: not above"},
	{HEAD OBJECT "0000000000001000 T a b\n" END, "line 3:"},
	{HEAD OBJECT "0000000000001000 T \n" END, "line 3:"},
	{HEAD OBJECT MAIN "0000000000003000 T [end]\n", "line 4: the end"},
	{HEAD "# object 2000 1000 0 - /a\n" END, "without a place"},
	{HEAD "# object 1000 2000 1 - /a\n" END, "no whole blocks"},
	{HEAD "# object 1000 2000 fffffffffffff800 - /a\n" END, ""},
	{HEAD "# object 1000 2000 1800 - /a\n" END, "beyond all addresses"},
	{HEAD "# object 0 20000 20000 - /a\n" END, "beyond all addresses"},
	{HEAD "# object 1000 2000 0 xy /a\n" END, "line 2:"},
	{HEAD "# object 1000\n" END, "line 2:"},
	{HEAD "# object 1000 2000 0 -\n" END, "line 2:"},
	{HEAD "# object 1000 2000 0 - \n" END, "line 2:"},
	{HEAD "# object 1000 2000 0 - /a b\n" END, "line 2:"},
	{HEAD "# object 11111111111111111 2 0 - /a\n" END, "line 2:"},
	{HEAD "# object 1000 1010 0 - /a\n# object 1020 2000 0 - /b\n" END,
	 "line 3: an object in the place"},
};

START_TEST(a_list_tells_which_objects_were_executed)
{
	static const char objects[] = "# object 1000 2000 0 - /a\n"
				      "# object 100000 101000 ff000 - /b\n";
	static const char executed[] =
		HEAD2 "# object 1000 2000 0 - /a\n"
		      "# object 100000 101000 ff000 - /b 0\n"
		      "# object 200000 201000 ff000 - /c ffffffffff\n"
		      "0000000000201000 T [end]\n";
	char old[256];
	struct prf_syms *syms;

	snprintf(old, sizeof old, HEAD "%s0000000000101000 T [end]\n", objects);
	ck_assert_int_eq(prf_syms_parse(old, strlen(old), &syms, NULL), 0);
	ck_assert_int_eq(syms->version, 1);
	ck_assert(syms->objects[0].is_program);
	ck_assert(!syms->objects[1].is_program);
	prf_syms_free(syms);
	ck_assert_int_eq(
		prf_syms_parse(executed, sizeof executed - 1, &syms, NULL), 0);
	ck_assert_int_eq(syms->version, 2);
	ck_assert(!syms->objects[0].is_program);
	ck_assert(syms->objects[1].is_program);
	ck_assert_uint_eq(syms->objects[1].program_ticks, 0);
	ck_assert(syms->objects[2].is_program);
	ck_assert_uint_eq(syms->objects[2].program_ticks, 0xffffffffff);
	ck_assert_str_eq(syms->objects[2].path, "/c");
	prf_syms_free(syms);
}
END_TEST

START_TEST(what_is_no_list_is_refused_with_its_line)
{
	const struct bad *b = &bad[_i];
	struct prf_syms *syms = NULL;
	struct prf_error err = {0};
	int rc = prf_syms_parse(b->text, strlen(b->text), &syms, &err);

	/* A shift below 0 is a good one. */
	ck_assert_int_eq(rc, *b->error ? -EBADMSG : 0);
	ck_assert_msg(strstr(err.text, b->error), "%s: %s", b->text, err.text);
	ck_assert(!syms == !!rc);
	prf_syms_free(syms);
}
END_TEST

START_TEST(a_nul_hides_nothing)
{
	char text[] = HEAD OBJECT MAIN END;
	struct prf_syms *syms = NULL;

	*strstr(text, "ain\n") = '\0';
	ck_assert_int_eq(prf_syms_parse(text, sizeof text - 1, &syms, NULL),
			 -EBADMSG);
}
END_TEST

/* What a program with a name of N bytes has for a list. */
static char *
list_with_name_of(size_t n, size_t *n_bytes)
{
	char *text = malloc(n + 256);

	ck_assert_ptr_nonnull(text);
	char *name = stpcpy(text, HEAD OBJECT "0000000000001000 T ");
	memset(name, 'x', n);
	strcpy(name + n, "\n" END);
	*n_bytes = strlen(text);
	return text;
}

START_TEST(a_line_has_16382_bytes_at_most)
{
	static const size_t line_bytes[] = {16381, 16382, 16383, 1000000};
	size_t head = strlen("0000000000001000 T ");

	for (size_t i = 0; i < sizeof line_bytes / sizeof *line_bytes; i++) {
		bool is_good = line_bytes[i] <= 16382;
		size_t n_bytes;
		char *text = list_with_name_of(line_bytes[i] - head, &n_bytes);
		struct prf_syms *syms = NULL;
		struct prf_error err = {0};

		ck_assert_int_eq(prf_syms_parse(text, n_bytes, &syms, &err),
				 is_good ? 0 : -EBADMSG);
		ck_assert(is_good || strstr(err.text, "line 3: "));
		prf_syms_free(syms);
		free(text);
	}
}
END_TEST

START_TEST(more_than_16_million_lines_are_refused)
{
	size_t n_bytes = sizeof HEAD - 1 + (1 << 24);
	char *text = malloc(n_bytes);
	struct prf_syms *syms = NULL;

	ck_assert_ptr_nonnull(text);
	memset(text, '\n', n_bytes);
	memcpy(text, HEAD, sizeof HEAD - 1);
	ck_assert_int_eq(prf_syms_parse(text, n_bytes, &syms, NULL), -EFBIG);
	/* One less is wrong in another way. */
	ck_assert_int_eq(prf_syms_parse(text, n_bytes - 1, &syms, NULL),
			 -EBADMSG);
	free(text);
}
END_TEST

static const struct {
	uint64_t addr;
	const char *name; /* NULL: none */
} places[] = {
	{0, NULL},
	{0xfff, NULL},
	{0x1000, NULL}, /* its object's first symbol is behind it */
	{0x1100, "main"},
	{0x13ff, "main"},
	{0x1400, "[a+0x1400]"},
	{0x1fff, "[a+0x1400]"},
	{0x2000, NULL}, /* between objects */
	{0x100000, "[kernel]:read"},
	{0x10000f, "[kernel]:read"},
	{0x100010, NULL}, /* [end] is none */
	{UINT64_MAX, NULL},
};

START_TEST(an_address_has_the_symbol_before_it_in_its_object)
{
	static const char text[] =
		HEAD OBJECT "# object 100000 100010 100000 - [kernel]\n"
			    "0000000000001100 T main\n"
			    "0000000000001400 T [a+0x1400]\n"
			    "0000000000100000 T [kernel]:read\n"
			    "0000000000100010 T [end]\n";
	struct prf_syms *syms = NULL;

	ck_assert_int_eq(prf_syms_parse(text, sizeof text - 1, &syms, NULL), 0);
	const struct prf_syms_symbol *symbol =
		prf_syms_at(syms, places[_i].addr);
	ck_assert_pstr_eq(symbol ? symbol->name : NULL, places[_i].name);
	prf_syms_free(syms);
}
END_TEST

START_TEST(a_list_without_symbols_has_none_anywhere)
{
	static const char text[] = HEAD OBJECT END;
	struct prf_syms *syms = NULL;

	ck_assert_int_eq(prf_syms_parse(text, sizeof text - 1, &syms, NULL), 0);
	ck_assert_ptr_null(prf_syms_at(syms, 0x1000));
	prf_syms_free(syms);
}
END_TEST

static const struct {
	const char *path, *decoded;
} paths[] = {
	{"/bin/a%20b", "/bin/a b"},
	{"%2fa%25", "/a%"},
	{"/%c3%a9", "/\xc3\xa9"},
	{"/%0a", "/\n"},
	{"", ""},
	/* What stands for no byte stays. */
	{"/100%", "/100%"},
	{"/%2", "/%2"},
	{"/%2G%zz", "/%2G%zz"},
	{"/%%20", "/% "},
	{"/a%00b", "/a%00b"},
};

START_TEST(a_path_is_decoded)
{
	const struct prf_syms_object object = {.path = paths[_i].path};
	char *path = prf_syms_decode_path(&object);

	ck_assert_str_eq(path, paths[_i].decoded);
	free(path);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("symsfile");
	TCase *tcase = tcase_create("symsfile");

	tcase_add_test(tcase, objects_and_symbols_are_read);
	tcase_add_test(tcase, a_list_tells_which_objects_were_executed);
	tcase_add_loop_test(tcase, what_is_no_list_is_refused_with_its_line, 0,
			    sizeof bad / sizeof *bad);
	tcase_add_test(tcase, a_nul_hides_nothing);
	tcase_add_test(tcase, a_line_has_16382_bytes_at_most);
	tcase_add_test(tcase, more_than_16_million_lines_are_refused);
	tcase_add_loop_test(tcase,
			    an_address_has_the_symbol_before_it_in_its_object,
			    0, sizeof places / sizeof *places);
	tcase_add_test(tcase, a_list_without_symbols_has_none_anywhere);
	tcase_add_loop_test(tcase, a_path_is_decoded, 0,
			    sizeof paths / sizeof *paths);
	suite_add_tcase(suite, tcase);
	return suite;
}
