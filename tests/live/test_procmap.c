#include "live/proc/procmap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/proc/reach.h"
#include "support/suite.h"

PRF_DEFINE_AUTO(prf_maps, prf_maps_free);

static const struct {
	const char *name, *path;
	uint64_t inode;
	enum prf_mapping_kind kind;
	uint8_t deleted;
} names[] = {
	{"/bin/a", "/bin/a", 7, PRF_MAPPING_FILE, 0},
	{"/bin/a (deleted)", "/bin/a", 7, PRF_MAPPING_FILE, 1},
	{"/tmp/a\nb c", "/tmp/a\nb c", 7, PRF_MAPPING_FILE, 0},
	{"", "", 0, PRF_MAPPING_ANON, 0},
	{"[heap]", "[heap]", 0, PRF_MAPPING_ANON, 0},
	{"[vdso]", "[vdso]", 0, PRF_MAPPING_VDSO, 0},
};

START_TEST(a_name_means_what_it_means_in_the_maps_file)
{
	const struct prf_procmap map = {
		.addr = 0x7f0000401000,
		.size = 0x3000,
		.file_off = 0x1000,
		.dev = makedev(259, 70000),
		.inode = names[_i].inode,
	};
	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = NULL;
	size_t n;

	ck_assert_int_eq(prf_procmap_parse(&map, names[_i].name, 42, &maps), 0);
	const struct prf_mapping *parsed = prf_maps_all(maps, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_int_eq(parsed->pid, 42);
	ck_assert_int_eq(parsed->kind, names[_i].kind);
	ck_assert_uint_eq(parsed->addr, map.addr);
	ck_assert_uint_eq(parsed->size, map.size);
	ck_assert_uint_eq(parsed->file_off, map.file_off);
	ck_assert_uint_eq(parsed->dev, map.dev);
	ck_assert_uint_eq(parsed->inode, map.inode);
	ck_assert_str_eq(parsed->path, names[_i].path);
	ck_assert_uint_eq(parsed->deleted, names[_i].deleted);
}
END_TEST

START_TEST(the_longest_name_fits_and_a_longer_one_is_refused)
{
	const struct prf_procmap map = {.addr = 0x1000, .size = 0x1000};
	char name[PRF_PROCMAP_NAME_BYTES + 1];
	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = NULL;

	/* A newline takes the most room. */
	memset(name, '\n', sizeof name);
	name[0] = '/';
	name[PRF_PROCMAP_NAME_BYTES] = '\0';
	ck_assert_int_eq(prf_procmap_parse(&map, name, 42, &maps),
			 -ENAMETOOLONG);
	name[PRF_PROCMAP_NAME_BYTES - 1] = '\0';
	ck_assert_int_eq(prf_procmap_parse(&map, name, 42, &maps), 0);
	ck_assert_str_eq(prf_maps_at(maps, 0x1000)->path, name);
}
END_TEST

START_TEST(the_kernel_is_asked_what_is_mapped_and_what_is_not)
{
	PRF_AUTO(prf_auto_close)
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	struct prf_procmap map;
	char name[PRF_PROCMAP_NAME_BYTES];

	ck_assert_int_ge(fd, 0);
	if (!prf_procmap_is_answered(fd))
		prf_skip("the kernel does not answer PROCMAP_QUERY (Linux "
			 "6.11)");
	char *page =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(page, MAP_FAILED);
	ck_assert_int_eq(prf_procmap_query(fd, (uintptr_t)page + 5, &map, name),
			 0);
	ck_assert_uint_le(map.addr, (uintptr_t)page);
	ck_assert_uint_gt(map.addr + map.size, (uintptr_t)page);
	ck_assert_uint_eq(map.inode, 0);
	ck_assert(!map.is_shared);
	munmap(page, 4096);
	ck_assert_int_eq(prf_procmap_query(fd, (uintptr_t)page, &map, NULL),
			 -ENOENT);
}
END_TEST

/* Each at its first and its last byte, and what is beside it. */
START_TEST(a_mapping_is_found_in_the_text_of_the_maps_file)
{
	static const struct {
		uint64_t addr;
		const char *name; /* NULL: nothing is there */
	} rows[] = {
		{0xfff, NULL},
		{0x1000, "/bin/a b"},
		{0x1fff, "/bin/a b"},
		{0x2000, ""},
		{0x2fff, ""},
		{0x3000, NULL},
		{0x4fff, NULL},
		{0x5000, "[stack]"},
		{0x6fff, "[stack]"},
		{0x7000, NULL},
		{UINT64_C(0xffffffffff600123), "[vsyscall]"},
		{UINT64_MAX, NULL},
	};
	static const char text[] =
		"1000-2000 r-xp 00003000 08:01 77    /bin/a b\n"
		"2000-3000 rw-s 00000000 00:00 0 \n"
		"5000-7000 rw-p 00000000 00:00 0     [stack]\n"
		"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0"
		"     [vsyscall]\n";
	struct prf_procmap map;
	char name[PRF_PROCMAP_NAME_BYTES];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int rc = prf_procmap_find(text, sizeof text - 1, rows[i].addr,
					  &map, name);

		ck_assert_int_eq(rc, rows[i].name ? 0 : -ENOENT);
		if (rows[i].name)
			ck_assert_str_eq(name, rows[i].name);
	}
	ck_assert_int_eq(
		prf_procmap_find(text, sizeof text - 1, 0x2000, &map, name), 0);
	ck_assert(map.is_shared);
	ck_assert_int_eq(prf_procmap_find(text, 0, 0x1000, &map, name),
			 -ENOENT);
}
END_TEST

/* A thread that is held by a question is not missed, whichever it is. */
START_TEST(each_question_is_seen_as_a_reach)
{
	PRF_AUTO(prf_auto_close)
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	enum { TURNS = 2 }; /* it begins, and it ends */
	struct prf_reach reach = {0};
	struct prf_procmap map;

	prf_reach_show(&reach);
	prf_procmap_is_answered(fd);
	ck_assert_uint_eq(reach.turn, TURNS);
	ck_assert_int_le(prf_procmap_query(fd, 0, &map, NULL), 0);
	ck_assert_uint_eq(reach.turn, 2 * TURNS);
	ck_assert_int_le(prf_procmap_query_code(fd, 0, &map), 0);
	ck_assert_uint_eq(reach.turn, 3 * TURNS);
	prf_reach_show(NULL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("procmap");
	TCase *tcase = tcase_create("procmap");

	tcase_add_loop_test(tcase, a_name_means_what_it_means_in_the_maps_file,
			    0, sizeof names / sizeof *names);
	tcase_add_test(tcase,
		       the_longest_name_fits_and_a_longer_one_is_refused);
	tcase_add_test(tcase,
		       the_kernel_is_asked_what_is_mapped_and_what_is_not);
	tcase_add_test(tcase, a_mapping_is_found_in_the_text_of_the_maps_file);
	tcase_add_test(tcase, each_question_is_seen_as_a_reach);
	suite_add_tcase(suite, tcase);
	return suite;
}
