#include "view/table/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "support/made_run.h"

static struct prf_spread spread;

static void
teardown(void)
{
	prf_spread_clear(&spread);
}

/* The ticks of KEY in file number FILE, or in all (-1). */
static uint64_t
ticks_of(const char *key, size_t file)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < spread.n_shares; i++) {
		const struct prf_spread_share *share = &spread.shares[i];

		if ((file == (size_t)-1 || share->file == file) &&
		    strcmp(spread.functions.all[share->function].text, key) ==
			    0)
			ticks += share->ticks;
	}
	return ticks;
}

static void
begin(const char *name)
{
	ck_assert_int_eq(prf_spread_begin(&spread, name), 0);
}

static void
add(const struct prf_binary *binary, const char *name, uint64_t ticks)
{
	const struct prf_count count = {ticks, (double)ticks};

	ck_assert_int_eq(prf_spread_add(&spread, binary, name, &count), 0);
}

START_TEST(each_file_has_its_own_ticks)
{
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");
	struct prf_binary *lib = prf_binary_new(PRF_BINARY_FILE, "/lib/lib");
	struct prf_binary *jit = prf_binary_new(PRF_BINARY_JIT, "");

	begin("one");
	add(app, "f", 3);
	add(lib, "f", 5);
	begin("two");
	add(app, "f", 7);
	add(jit, "g", 1);
	add(app, "f", 11);
	ck_assert_uint_eq(ticks_of("/bin/app\nf", 0), 3);
	ck_assert_uint_eq(ticks_of("/bin/app\nf", 1), 18);
	ck_assert_uint_eq(ticks_of("/lib/lib\nf", 0), 5);
	ck_assert_uint_eq(ticks_of("/lib/lib\nf", 1), 0);
	ck_assert_uint_eq(ticks_of("[jit]\ng", 1), 1);
	ck_assert_uint_eq(spread.n_files, 2);
	ck_assert_uint_eq(spread.functions.n, 3);
	for (size_t i = 0; i < spread.functions.n; i++)
		ck_assert_uint_eq(
			spread.functions.all[i].count.ticks,
			ticks_of(spread.functions.all[i].text, (size_t)-1));
	prf_binary_free(app);
	prf_binary_free(lib);
	prf_binary_free(jit);
}
END_TEST

static struct prf_binary *
built(const char *path, uint8_t id)
{
	struct prf_binary *binary = prf_binary_new(PRF_BINARY_FILE, path);

	ck_assert_ptr_nonnull(binary);
	binary->build_id[0] = id;
	binary->build_id_bytes = 1;
	return binary;
}

START_TEST(copies_of_one_binary_are_one)
{
	struct prf_binary *here = built("/a/app", 1),
			  *there = built("/b/app", 1),
			  *other = built("/c/app", 2);

	begin("one");
	add(here, "f", 3);
	add(other, "f", 1);
	begin("two");
	add(there, "f", 5);
	add(other, "f", 1);
	add(there, "g", 7);
	ck_assert_uint_eq(spread.functions.n, 3);
	ck_assert_uint_eq(ticks_of("/a/app\nf", 0), 3);
	ck_assert_uint_eq(ticks_of("/a/app\nf", 1), 5);
	ck_assert_uint_eq(ticks_of("/a/app\ng", 1), 7);
	ck_assert_uint_eq(ticks_of("/c/app\nf", (size_t)-1), 2);
	prf_binary_free(here);
	prf_binary_free(there);
	prf_binary_free(other);
}
END_TEST

START_TEST(any_number_of_files_has_room)
{
	enum { N_FILES = 1030 };
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");
	char name[32];

	for (size_t i = 0; i < N_FILES; i++) {
		snprintf(name, sizeof name, "file %zu", i);
		begin(name);
		add(app, "f", i);
	}
	ck_assert_uint_eq(spread.n_files, N_FILES);
	for (size_t i = 0; i < N_FILES; i++) {
		snprintf(name, sizeof name, "file %zu", i);
		ck_assert_str_eq(spread.files[i], name);
		ck_assert_uint_eq(ticks_of("/bin/app\nf", i), i);
	}
	prf_binary_free(app);
}
END_TEST

START_TEST(files_may_leave_functions_out_and_have_another_order)
{
	enum { N_FUNCTIONS = 40 };
	static const size_t steps[] = {1, 3, 11, 39, 7};
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");
	char name[32], key[64];

	for (size_t file = 0; file < 5; file++) {
		begin("file");
		for (size_t i = 0; i < N_FUNCTIONS; i += file == 2 ? 9 : 1) {
			snprintf(name, sizeof name, "f%zu",
				 i * steps[file] % N_FUNCTIONS);
			add(app, name, 100 * file + i);
		}
	}
	ck_assert_uint_eq(spread.functions.n, N_FUNCTIONS);
	for (size_t file = 0; file < 5; file++)
		for (size_t i = 0; i < N_FUNCTIONS; i += file == 2 ? 9 : 1) {
			snprintf(key, sizeof key, "/bin/app\nf%zu",
				 i * steps[file] % N_FUNCTIONS);
			ck_assert_uint_eq(ticks_of(key, file), 100 * file + i);
		}
	prf_binary_free(app);
}
END_TEST

START_TEST(a_whole_profile_is_a_file_like_others)
{
	static const struct elf_symbol fg[] = {
		{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
		{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
	};
	char key[600];

	made_begin();
	made_elf("prog", fg, 2);
	struct prf_collector *run = made_run(NULL);
	made_exec(run, "prog");
	made_map(run, "prog", 0x7f0000001000);
	made_ticks(run, 0x7f0000001000, 3);
	made_ticks(run, 0x7f0000001800, 4);
	made_ticks(run, 0x10, 5);
	begin("first");
	begin("run");
	ck_assert_int_eq(prf_spread_add_all(&spread, made_finish(run)), 0);
	snprintf(key, sizeof key, "%s\nf", made_path("prog"));
	ck_assert_uint_eq(ticks_of(key, 1), 3);
	snprintf(key, sizeof key, "%s\ng", made_path("prog"));
	ck_assert_uint_eq(ticks_of(key, 1), 4);
	ck_assert_uint_eq(ticks_of("[unknown]\n[unknown]", 1), 5);
	ck_assert_uint_eq(spread.n_shares, 3);
	made_run_free(run);
	made_end();
}
END_TEST

START_TEST(functions_are_sorted_and_have_nothing_where_they_are_not)
{
	struct prf_binary *app = prf_binary_new(PRF_BINARY_FILE, "/bin/app");
	uint64_t ticks[2] = {7, 7};

	begin("one");
	add(app, "z", 5);
	add(app, "few", 1);
	begin("two");
	add(app, "few", 2);
	add(app, "a", 5);
	size_t *sorted = prf_spread_sorted(&spread);
	ck_assert_ptr_nonnull(sorted);
	for (size_t i = 0; i < 3; i++)
		ck_assert_str_eq(spread.functions.all[sorted[i]].text,
				 ((const char *[]){"/bin/app\na", "/bin/app\nz",
						   "/bin/app\nfew"})[i]);
	prf_spread_of(&spread, sorted[0], ticks);
	ck_assert_uint_eq(ticks[0], 0);
	ck_assert_uint_eq(ticks[1], 5);
	prf_spread_of(&spread, sorted[2], ticks);
	ck_assert_uint_eq(ticks[0], 1);
	ck_assert_uint_eq(ticks[1], 2);
	free(sorted);
	prf_binary_free(app);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("spread");
	TCase *tcase = tcase_create("spread");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, each_file_has_its_own_ticks);
	tcase_add_test(tcase,
		       files_may_leave_functions_out_and_have_another_order);
	tcase_add_test(tcase, copies_of_one_binary_are_one);
	tcase_add_test(tcase, any_number_of_files_has_room);
	tcase_add_test(tcase, a_whole_profile_is_a_file_like_others);
	tcase_add_test(
		tcase,
		functions_are_sorted_and_have_nothing_where_they_are_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
