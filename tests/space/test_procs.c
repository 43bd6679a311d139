#include "space/procs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/made.h"
#include "support/suite.h"

enum { PID = 4711, CHILD = 4712 };

static const uint64_t at = 0x7f0000001000;

static struct prf_procs procs;
static unsigned n_warnings;
static char warning[512];

static const struct elf_symbol two[] = {
	{"first", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"second", 0x1100, 0x40, STB_GLOBAL, STT_FUNC, 1},
};

static void
warn(void *arg, const char *line)
{
	ck_assert_ptr_eq(arg, warning);
	snprintf(warning, sizeof warning, "%s", line);
	n_warnings++;
}

static void
begin(void)
{
	made_begin();
	made_elf("prog", two, 2);
	ck_assert_int_eq(prf_procs_init(&procs, NULL), 0);
	procs.warn = warn;
	procs.warn_arg = warning;
	n_warnings = 0;
}

static void
end(void)
{
	prf_procs_clear(&procs);
	made_end();
}

/* --- What happens */

static struct prf_proc *
exec_as(pid_t pid, const char *path, uint64_t inode)
{
	const struct prf_exec exec = {
		.pid = pid,
		.path = path,
		.command = "",
		.inode = inode,
		.addr_bytes = sizeof(void *),
	};
	struct prf_proc *proc =
		prf_procs_become(&procs, pid, prf_procs_program(&procs, &exec));

	ck_assert_ptr_nonnull(proc);
	return proc;
}

static struct prf_proc *
exec(pid_t pid)
{
	return exec_as(pid, "", 0);
}

static int
map_of(pid_t pid, const char *name, uint64_t addr)
{
	struct prf_mapping map = made_mapping(name, addr);

	map.pid = pid;
	return prf_procs_map(&procs, &map);
}

static void
map_kind(pid_t pid, enum prf_mapping_kind kind, uint64_t addr, uint64_t size)
{
	const struct prf_mapping map = {
		.pid = pid,
		.kind = kind,
		.addr = addr,
		.size = size,
		.path = "",
	};

	ck_assert_int_eq(prf_procs_map(&procs, &map), 0);
}

static struct prf_proc *
try_fork(pid_t parent, pid_t pid)
{
	const struct prf_life life = {
		.kind = PRF_LIFE_FORK,
		.pid = pid,
		.tid = pid,
		.parent = parent,
		.name = "",
	};

	return prf_procs_fork(&procs, &life);
}

static struct prf_proc *
fork_of(pid_t parent, pid_t pid)
{
	struct prf_proc *child = try_fork(parent, pid);

	ck_assert_ptr_nonnull(child);
	return child;
}

/* --- What is where */

static struct prf_location
locate(pid_t pid, uint64_t addr)
{
	const struct prf_proc *proc = prf_procs_find(&procs, pid);

	ck_assert_ptr_nonnull(proc);
	return prf_procs_locate(&procs, proc, addr);
}

static void
check_unknown(pid_t pid, uint64_t addr)
{
	const struct prf_location location = locate(pid, addr);

	ck_assert_int_eq(location.kind, PRF_MAPPING_NONE);
	ck_assert_ptr_null(location.file);
	ck_assert_uint_eq(location.vaddr, addr);
}

static void
check_file(pid_t pid, uint64_t addr, const char *name, uint64_t vaddr)
{
	const struct prf_location location = locate(pid, addr);

	ck_assert_int_eq(location.kind, PRF_MAPPING_FILE);
	ck_assert_ptr_nonnull(location.file);
	ck_assert(location.file->is_read);
	ck_assert_str_eq(location.file->name, name);
	ck_assert_uint_eq(location.vaddr, vaddr);
}

START_TEST(an_address_in_a_file_is_one_of_the_files_own)
{
	exec(PID);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	check_file(PID, at, "prog", 0x1000);
	check_file(PID, at + 0x13f, "prog", 0x113f);
	check_file(PID, at + 0xfff, "prog", 0x1fff);
	ck_assert_uint_eq(n_warnings, 0);
}
END_TEST

START_TEST(outside_of_all_mappings_nothing_is_known)
{
	static const uint64_t outside[] = {0, 1, at - 1, at + 0x1000,
					   UINT64_MAX};

	exec(PID);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
		check_unknown(PID, outside[i]);
}
END_TEST

START_TEST(code_without_a_file_keeps_its_address)
{
	exec(PID);
	map_kind(PID, PRF_MAPPING_ANON, UINT64_MAX - 0xfff, 0x1000);
	const struct prf_location location = locate(PID, UINT64_MAX);
	ck_assert_int_eq(location.kind, PRF_MAPPING_ANON);
	ck_assert_ptr_null(location.file);
	ck_assert_uint_eq(location.vaddr, UINT64_MAX);
	check_unknown(PID, UINT64_MAX - 0x1000);
}
END_TEST

START_TEST(what_is_unmapped_is_unknown)
{
	exec(PID);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	map_kind(PID, PRF_MAPPING_NONE, at, 0x100);
	check_unknown(PID, at + 0xff);
	check_file(PID, at + 0x100, "prog", 0x1100);
}
END_TEST

START_TEST(one_file_can_be_at_several_addresses)
{
	exec(PID);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	ck_assert_int_eq(map_of(PID, "prog", at + 0x10000), 0);
	check_file(PID, at + 0x10, "prog", 0x1010);
	check_file(PID, at + 0x10010, "prog", 0x1010);
	ck_assert_ptr_eq(locate(PID, at).file, locate(PID, at + 0x10000).file);
}
END_TEST

/* Offsets that no segment of text has. */
START_TEST(mapped_data_of_a_file_is_unknown)
{
	struct prf_mapping map = made_mapping("prog", at);

	exec(PID);
	map.pid = PID;
	map.file_off = 0x10000;
	ck_assert_int_eq(prf_procs_map(&procs, &map), 0);
	check_unknown(PID, at);
	check_unknown(PID, at);
}
END_TEST

START_TEST(a_file_without_names_is_known_by_offset_and_warned_of_once)
{
	elf_write(made_path("blob"), "no ELF at all", 13);
	exec(PID);
	ck_assert_int_eq(map_of(PID, "blob", at), 0);
	ck_assert_int_eq(map_of(PID, "blob", at + 0x10000), 0);
	for (uint64_t i = 0; i < 3; i++) {
		check_file(PID, at + i, "blob", 0x1000 + i);
		check_file(PID, at + 0x10000 + i, "blob", 0x1000 + i);
	}
	ck_assert_uint_eq(n_warnings, 1);
	ck_assert_ptr_nonnull(strstr(warning, made_path("blob")));
}
END_TEST

START_TEST(a_file_that_is_gone_is_known_by_offset)
{
	exec(PID);
	struct prf_mapping map = made_mapping("prog", at);
	ck_assert_int_eq(remove(map.path), 0);
	map.pid = PID;
	ck_assert_int_eq(prf_procs_map(&procs, &map), 0);
	procs.warn = NULL; /* nobody is told */
	check_file(PID, at, "prog", 0x1000);
	ck_assert_uint_eq(n_warnings, 0);
}
END_TEST

START_TEST(files_without_ticks_are_not_read)
{
	elf_write(made_path("blob"), "no ELF at all", 13);
	const struct prf_proc *proc = exec(PID);
	ck_assert_int_eq(map_of(PID, "blob", at), 0);
	ck_assert(!proc->mapped.files[0]->is_read);
	check_unknown(PID, at - 1);
	ck_assert(!proc->mapped.files[0]->is_read);
	locate(PID, at);
	ck_assert(proc->mapped.files[0]->is_read);
}
END_TEST

/* As a damaged trace can have it.  What is known is in its file's
 * extent, also the last offset that there is. */
START_TEST(offsets_beyond_all_numbers_are_unknown)
{
	static const struct {
		uint64_t off, size;
		bool known;
	} cases[] = {
		{UINT64_MAX - 0x1002, 0x1000, true},
		{UINT64_MAX - 0x1001, 0x1000, true},
		{UINT64_MAX - 0x1000, 0x1000, false},
		{UINT64_MAX - 0xfff, 0x1000, false},
		{UINT64_MAX - 0x800, 0x1000, false},
		{UINT64_MAX, 1, false},
		{0x1000, UINT64_MAX - at, true},
		{at, UINT64_MAX - at, false},
	};

	elf_write(made_path("blob"), "blob", 4);
	exec(PID);
	struct prf_mapping map = made_mapping("blob", at);
	map.pid = PID;
	map.file_off = cases[_i].off;
	map.size = cases[_i].size;
	ck_assert_int_eq(prf_procs_map(&procs, &map), 0);
	const struct prf_location location = locate(PID, at + map.size - 1);
	ck_assert_int_eq(location.kind == PRF_MAPPING_FILE, cases[_i].known);
	if (!cases[_i].known)
		return;
	ck_assert_uint_eq(location.vaddr, map.file_off + map.size - 1);
	ck_assert_uint_ge(location.vaddr, location.file->off_lo);
	ck_assert_uint_lt(location.vaddr, location.file->off_hi);
}
END_TEST

/* The vDSO of this process, as its own maps have it; false: none. */
static bool
own_vdso(uint64_t *addr, uint64_t *size)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	unsigned long lo, hi;
	bool found = false;

	ck_assert_ptr_nonnull(maps);
	while (!found && fgets(line, sizeof line, maps))
		found = strstr(line, "[vdso]") &&
			sscanf(line, "%lx-%lx", &lo, &hi) == 2;
	fclose(maps);
	if (!found)
		return false;
	*addr = lo;
	*size = hi - lo;
	return true;
}

START_TEST(the_vdso_has_names)
{
	uint64_t addr, size;

	if (!own_vdso(&addr, &size))
		return; /* a machine without one */
	exec(PID);
	map_kind(PID, PRF_MAPPING_VDSO, addr, size);
	const struct prf_location location = locate(PID, addr + 0x10);
	ck_assert_int_eq(location.kind, PRF_MAPPING_VDSO);
	ck_assert_ptr_nonnull(location.file->image);
	ck_assert_uint_eq(location.vaddr, 0x10);
	ck_assert_uint_eq(n_warnings, 0);
}
END_TEST

START_TEST(a_vdso_of_another_size_is_not_ours)
{
	static const uint64_t sizes[] = {0x1000, 0x40000000};

	exec(PID);
	map_kind(PID, PRF_MAPPING_VDSO, 0x70000000, sizes[_i]);
	const struct prf_location location = locate(PID, 0x70000800);
	ck_assert_int_eq(location.kind, PRF_MAPPING_VDSO);
	ck_assert_ptr_null(location.file->image);
	ck_assert_uint_eq(location.vaddr, 0x800);
	ck_assert_uint_eq(n_warnings, 1);
}
END_TEST

/* --- Processes */

START_TEST(of_nobody_nothing_is_known)
{
	const struct prf_mapping map = {.pid = PID, .size = 1, .path = ""};

	ck_assert_ptr_null(prf_procs_any(&procs));
	ck_assert_ptr_null(prf_procs_find(&procs, PID));
	ck_assert_int_eq(prf_procs_map(&procs, &map), -ESRCH);
	prf_procs_clear(&procs);
	prf_procs_clear(&procs);
}
END_TEST

START_TEST(exec_forgets_what_was_mapped)
{
	struct prf_proc *proc = exec(PID);

	ck_assert_uint_eq(proc->n_execs, 0);
	proc->counts = &procs; /* stays */
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	ck_assert_ptr_eq(exec(PID), proc);
	ck_assert_uint_eq(proc->n_execs, 1);
	ck_assert_ptr_eq(proc->counts, &procs);
	check_unknown(PID, at);
	ck_assert_int_eq(map_of(PID, "prog", at + 0x10000), 0);
	check_file(PID, at + 0x10000, "prog", 0x1000);
	check_unknown(PID, at);
	ck_assert_uint_eq(procs.n_added, 1);
}
END_TEST

START_TEST(a_child_has_what_its_parent_had)
{
	struct prf_proc *parent = exec(PID);

	parent->counts = &procs;
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	const struct prf_proc *child = fork_of(PID, CHILD);
	ck_assert_ptr_eq(child->program, parent->program);
	ck_assert_ptr_null(child->counts);
	ck_assert_uint_eq(child->n_execs, 0);
	prf_procs_remove(&procs, parent);
	ck_assert_ptr_null(prf_procs_find(&procs, PID));
	check_file(CHILD, at + 0x100, "prog", 0x1100);
	exec(CHILD);
	check_unknown(CHILD, at);
}
END_TEST

START_TEST(what_a_child_maps_is_not_its_parents)
{
	made_elf("other", two, 2);
	exec(PID);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	fork_of(PID, CHILD);
	ck_assert_int_eq(map_of(CHILD, "other", at), 0);
	check_file(PID, at, "prog", 0x1000);
	check_file(CHILD, at, "other", 0x1000);
}
END_TEST

/* A few bytes of a trace tell of each fork. */
START_TEST(children_do_not_copy_what_their_parents_have_without_end)
{
	enum { MAX = 1000, CHILDREN = 4, TOO_MANY = 4500 };
	struct prf_mapping map = {
		.pid = PID, .kind = PRF_MAPPING_ANON, .size = 0x1000};
	exec(PID);
	procs.n_mapped_max = TOO_MANY;
	for (uint64_t i = 0; i < MAX; i++, map.addr += 0x2000)
		ck_assert_int_eq(prf_procs_map(&procs, &map), 0);
	for (int n = 0; n < CHILDREN; n++)
		ck_assert_ptr_nonnull(try_fork(PID, CHILD + n));
	ck_assert_uint_le(procs.n_mapped, TOO_MANY);
	const struct prf_proc *last = prf_procs_find(&procs, CHILD + 3);
	ck_assert_uint_eq(last->mapped.space.n, 0);
	prf_procs_remove(&procs, prf_procs_find(&procs, CHILD));
	last = try_fork(PID, CHILD + CHILDREN);
	ck_assert_uint_eq(last->mapped.space.n, MAX);
	while (prf_procs_any(&procs))
		prf_procs_remove(&procs, prf_procs_any(&procs));
	ck_assert_uint_eq(procs.n_mapped, 0);
}
END_TEST

/* One that there is no room for is not what was there before. */
START_TEST(a_mapping_that_is_refused_is_unknown)
{
	made_elf("other", two, 2);
	exec(PID);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	check_file(PID, at, "prog", 0x1000);
	procs.n_mapped_max = 1;
	ck_assert_int_eq(map_of(PID, "other", at), -E2BIG);
	check_unknown(PID, at);
}
END_TEST

/* A process of which nothing is known, and one that is its own parent, as a
 * damaged trace can have it. */
START_TEST(a_child_of_nobody_begins_with_nothing)
{
	fork_of(0, 5);
	fork_of(6, 6);
	check_unknown(5, at);
	check_unknown(6, at);
	ck_assert_str_eq(prf_procs_find(&procs, 6)->program->path, "");
	ck_assert_int_eq(map_of(5, "prog", at), 0);
	check_file(5, at, "prog", 0x1000);
	fork_of(5, 5);
	check_unknown(5, at);
	ck_assert_uint_eq(procs.n_added, 3);
}
END_TEST

START_TEST(a_number_that_comes_again_is_another_process)
{
	exec(PID);
	fork_of(PID, CHILD);
	ck_assert_int_eq(map_of(CHILD, "prog", at), 0);
	check_file(CHILD, at, "prog", 0x1000);
	if (_i == 0) /* else its end was not told */
		prf_procs_remove(&procs, prf_procs_find(&procs, CHILD));
	fork_of(PID, CHILD);
	check_unknown(CHILD, at);
	ck_assert_uint_eq(procs.n_added, 3);
}
END_TEST

START_TEST(the_first_process_of_all_is_marked)
{
	ck_assert(exec(PID)->is_first);
	ck_assert(!fork_of(PID, CHILD)->is_first);
	prf_procs_remove(&procs, prf_procs_find(&procs, PID));
	ck_assert(!exec(PID)->is_first);
}
END_TEST

static void
add_pid(struct prf_proc *proc, void *arg)
{
	*(uint64_t *)arg += (uint64_t)proc->pid;
}

START_TEST(all_that_live_are_found_and_gone_through_once)
{
	enum { N = 500 };
	uint64_t sum = 0;

	for (pid_t pid = 1; pid <= N; pid++)
		exec(pid * 7919 % 10007);
	for (pid_t pid = N; pid >= 1; pid--) {
		const struct prf_proc *proc =
			prf_procs_find(&procs, pid * 7919 % 10007);

		ck_assert_int_eq(proc->pid, pid * 7919 % 10007);
		sum += (uint64_t)proc->pid;
	}
	uint64_t visited = 0;
	prf_procs_walk(&procs, add_pid, &visited);
	ck_assert_uint_eq(visited, sum);
	while (prf_procs_any(&procs)) {
		struct prf_proc *proc = prf_procs_any(&procs);

		sum -= (uint64_t)proc->pid;
		prf_procs_remove(&procs, proc);
	}
	ck_assert_uint_eq(sum, 0);
	prf_procs_walk(&procs, add_pid, NULL);
}
END_TEST

/* --- Programs */

START_TEST(the_programs_file_is_found_by_path_and_inode)
{
	static const char *const ends[] = {"", " (deleted)", " deleted", "x"};
	const struct prf_mapping map = made_mapping("prog", at);
	char path[512];

	snprintf(path, sizeof path, "%s%s", map.path, ends[_i]);
	const struct prf_proc *proc = exec_as(PID, path, map.inode);
	ck_assert_ptr_null(prf_procs_program_file(&procs, proc));
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	const struct prf_file *file = prf_procs_program_file(&procs, proc);
	ck_assert_int_eq(file != NULL, _i < 2);
	if (!file)
		return;
	ck_assert(file->is_read);
	ck_assert_str_eq(file->name, "prog");
	exec_as(PID, path, map.inode + 1);
	ck_assert_int_eq(map_of(PID, "prog", at), 0);
	ck_assert_ptr_null(prf_procs_program_file(&procs, proc));
}
END_TEST

START_TEST(what_was_recorded_began_when_it_was_recorded)
{
	const struct prf_exec recorded = {
		.pid = INT_MAX, /* no process has it now */
		.time_ns = UINT64_C(5000000000),
		.path = "",
		.command = "",
		.addr_bytes = 8,
	};
	time_t now = time(NULL);
	struct prf_program *program = prf_procs_program(&procs, &recorded);

	ck_assert_int_ge(program->begun, now);
	prf_program_drop(program);
	procs.realtime_offset_ns = INT64_C(1000000000) * 1000;
	program = prf_procs_program(&procs, &recorded);
	ck_assert_int_eq(program->begun, 1005);
	prf_program_drop(program);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("procs");
	TCase *where = tcase_create("where"), *who = tcase_create("who");

	tcase_add_checked_fixture(where, begin, end);
	tcase_add_test(where, an_address_in_a_file_is_one_of_the_files_own);
	tcase_add_test(where, outside_of_all_mappings_nothing_is_known);
	tcase_add_test(where, code_without_a_file_keeps_its_address);
	tcase_add_test(where, what_is_unmapped_is_unknown);
	tcase_add_test(where, one_file_can_be_at_several_addresses);
	tcase_add_test(where, mapped_data_of_a_file_is_unknown);
	tcase_add_test(
		where,
		a_file_without_names_is_known_by_offset_and_warned_of_once);
	tcase_add_test(where, a_file_that_is_gone_is_known_by_offset);
	tcase_add_test(where, files_without_ticks_are_not_read);
	tcase_add_loop_test(where, offsets_beyond_all_numbers_are_unknown, 0,
			    8);
	tcase_add_test(where, the_vdso_has_names);
	tcase_add_loop_test(where, a_vdso_of_another_size_is_not_ours, 0, 2);
	suite_add_tcase(suite, where);

	tcase_add_checked_fixture(who, begin, end);
	tcase_add_test(who, of_nobody_nothing_is_known);
	tcase_add_test(who, exec_forgets_what_was_mapped);
	tcase_add_test(who, a_child_has_what_its_parent_had);
	tcase_add_test(who, what_a_child_maps_is_not_its_parents);
	tcase_add_test(who, a_mapping_that_is_refused_is_unknown);
	tcase_add_test(who, a_child_of_nobody_begins_with_nothing);
	tcase_add_test(
		who, children_do_not_copy_what_their_parents_have_without_end);
	tcase_add_loop_test(who, a_number_that_comes_again_is_another_process,
			    0, 2);
	tcase_add_test(who, the_first_process_of_all_is_marked);
	tcase_add_test(who, all_that_live_are_found_and_gone_through_once);
	tcase_add_loop_test(who, the_programs_file_is_found_by_path_and_inode,
			    0, 4);
	tcase_add_test(who, what_was_recorded_began_when_it_was_recorded);
	suite_add_tcase(suite, who);
	return suite;
}
