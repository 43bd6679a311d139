#include "live/stopped/mapwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "live/proc/procfs.h"
#include "recorder.h"
#include "support/refuse.h"
#include "support/suite.h"

/* The watched process is this one: what it maps, it knows. */
static struct prf_recorder recorder;
static struct prf_mapwatch *watch;
static char folder[] = "/tmp/prf-mapwatch-XXXXXX";
static size_t page;

static void
begin_watch(bool by_query)
{
	struct prf_error err = {0};

	if (!by_query)
		ck_assert_int_eq(prf_refuse_call(SYS_ioctl, ENOTTY), 0);
	ck_assert_int_eq(prf_mapwatch_new(getpid(), &watch, &err), 0);
	ck_assert_int_eq(prf_mapwatch_tell_all(watch, &recorder.base), 0);
}

static void
set_up(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	prf_recorder_begin(&recorder);
}

static void
tear_down(void)
{
	char command[sizeof folder + 16];

	prf_mapwatch_free(watch);
	prf_recorder_end(&recorder);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* A file of four pages with NAME in the folder; its inode. */
static uint64_t
make_file(const char *name, char path[4096])
{
	struct stat file;

	snprintf(path, 4096, "%s/%s", folder, name);
	int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0755);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 4 * (off_t)page), 0);
	ck_assert_int_eq(fstat(fd, &file), 0);
	close(fd);
	return file.st_ino;
}

/* Two pages of executable memory: of the file from its second page on, or
 * without a file; at WHERE if that is not NULL. */
static uint64_t
map_code(const char *path, void *where)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *at = mmap(where, 2 * page, PROT_READ | PROT_EXEC,
			MAP_PRIVATE | (where ? MAP_FIXED : 0) |
				(path ? 0 : MAP_ANONYMOUS),
			fd, path ? (off_t)page : 0);

	ck_assert_ptr_ne(at, MAP_FAILED);
	if (fd >= 0)
		close(fd);
	return (uint64_t)(uintptr_t)at;
}

static void
unmap_code(uint64_t addr)
{
	ck_assert_int_eq(munmap((void *)(uintptr_t)addr, 2 * page), 0);
}

/* As at a stop at ADDR; was the kernel asked? */
static bool
look_at(uint64_t addr)
{
	struct prf_mapwatch_note note;
	bool verified = false;

	prf_mapwatch_ask(watch, getpid(), addr, &note);
	ck_assert_int_eq(
		prf_mapwatch_tell(watch, &note, &recorder.base, &verified), 0);
	return verified;
}

/* Without queries the file is read only now and then. */
static void
look_until_verified(uint64_t addr)
{
	while (!look_at(addr))
		;
}

static void
check_file(uint64_t addr, const char *path, uint64_t inode)
{
	const struct prf_mapping *map = prf_recorder_at(&recorder, addr);

	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(map->kind, PRF_MAPPING_FILE);
	ck_assert_str_eq(map->path, path);
	ck_assert_uint_eq(map->inode, inode);
	ck_assert_uint_eq(map->file_off - (map->addr - addr), page);
}

enum { BY_READING, BY_QUERY, N_WAYS };

/* N pages, of which every other one is executable: so many mappings. */
static char *
map_with_gaps(size_t n)
{
	char *pages = mmap(NULL, n * page, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(pages, MAP_FAILED);
	for (size_t i = 0; i < n; i += 2)
		ck_assert_int_eq(
			mprotect(pages + i * page, page, PROT_READ | PROT_EXEC),
			0);
	return pages;
}

START_TEST(what_is_mapped_at_the_beginning_is_told_once)
{
	begin_watch(_i);
	const struct prf_mapping *map = prf_recorder_at(
		&recorder, (uint64_t)(uintptr_t)&prf_mapwatch_new);
	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(map->kind, PRF_MAPPING_FILE);

	size_t n = recorder.n_mappings;
	for (int i = 0; i < 100; i++)
		look_at((uint64_t)(uintptr_t)&prf_mapwatch_new);
	look_until_verified((uint64_t)(uintptr_t)&prf_mapwatch_new);
	ck_assert_uint_eq(recorder.n_mappings, n);
}
END_TEST

START_TEST(code_mapped_later_is_told_when_it_is_met)
{
	char path[4096];

	begin_watch(_i);
	uint64_t inode = make_file("late", path);
	uint64_t addr = map_code(path, NULL);
	ck_assert(look_at(addr + page));
	check_file(addr, path, inode);
}
END_TEST

START_TEST(all_that_is_mapped_later_is_told_for_stacks)
{
	char first[4096], second[4096];

	begin_watch(true);
	if (!prf_mapwatch_can_query())
		prf_skip("the kernel does not answer PROCMAP_QUERY (Linux "
			 "6.11)");
	uint64_t first_inode = make_file("first", first);
	uint64_t second_inode = make_file("second", second);
	uint64_t first_addr = map_code(first, NULL);
	uint64_t second_addr = map_code(second, NULL);
	ck_assert_int_eq(prf_mapwatch_tell_rest(watch, &recorder.base), 0);
	check_file(first_addr, first, first_inode);
	check_file(second_addr, second, second_inode);
	size_t n = recorder.n_mappings;
	usleep(10000);
	ck_assert_int_eq(prf_mapwatch_tell_rest(watch, &recorder.base), 0);
	ck_assert_uint_eq(recorder.n_mappings, n);
}
END_TEST

/* Not for a thousand times what a question takes, as it was: with so many mappings
 * that is a second and more.  What the program allocates is no news. */
START_TEST(code_mapped_after_the_rest_was_told_is_told_soon)
{
	enum { N = 2000, TRIES = 100 };
	char path[4096];

	if (!prf_mapwatch_can_query())
		prf_skip("the kernel does not answer PROCMAP_QUERY (Linux "
			 "6.11)");
	map_with_gaps(N);
	begin_watch(true);
	make_file("soon", path);
	uint64_t start_ns = prf_clock_ns(CLOCK_MONOTONIC);
	ck_assert_int_eq(prf_mapwatch_tell_rest(watch, &recorder.base), 0);
	uint64_t cost_ns = prf_clock_ns(CLOCK_MONOTONIC) - start_ns;
	uint64_t addr = map_code(path, NULL);
	for (int i = 0; i < TRIES && !prf_recorder_at(&recorder, addr); i++) {
		usleep((useconds_t)(cost_ns / 1000));
		ck_assert_int_eq(prf_mapwatch_tell_rest(watch, &recorder.base),
				 0);
	}
	ck_assert_ptr_nonnull(prf_recorder_at(&recorder, addr));
}
END_TEST

START_TEST(memory_of_any_kind_is_found)
{
	struct prf_procmap map;
	char name[PRF_PROCMAP_NAME_BYTES];
	uint64_t on_stack = (uint64_t)(uintptr_t)&map;

	begin_watch(_i);
	ck_assert_int_eq(
		prf_mapwatch_find(watch, getpid(), on_stack, &map, name), 0);
	ck_assert_str_eq(name, "[stack]");
	ck_assert_uint_ge(on_stack, map.addr);
	ck_assert_uint_lt(on_stack, map.addr + map.size);
	ck_assert(!map.is_shared);
	ck_assert_int_eq(prf_mapwatch_find(watch, getpid(), 8, &map, name),
			 -ENOENT);
}
END_TEST

START_TEST(another_file_at_the_same_place_is_told)
{
	char first[4096], second[4096];
	uint64_t first_inode = make_file("first", first);
	uint64_t second_inode = make_file("second", second);

	begin_watch(_i);
	uint64_t addr = map_code(first, NULL);
	look_until_verified(addr);
	check_file(addr, first, first_inode);
	unmap_code(addr);
	map_code(second, (void *)(uintptr_t)addr);
	look_until_verified(addr);
	check_file(addr, second, second_inode);
}
END_TEST

START_TEST(a_file_in_place_of_memory_without_one_is_told)
{
	char path[4096];
	uint64_t inode = make_file("later", path);

	begin_watch(_i);
	/* A place apart, so that nothing is joined to it. */
	char *room = mmap(NULL, 4 * page, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t addr = map_code(NULL, room + page);
	look_until_verified(addr);
	const struct prf_mapping *map = prf_recorder_at(&recorder, addr);
	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(map->kind, PRF_MAPPING_ANON);
	map_code(path, room + page);
	look_until_verified(addr);
	check_file(addr, path, inode);
}
END_TEST

START_TEST(code_that_is_unmapped_is_told_to_be_gone)
{
	char path[4096];

	make_file("gone", path);
	begin_watch(_i);
	uint64_t addr = map_code(path, NULL);
	look_until_verified(addr);
	unmap_code(addr);
	look_until_verified(addr);
	ck_assert_ptr_null(prf_recorder_at(&recorder, addr));
}
END_TEST

START_TEST(half_of_a_mapping_can_go_and_the_rest_stays_known)
{
	char path[4096];
	uint64_t inode = make_file("half", path);

	begin_watch(_i);
	uint64_t addr = map_code(path, NULL);
	look_until_verified(addr);
	ck_assert_int_eq(munmap((void *)(uintptr_t)(addr + page), page), 0);
	look_until_verified(addr);
	check_file(addr, path, inode);
	look_until_verified(addr + page);
	look_until_verified(addr);
	check_file(addr, path, inode);
}
END_TEST

START_TEST(many_mappings_are_kept_apart)
{
	enum { N = 600 };
	struct prf_procmap told;
	char *pages = map_with_gaps(N);

	begin_watch(_i);
	for (size_t i = 0; i < N; i += 4)
		ck_assert_int_eq(munmap(pages + i * page, page), 0);
	ck_assert_int_eq(prf_mapwatch_tell_all(watch, &recorder.base), 0);
	for (size_t i = 0; i < N; i++) {
		uint64_t addr = (uint64_t)(uintptr_t)(pages + i * page);

		ck_assert_int_eq(prf_mapwatch_told(watch, addr, &told),
				 i % 4 == 2);
		if (i % 4 == 2)
			ck_assert_uint_eq(told.addr, addr);
	}
}
END_TEST

/* How often all is said to be gone. */
static int n_all_gone;

static int
note_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	n_all_gone += map->kind == PRF_MAPPING_NONE && map->addr == 0 &&
		      map->size >> 63;
	return 0;
}

static const struct prf_sink_ops noting_ops = {.mapping = note_mapping};
static struct prf_sink noting = {.ops = &noting_ops};

/* As a sample meets one of so many mappings, one after the other. */
static void
meet(uint64_t addr)
{
	const struct prf_mapwatch_note note = {
		.addr = addr,
		.kind = PRF_MAPWATCH_OTHER,
		.map = {.addr = addr, .size = page},
	};
	bool verified;

	ck_assert_int_eq(prf_mapwatch_tell(watch, &note, &noting, &verified),
			 0);
}

/* A program can map and unmap without end; what is forgotten is told to be gone. */
START_TEST(no_more_mappings_are_known_than_a_process_may_have)
{
	enum { MOST = 1 << 16 };
	const uint64_t begin = UINT64_C(1) << 32;
	struct prf_procmap map;
	uint64_t n_known = 0;

	begin_watch(_i);
	for (uint64_t i = 0; i <= 2 * MOST; i++)
		meet(begin + 2 * i * page);
	for (uint64_t i = 0; i <= 2 * MOST; i++)
		n_known += prf_mapwatch_told(watch, begin + 2 * i * page, &map);
	ck_assert_uint_le(n_known, MOST);
	ck_assert(prf_mapwatch_told(watch, begin + 4 * MOST * page, &map));
	ck_assert(!prf_mapwatch_told(watch, begin, &map));
	ck_assert_int_eq(n_all_gone, 2);
	ck_assert(prf_mapwatch_has_too_many(watch));
}
END_TEST

static const char *const names[] = {
	"two words",   "tab\there",    "line\nbreak", " blanks ",
	"back\\slash", "\303\244\377", "[vdso]",      "(deleted) not",
};
enum { N_NAMES = sizeof names / sizeof *names };

START_TEST(a_path_is_told_as_it_is_whatever_is_in_it)
{
	char path[4096];
	const char *name = names[_i / N_WAYS];

	uint64_t inode = make_file(name, path);
	begin_watch(_i % N_WAYS);
	uint64_t addr = map_code(path, NULL);
	look_until_verified(addr);
	check_file(addr, path, inode);
}
END_TEST

START_TEST(a_file_that_was_deleted_is_known_as_such)
{
	char path[4096];
	uint64_t inode = make_file("short-lived", path);

	begin_watch(_i);
	uint64_t addr = map_code(path, NULL);
	ck_assert_int_eq(unlink(path), 0);
	look_until_verified(addr);
	check_file(addr, path, inode);
	ck_assert(prf_recorder_at(&recorder, addr)->deleted);
}
END_TEST

START_TEST(with_the_query_every_look_is_verified)
{
	begin_watch(true);
	if (!look_at((uint64_t)(uintptr_t)&prf_mapwatch_new))
		prf_skip("the kernel does not answer PROCMAP_QUERY (Linux "
			 "6.11)");
	for (int i = 0; i < 1000; i++)
		ck_assert(look_at((uint64_t)(uintptr_t)&prf_mapwatch_new));
}
END_TEST

START_TEST(without_it_most_looks_do_not_read_the_file)
{
	int n_verified = 0;

	begin_watch(false);
	for (int i = 0; i < 1000; i++)
		n_verified += look_at((uint64_t)(uintptr_t)&prf_mapwatch_new);
	ck_assert_int_lt(n_verified, 500);
}
END_TEST

/* Mappings whose lines have nearly 4000 bytes each. */
static void
map_too_many(void)
{
	enum { DEEP = 15, NAME_BYTES = 250 };
	const size_t n = PRF_PROCFS_MAX_BYTES / (DEEP * NAME_BYTES) + 1;
	char name[NAME_BYTES + 1], before[4096], path[4096];

	memset(name, 'd', NAME_BYTES);
	name[NAME_BYTES] = '\0';
	ck_assert_ptr_nonnull(getcwd(before, sizeof before));
	make_file("many", path);
	ck_assert_int_eq(chdir(folder), 0);
	for (int i = 0; i < DEEP; i++) {
		ck_assert_int_eq(mkdir(name, 0700), 0);
		ck_assert_int_eq(chdir(name), 0);
	}
	ck_assert_int_eq(rename(path, "many"), 0);
	for (size_t i = 0; i < n; i++)
		map_code("many", NULL);
	ck_assert_int_eq(chdir(before), 0);
}

START_TEST(too_many_mappings_are_not_read_at_every_look)
{
	enum { LOOKS = 30 };
	struct prf_error err = {0};

	map_too_many();
	ck_assert_int_eq(prf_refuse_call(SYS_ioctl, ENOTTY), 0);
	ck_assert_int_eq(prf_mapwatch_new(getpid(), &watch, &err), 0);
	uint64_t begin_ns = prf_clock_ns(CLOCK_MONOTONIC);
	ck_assert_int_eq(prf_mapwatch_tell_all(watch, &recorder.base), 0);
	uint64_t read_ns = prf_clock_ns(CLOCK_MONOTONIC) - begin_ns;
	ck_assert(prf_mapwatch_has_too_many(watch));
	for (int i = 0; i < LOOKS; i++)
		ck_assert(!look_at((uint64_t)(uintptr_t)&prf_mapwatch_new));
	ck_assert_uint_lt(prf_clock_ns(CLOCK_MONOTONIC) - begin_ns,
			  LOOKS / 3 * read_ns);
}
END_TEST

START_TEST(a_process_that_is_gone_is_watched_in_vain)
{
	struct prf_error err = {0};
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_int_eq(prf_mapwatch_new(child, &watch, &err), 0);
	ck_assert_int_eq(prf_mapwatch_tell_all(watch, &recorder.base), 0);
	ck_assert(!look_at(0x1000));
	ck_assert_uint_eq(recorder.n_mappings, 0);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mapwatch");
	TCase *tcase = tcase_create("mapwatch");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, what_is_mapped_at_the_beginning_is_told_once,
			    0, N_WAYS);
	tcase_add_loop_test(tcase, code_mapped_later_is_told_when_it_is_met, 0,
			    N_WAYS);
	tcase_add_test(tcase, all_that_is_mapped_later_is_told_for_stacks);
	tcase_add_test(tcase, code_mapped_after_the_rest_was_told_is_told_soon);
	tcase_add_loop_test(tcase, memory_of_any_kind_is_found, 0, N_WAYS);
	tcase_add_loop_test(tcase, another_file_at_the_same_place_is_told, 0,
			    N_WAYS);
	tcase_add_loop_test(tcase,
			    a_file_in_place_of_memory_without_one_is_told, 0,
			    N_WAYS);
	tcase_add_loop_test(tcase, code_that_is_unmapped_is_told_to_be_gone, 0,
			    N_WAYS);
	tcase_add_loop_test(tcase,
			    half_of_a_mapping_can_go_and_the_rest_stays_known,
			    0, N_WAYS);
	tcase_add_loop_test(tcase, many_mappings_are_kept_apart, 0, N_WAYS);
	tcase_add_loop_test(tcase,
			    no_more_mappings_are_known_than_a_process_may_have,
			    0, N_WAYS);
	tcase_add_loop_test(tcase, a_path_is_told_as_it_is_whatever_is_in_it, 0,
			    N_NAMES * N_WAYS);
	tcase_add_loop_test(tcase, a_file_that_was_deleted_is_known_as_such, 0,
			    N_WAYS);
	tcase_add_test(tcase, with_the_query_every_look_is_verified);
	tcase_add_test(tcase, without_it_most_looks_do_not_read_the_file);
	tcase_add_test(tcase, too_many_mappings_are_not_read_at_every_look);
	tcase_add_test(tcase, a_process_that_is_gone_is_watched_in_vain);
	suite_add_tcase(suite, tcase);
	return suite;
}
