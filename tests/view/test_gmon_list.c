#include "view/gmon/gmon_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

#define HEAD "# gmon.syms 1\n"

static struct prf_profile *profile;
static struct prf_gmon_list list;

static void
setup(void)
{
	profile = prf_profile_new();
	ck_assert_ptr_nonnull(profile);
}

static void
teardown(void)
{
	prf_gmon_list_clear(&list);
	prf_profile_free(profile);
}

static int
read_text(const char *text, struct prf_error *err)
{
	prf_gmon_list_clear(&list);
	return prf_gmon_list_read(&list, profile, text, strlen(text), err);
}

/* The binary of the only object, [LO, LO + 0x1000) of gmon.out, SHIFT above its
 * own addresses. */
static struct prf_binary *
read_one(unsigned lo, unsigned shift, const char *build_id, const char *path)
{
	struct prf_error err = {0};
	char text[512];

	snprintf(text, sizeof text,
		 HEAD "# object %x %x %x %s %s\n%016x T f\n%016x T [end]\n", lo,
		 lo + 0x1000, shift, build_id, path, lo, lo + 0x1000);
	ck_assert_msg(!read_text(text, &err), "%s", err.text);
	return list.binaries[0];
}

/* --- Which binary it is */

START_TEST(a_binary_is_the_same_wherever_it_lies_and_whatever_its_path)
{
	struct prf_binary *one = read_one(0x2000, 0, "ab", "/b");

	ck_assert(one->is_program);
	ck_assert_ptr_eq(read_one(0x4000, 0, "ab", "/a"), one);
	ck_assert_ptr_eq(read_one(0x1000, 0, "ab", "/c"), one);
	ck_assert_ptr_eq(read_one(0x102000, 0x100000, "ab", "/c"), one);
	ck_assert_uint_eq(profile->n_binaries, 1);
	/* The first of its paths, and all that it has been. */
	ck_assert_str_eq(one->path, "/a");
	ck_assert_str_eq(one->name, "a");
	ck_assert_uint_eq(one->lo, 0x1000);
	ck_assert_uint_eq(one->hi, 0x5000);
	ck_assert(one->is_program);
}
END_TEST

START_TEST(without_a_build_id_a_binary_has_its_path_and_its_text)
{
	struct prf_binary *one = read_one(0x1000, 0, "-", "/a");

	ck_assert_ptr_eq(read_one(0x1000, 0, "-", "/a"), one);
	ck_assert_ptr_eq(read_one(0x101000, 0x100000, "-", "/a"), one);
	ck_assert_ptr_ne(read_one(0x2000, 0, "-", "/a"), one);
	ck_assert_ptr_ne(read_one(0x1000, 0, "-", "/b"), one);
	ck_assert_ptr_ne(read_one(0x1000, 0, "ab", "/a"), one);
	ck_assert_uint_eq(profile->n_binaries, 4);
}
END_TEST

START_TEST(a_build_id_is_read_byte_by_byte)
{
	struct prf_binary *one = read_one(0x1000, 0, "0abcff", "/a");

	ck_assert_uint_eq(one->build_id_bytes, 3);
	ck_assert_mem_eq(one->build_id, "\x0a\xbc\xff", 3);
	ck_assert_ptr_ne(read_one(0x1000, 0, "0abcfe", "/a"), one);
	ck_assert_ptr_ne(read_one(0x1000, 0, "0abc", "/a"), one);
}
END_TEST

static const struct {
	unsigned lo, shift;
	bool is_program;
} places[] = {
	{0x1000, 0, true},
	{0x101000, 0x100000, false},
};

START_TEST(the_program_is_at_its_own_addresses)
{
	struct prf_binary *one =
		read_one(places[_i].lo, places[_i].shift, "ab", "/a");

	ck_assert(one->is_program == places[_i].is_program);
	ck_assert_uint_eq(one->lo, 0x1000);
	ck_assert_uint_eq(one->hi, 0x2000);
}
END_TEST

static const struct {
	const char *path;
	enum prf_binary_kind kind;
	enum prf_binary_form form;
} kinds[] = {
	{"/bin/a%20b", PRF_BINARY_FILE, PRF_BINARY_BY_ADDRESS},
	{"[vdso]", PRF_BINARY_VDSO, PRF_BINARY_BY_ADDRESS},
	{"[jit]", PRF_BINARY_JIT, PRF_BINARY_BY_NAME},
	{"[kernel]", PRF_BINARY_KERNEL, PRF_BINARY_BY_NAME},
	{"[unknown]", PRF_BINARY_UNKNOWN, PRF_BINARY_BY_NAME},
};

START_TEST(what_is_no_file_is_known_by_its_name)
{
	struct prf_binary *one =
		read_one(0x101000, 0x100000, "-", kinds[_i].path);

	ck_assert_int_eq(one->kind, kinds[_i].kind);
	ck_assert_int_eq(one->form, kinds[_i].form);
	ck_assert_str_eq(one->path, _i ? "" : "/bin/a b");
	ck_assert_str_eq(one->name, _i ? kinds[_i].path : "a b");
	/* Names alone are nothing that is counted yet. */
	ck_assert_uint_eq(one->names.n, 0);
	ck_assert_uint_eq(one->symbols.n,
			  kinds[_i].form == PRF_BINARY_BY_ADDRESS);
}
END_TEST

/* --- Its names */

static const char two[] = HEAD "# object 1000 2000 0 - /bin/app\n"
			       "# object 101000 102000 100000 01 /lib/lib\n"
			       "# object 200000 200020 200000 - [kernel]\n"
			       "# object 300000 300010 300000 - [jit]\n"
			       "0000000000001000 T main\n"
			       "0000000000001400 T [kernel]:x\n"
			       "0000000000101008 T work\n"
			       "0000000000200000 T [kernel]:read\n"
			       "0000000000200010 T other\n"
			       "0000000000300000 T [kernel]:y\n"
			       "0000000000300010 T [end]\n";

START_TEST(symbols_are_at_their_own_addresses)
{
	ck_assert_int_eq(read_text(two, NULL), 0);
	const struct prf_symbol_list *app = &list.binaries[0]->symbols;
	const struct prf_symbol_list *lib = &list.binaries[1]->symbols;

	ck_assert_uint_eq(app->n, 2);
	ck_assert_uint_eq(app->all[1].vaddr, 0x1400);
	ck_assert_str_eq(app->all[1].name, "[kernel]:x");
	ck_assert_uint_eq(lib->n, 1);
	ck_assert_uint_eq(lib->all[0].vaddr, 0x1008);
	ck_assert_str_eq(lib->all[0].name, "work");
}
END_TEST

START_TEST(system_calls_lose_the_name_of_the_kernel_and_others_keep_it)
{
	static const char *const names[] = {"main", "[kernel]:x", "work",
					    "read", "other",      "[kernel]:y"};

	ck_assert_int_eq(read_text(two, NULL), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_str_eq(prf_gmon_list_name(&list, i), names[i]);
}
END_TEST

START_TEST(lists_of_one_binary_add_up_to_all_its_names)
{
	static const char *const texts[] = {
		HEAD "# object 1000 2000 0 01 /a\n0000000000001000 T f\n"
		     "0000000000001800 T h\n0000000000002000 T [end]\n",
		HEAD "# object 1000 2000 0 01 /a\n0000000000001400 T g\n"
		     "0000000000001800 T alias\n0000000000002000 T [end]\n",
	};
	static const char *const names[] = {"f", "g", "alias"};

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(read_text(texts[i ^ _i], NULL), 0);
	const struct prf_symbol_list *all = &list.binaries[0]->symbols;
	ck_assert_uint_eq(all->n, 3);
	for (uint64_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(all->all[i].vaddr, 0x1000 + 0x400 * i);
		ck_assert_str_eq(all->all[i].name, names[i]);
	}
}
END_TEST

static const struct {
	const char *build_id, *path, *symbol;
	bool is_one_name;
} blobs[] = {
	{"-", "/lib/blob", "[blob]", true},
	{"-", "/lib/my%20blob", "[my_blob]", true},
	{"-", "[vdso]", "[vdso]", true},
	{"01", "/lib/blob", "[blob]", false},
	{"-", "/lib/blob", "blob", false},
	{"-", "/lib/blob", "[blob+0x1000]", false},
	{"-", "/lib/blob", "[blub]", false},
	{"-", "[vdso]", "vdso", false},
};

START_TEST(a_file_that_was_not_read_has_its_own_name_alone)
{
	char text[512];

	snprintf(text, sizeof text,
		 HEAD "# object 101000 102000 100000 %s %s\n"
		      "0000000000101000 T %s\n0000000000102000 T [end]\n",
		 blobs[_i].build_id, blobs[_i].path, blobs[_i].symbol);
	ck_assert_int_eq(read_text(text, NULL), 0);
	const struct prf_binary *one = list.binaries[0];
	ck_assert(one->is_offsets == blobs[_i].is_one_name);
	ck_assert_uint_eq(one->symbols.all[0].vaddr,
			  blobs[_i].is_one_name ? 0 : 0x1000);
}
END_TEST

/* --- Addresses */

START_TEST(an_address_is_in_a_binary_or_by_a_name)
{
	struct prf_arc_end end;

	ck_assert_int_eq(read_text(two, NULL), 0);
	ck_assert_int_eq(prf_gmon_list_end(&list, 0x1fff, &end, NULL), 0);
	ck_assert_ptr_eq(end.binary, list.binaries[0]);
	ck_assert_uint_eq(end.vaddr, 0x1fff);
	ck_assert_int_eq(prf_gmon_list_end(&list, 0x101010, &end, NULL), 0);
	ck_assert_ptr_eq(end.binary, list.binaries[1]);
	ck_assert_uint_eq(end.vaddr, 0x1010);
	ck_assert_int_eq(prf_gmon_list_end(&list, 0x20001f, &end, NULL), 0);
	ck_assert_ptr_eq(end.binary, list.binaries[2]);
	ck_assert_str_eq(end.binary->names.all[end.vaddr].text, "other");
	ck_assert_int_eq(prf_gmon_list_end(&list, 0x200001, &end, NULL), 0);
	ck_assert_str_eq(end.binary->names.all[end.vaddr].text, "read");
	ck_assert_uint_eq(end.binary->names.n, 2);
}
END_TEST

static const uint64_t nowhere[] = {0,        0xfff,    0x2000,    0x100fff,
				   0x102000, 0x300010, UINT64_MAX};

START_TEST(an_address_in_nothing_is_refused)
{
	struct prf_error err = {0};
	struct prf_arc_end end;
	char at[32];

	ck_assert_int_eq(read_text(two, NULL), 0);
	ck_assert_int_eq(prf_gmon_list_end(&list, nowhere[_i], &end, &err),
			 -EBADMSG);
	snprintf(at, sizeof at, "0x%llx,", (unsigned long long)nowhere[_i]);
	ck_assert_msg(strstr(err.text, at), "%s", err.text);
}
END_TEST

static const char *const bad_lists[] = {
	"",
	"\n",
	"gmon",
	HEAD,
	"# gmon.syms 3\n0000000000001000 T [end]\n",
	HEAD "0000000000001000 T first\n",
	HEAD "first\n0000000000001000 T [end]\n",
};

START_TEST(a_list_that_is_none_is_refused)
{
	struct prf_error err = {0};

	ck_assert_int_eq(read_text(bad_lists[_i], &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.text, "its list of symbols: line "));
	ck_assert_uint_eq(profile->n_binaries, 0);
}
END_TEST

/* A list of so many objects, a block each; to be free()d. */
static char *
list_of(uint64_t n_objects)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs(HEAD, out);
	for (uint64_t i = 0; i < n_objects; i++)
		fprintf(out,
			"# object %" PRIx64 " %" PRIx64 " 0 - /%" PRIu64 "\n",
			i << 10, (i + 1) << 10, i);
	fprintf(out, "%016" PRIx64 " T [end]\n", n_objects << 10);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(a_list_of_very_many_objects_is_refused)
{
	struct prf_error err = {0};
	char *text = list_of((1 << 18) + 1);

	ck_assert_int_eq(read_text(text, &err), -EFBIG);
	ck_assert_str_eq(err.text,
			 "its list of symbols: more than 262144 objects");
	ck_assert_uint_eq(profile->n_binaries, 0);
	free(text);
}
END_TEST

START_TEST(an_address_is_found_among_many_objects)
{
	enum { N_OBJECTS = 100 };
	char *text = list_of(N_OBJECTS);

	ck_assert_int_eq(read_text(text, NULL), 0);
	for (uint64_t i = 0; i < N_OBJECTS; i++)
		for (uint64_t in = 0; in < 1024; in += 1023) {
			struct prf_arc_end end;

			ck_assert_int_eq(prf_gmon_list_end(&list,
							   (i << 10) + in, &end,
							   NULL),
					 0);
			ck_assert_ptr_eq(end.binary, list.binaries[i]);
			ck_assert_uint_eq(end.vaddr, (i << 10) + in);
		}
	free(text);
}
END_TEST

START_TEST(a_list_of_nothing_is_a_list)
{
	ck_assert_int_eq(read_text(HEAD "0000000000000000 T [end]\n", NULL), 0);
	ck_assert_uint_eq(profile->n_binaries, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("gmon_list");
	TCase *tcase = tcase_create("gmon_list");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(
		tcase,
		a_binary_is_the_same_wherever_it_lies_and_whatever_its_path);
	tcase_add_test(tcase,
		       without_a_build_id_a_binary_has_its_path_and_its_text);
	tcase_add_test(tcase, a_build_id_is_read_byte_by_byte);
	tcase_add_loop_test(tcase, the_program_is_at_its_own_addresses, 0,
			    sizeof places / sizeof *places);
	tcase_add_loop_test(tcase, what_is_no_file_is_known_by_its_name, 0,
			    sizeof kinds / sizeof *kinds);
	tcase_add_test(tcase, symbols_are_at_their_own_addresses);
	tcase_add_test(
		tcase,
		system_calls_lose_the_name_of_the_kernel_and_others_keep_it);
	tcase_add_loop_test(tcase, lists_of_one_binary_add_up_to_all_its_names,
			    0, 2);
	tcase_add_loop_test(tcase,
			    a_file_that_was_not_read_has_its_own_name_alone, 0,
			    sizeof blobs / sizeof *blobs);
	tcase_add_test(tcase, an_address_is_in_a_binary_or_by_a_name);
	tcase_add_loop_test(tcase, an_address_in_nothing_is_refused, 0,
			    sizeof nowhere / sizeof *nowhere);
	tcase_add_loop_test(tcase, a_list_that_is_none_is_refused, 0,
			    sizeof bad_lists / sizeof *bad_lists);
	tcase_add_test(tcase, a_list_of_very_many_objects_is_refused);
	tcase_add_test(tcase, an_address_is_found_among_many_objects);
	tcase_add_test(tcase, a_list_of_nothing_is_a_list);
	suite_add_tcase(suite, tcase);
	return suite;
}
