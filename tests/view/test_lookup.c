#include "support/suite.h"
#include "view/table/lookup.h"
#include "support/made.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* made_mapping() is of this process. */
static const uint64_t at = 0x7f0000001000;
static struct prf_warnings warnings;
static struct prf_lookup *lookup;

static const struct elf_symbol symbols[] = {
	{"first", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"second", 0x1100, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

static void
begin(void)
{
	made_begin();
	made_elf("prog", symbols, 2);
	lookup = prf_lookup_new(NULL, &warnings);
	ck_assert_ptr_nonnull(lookup);
}

static void
end(void)
{
	prf_lookup_free(lookup);
	prf_warnings_clear(&warnings);
	made_end();
}

static void
exec(pid_t pid)
{
	const struct prf_exec exec = {.pid = pid,
				      .path = "",
				      .command = "",
				      .addr_bytes = sizeof(void *)};

	ck_assert_int_eq(prf_lookup_exec(lookup, &exec), 0);
}

static int
map_of(pid_t pid, const char *name, uint64_t addr)
{
	struct prf_mapping map = made_mapping(name, addr);

	map.pid = pid;
	return prf_lookup_mapping(lookup, &map);
}

static int
tell(enum prf_life_kind kind, pid_t pid, pid_t parent)
{
	const struct prf_life life = {
		.kind = kind, .pid = pid, .parent = parent, .name = ""};

	return prf_lookup_life(lookup, &life);
}

static void
check_unknown(pid_t pid, uint64_t addr)
{
	struct prf_found found = prf_lookup_at(lookup, pid, addr);

	ck_assert_ptr_null(found.function);
	ck_assert_str_eq(found.object, "[unknown]");
	ck_assert_uint_eq(found.vaddr, addr);
	ck_assert_uint_eq(found.off, 0);
}

static void
check_named(pid_t pid, uint64_t addr, const char *function, uint64_t off)
{
	struct prf_found found = prf_lookup_at(lookup, pid, addr);

	ck_assert_str_eq(found.function, function);
	ck_assert_uint_eq(found.off, off);
	ck_assert_str_eq(found.object, made_path("prog"));
}

START_TEST(an_address_has_the_function_that_it_lies_in)
{
	exec(getpid());
	ck_assert_int_eq(map_of(getpid(), "prog", at), 0);
	check_named(getpid(), at, "first", 0);
	check_named(getpid(), at + 0xff, "first", 0xff);
	check_named(getpid(), at + 0x100, "second", 0);
	check_named(getpid(), at + 0x13f, "second", 0x3f);
	ck_assert_uint_eq(prf_lookup_at(lookup, getpid(), at + 0x13f).vaddr,
			  0x113f);
	ck_assert_uint_eq(warnings.n, 0);
}
END_TEST

/* What no symbol claims has a name that says where it is. */
START_TEST(a_gap_is_named_by_its_place)
{
	exec(getpid());
	ck_assert_int_eq(map_of(getpid(), "prog", at), 0);
	check_named(getpid(), at + 0x140, "[prog+0x1140]", 0);
	check_named(getpid(), at + 0xfff, "[prog+0x1140]", 0xebf);
}
END_TEST

START_TEST(outside_of_all_mappings_nothing_is_known)
{
	static const uint64_t outside[] = {0, 1, at - 1, at + 0x1000,
					   UINT64_MAX};

	exec(getpid());
	ck_assert_int_eq(map_of(getpid(), "prog", at), 0);
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
		check_unknown(getpid(), outside[i]);
	check_unknown(getpid() + 1, at);
}
END_TEST

START_TEST(code_without_a_file_is_jit_code)
{
	const struct prf_mapping map = {.pid = getpid(),
					.kind = PRF_MAPPING_ANON,
					.addr = UINT64_MAX - 0xfff,
					.size = 0x1000,
					.path = ""};

	exec(getpid());
	ck_assert_int_eq(prf_lookup_mapping(lookup, &map), 0);
	struct prf_found found = prf_lookup_at(lookup, getpid(), UINT64_MAX);
	ck_assert_str_eq(found.object, "[jit]");
	ck_assert_ptr_null(found.function);
	ck_assert_uint_eq(found.vaddr, UINT64_MAX);
	check_unknown(getpid(), UINT64_MAX - 0x1000);
}
END_TEST

START_TEST(exec_forgets_what_was_mapped)
{
	exec(getpid());
	ck_assert_int_eq(map_of(getpid(), "prog", at), 0);
	exec(getpid());
	check_unknown(getpid(), at);
	ck_assert_int_eq(map_of(getpid(), "prog", at + 0x10000), 0);
	check_named(getpid(), at + 0x10000, "first", 0);
	check_unknown(getpid(), at);
}
END_TEST

START_TEST(what_is_unmapped_is_unknown)
{
	struct prf_mapping none = made_mapping("prog", at);

	none.kind = PRF_MAPPING_NONE;
	none.size = 0x100;
	exec(getpid());
	ck_assert_int_eq(map_of(getpid(), "prog", at), 0);
	ck_assert_int_eq(prf_lookup_mapping(lookup, &none), 0);
	check_unknown(getpid(), at + 0xff);
	check_named(getpid(), at + 0x100, "second", 0);
}
END_TEST

START_TEST(a_child_has_what_its_parent_had)
{
	pid_t pid = getpid();

	exec(pid);
	ck_assert_int_eq(map_of(pid, "prog", at), 0);
	ck_assert_int_eq(tell(PRF_LIFE_FORK, pid + 1, pid), 0);
	ck_assert_int_eq(tell(PRF_LIFE_EXIT, pid, 0), 0);
	check_unknown(pid, at);
	check_named(pid + 1, at + 0x100, "second", 0);
	exec(pid + 1);
	check_unknown(pid + 1, at);
}
END_TEST

/* A process of which nothing is known, and one that is its own parent, as a
 * damaged trace can have it. */
START_TEST(a_child_of_nobody_begins_with_nothing)
{
	ck_assert_int_eq(tell(PRF_LIFE_FORK, 5, 0), 0);
	ck_assert_int_eq(tell(PRF_LIFE_FORK, 6, 6), 0);
	check_unknown(5, at);
	check_unknown(6, at);
	ck_assert_int_eq(map_of(5, "prog", at), 0);
	check_named(5, at, "first", 0);
	/* Another process of the same number, which has no other parent. */
	ck_assert_int_eq(tell(PRF_LIFE_FORK, 5, 5), 0);
	check_unknown(5, at);
}
END_TEST

START_TEST(what_is_told_of_nobody_is_refused)
{
	static const enum prf_life_kind kinds[] = {PRF_LIFE_EXIT,
						   PRF_LIFE_LEAVE};

	ck_assert_int_eq(map_of(99, "prog", at), -ESRCH);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(tell(kinds[i], 99, 0), -ESRCH);
		exec(99);
		ck_assert_int_eq(tell(kinds[i], 99, 0), 0);
		ck_assert_int_eq(tell(kinds[i], 99, 0), -ESRCH);
	}
	ck_assert_int_eq(tell(PRF_LIFE_THREAD, 99, 0), 0);
	ck_assert_int_eq(tell(PRF_LIFE_END, 99, 0), 0);
}
END_TEST

START_TEST(a_file_that_is_no_program_is_one_warning)
{
	elf_write(made_path("text"), "no program", 10);
	exec(getpid());
	ck_assert_int_eq(map_of(getpid(), "text", at), 0);
	for (int i = 0; i < 3; i++) {
		struct prf_found found =
			prf_lookup_at(lookup, getpid(), at + 0x10);

		ck_assert_ptr_null(found.function);
		ck_assert_str_eq(found.object, made_path("text"));
		ck_assert_uint_eq(found.vaddr, at + 0x10);
	}
	ck_assert_uint_eq(warnings.n, 1);
	ck_assert_ptr_nonnull(strstr(warnings.lines[0], made_path("text")));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("lookup");
	TCase *tcase = tcase_create("lookup");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, an_address_has_the_function_that_it_lies_in);
	tcase_add_test(tcase, a_gap_is_named_by_its_place);
	tcase_add_test(tcase, outside_of_all_mappings_nothing_is_known);
	tcase_add_test(tcase, code_without_a_file_is_jit_code);
	tcase_add_test(tcase, exec_forgets_what_was_mapped);
	tcase_add_test(tcase, what_is_unmapped_is_unknown);
	tcase_add_test(tcase, a_child_has_what_its_parent_had);
	tcase_add_test(tcase, a_child_of_nobody_begins_with_nothing);
	tcase_add_test(tcase, what_is_told_of_nobody_is_refused);
	tcase_add_test(tcase, a_file_that_is_no_program_is_one_warning);
	suite_add_tcase(suite, tcase);
	return suite;
}
