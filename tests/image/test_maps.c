#include "image/maps.h"
#include "support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct prf_maps *
parse(const char *text)
{
	struct prf_error err = {0};
	struct prf_maps *maps = NULL;

	ck_assert_msg(prf_maps_parse(text, strlen(text), 7, &maps, &err) == 0,
		      "%s", err.text);
	return maps;
}

static const char ordinary[] =
	"55a0c0000000-55a0c0001000 r--p 00000000 fd:01 1234   /usr/bin/cat\n"
	"55a0c0001000-55a0c0005000 r-xp 00001000 fd:01 1234   /usr/bin/cat\n"
	"55a0c1000000-55a0c1021000 rw-p 00000000 00:00 0      [heap]\n"
	"7f0000000000-7f0000010000 rwxp 00000000 00:00 0 \n"
	"7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0      [vdso]\n"
	"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]\n";

START_TEST(only_executable_mappings_are_kept)
{
	struct prf_maps *maps = parse(ordinary);
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);

	ck_assert_uint_eq(n, 4);
	ck_assert_int_eq(all[0].pid, 7);
	ck_assert_int_eq(all[0].kind, PRF_MAPPING_FILE);
	ck_assert_uint_eq(all[0].addr, 0x55a0c0001000);
	ck_assert_uint_eq(all[0].size, 0x4000);
	ck_assert_uint_eq(all[0].file_off, 0x1000);
	ck_assert_uint_eq(all[0].dev, makedev(0xfd, 1));
	ck_assert_uint_eq(all[0].inode, 1234);
	ck_assert_str_eq(all[0].path, "/usr/bin/cat");
	ck_assert_uint_eq(all[0].deleted, 0);
	prf_maps_free(maps);
}
END_TEST

START_TEST(memory_without_a_file_is_told_apart)
{
	struct prf_maps *maps = parse(ordinary);
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);

	ck_assert_int_eq(all[1].kind, PRF_MAPPING_ANON);
	ck_assert_str_eq(all[1].path, "");
	ck_assert_int_eq(all[2].kind, PRF_MAPPING_VDSO);
	ck_assert_int_eq(all[3].kind, PRF_MAPPING_ANON);
	ck_assert_str_eq(all[3].path, "[vsyscall]");
	ck_assert_uint_eq(all[3].addr + all[3].size - 1, 0xffffffffff600fff);
	prf_maps_free(maps);
}
END_TEST

/* What stands behind the inode, and what becomes of it. */
static const struct {
	const char *written, *path;
	enum prf_mapping_kind kind;
	int deleted;
} names[] = {
	{"/a/b", "/a/b", PRF_MAPPING_FILE, 0},
	{"/a/b (deleted)", "/a/b", PRF_MAPPING_FILE, 1},
	{"/a b/c  d", "/a b/c  d", PRF_MAPPING_FILE, 0},
	{"/a\\012b", "/a\nb", PRF_MAPPING_FILE, 0},
	{"/a\\013b\\", "/a\\013b\\", PRF_MAPPING_FILE, 0},
	{"/a\\012 (deleted)", "/a\n", PRF_MAPPING_FILE, 1},
	{"/x//deleted/y", "/x//deleted/y", PRF_MAPPING_FILE, 0},
	{"/x (deleted)/y", "/x (deleted)/y", PRF_MAPPING_FILE, 0},
	{"(unreachable)/a", "(unreachable)/a", PRF_MAPPING_FILE, 0},
	{"/memfd:jit (deleted)", "/memfd:jit", PRF_MAPPING_ANON, 1},
	{"/memfd:a file", "/memfd:a file", PRF_MAPPING_FILE, 0},
	{"/SYSV00000000 (deleted)", "/SYSV00000000", PRF_MAPPING_ANON, 1},
	{"/SYSV/f", "/SYSV/f", PRF_MAPPING_FILE, 0},
	{"/dev/zero (deleted)", "/dev/zero", PRF_MAPPING_ANON, 1},
	{"/dev/zero", "/dev/zero", PRF_MAPPING_ANON, 0},
	{"/dev/zeroes", "/dev/zeroes", PRF_MAPPING_FILE, 0},
	{"/dev/shm/x", "/dev/shm/x", PRF_MAPPING_FILE, 0},
	{"/anon_hugepage (deleted)", "/anon_hugepage", PRF_MAPPING_ANON, 1},
	{"anon_inode:[perf_event]", "anon_inode:[perf_event]", PRF_MAPPING_ANON,
	 0},
	{"[heap]", "[heap]", PRF_MAPPING_ANON, 0},
	{"[stack]", "[stack]", PRF_MAPPING_ANON, 0},
	{"[anon:v8 code]", "[anon:v8 code]", PRF_MAPPING_ANON, 0},
	{"[vdso]", "[vdso]", PRF_MAPPING_VDSO, 0},
};

START_TEST(a_name_tells_what_kind_of_memory_it_is)
{
	char line[256];

	snprintf(line, sizeof line, "1000-2000 r-xp 00000000 08:02 5    %s\n",
		 names[_i].written);
	struct prf_maps *maps = parse(line);
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(all[0].path, names[_i].path);
	ck_assert_int_eq(all[0].kind, names[_i].kind);
	ck_assert_int_eq(all[0].deleted, names[_i].deleted);
	prf_maps_free(maps);
}
END_TEST

START_TEST(the_maps_of_a_32_bit_process_are_read)
{
	struct prf_maps *maps =
		parse("08048000-08056000 r-xp 00000000 03:0c 64593 /sbin/g\n"
		      "f7f0e000-f7f10000 r-xp 00000000 00:00 0 [vdso]\n");
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);

	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(all[0].addr, 0x8048000);
	ck_assert_int_eq(all[1].kind, PRF_MAPPING_VDSO);
	prf_maps_free(maps);
}
END_TEST

START_TEST(an_address_finds_its_mapping)
{
	struct prf_maps *maps = parse(ordinary);
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);

	ck_assert_ptr_null(prf_maps_at(maps, 0));
	ck_assert_ptr_null(prf_maps_at(maps, 0x55a0c0000fff));
	ck_assert_ptr_eq(prf_maps_at(maps, 0x55a0c0001000), &all[0]);
	ck_assert_ptr_eq(prf_maps_at(maps, 0x55a0c0004fff), &all[0]);
	ck_assert_ptr_null(prf_maps_at(maps, 0x55a0c0005000));
	ck_assert_ptr_eq(prf_maps_at(maps, 0xffffffffff600800), &all[3]);
	ck_assert_ptr_null(prf_maps_at(maps, UINT64_MAX));
	prf_maps_free(maps);
}
END_TEST

START_TEST(where_lines_overlap_the_later_one_holds)
{
	struct prf_maps *maps = parse("1000-4000 r-xp 0 00:00 0 \n"
				      "5000-6000 r-xp 0 00:00 0 \n"
				      "3000-9000 rwxp 0 00:00 0 [anon:x]\n");
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);

	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(all[0].size, 0x2000);
	ck_assert_uint_eq(all[1].addr, 0x3000);
	prf_maps_free(maps);
}
END_TEST

START_TEST(no_text_is_no_mappings)
{
	struct prf_maps *maps = parse("");
	size_t n;

	prf_maps_all(maps, &n);
	ck_assert_uint_eq(n, 0);
	ck_assert_ptr_null(prf_maps_at(maps, 1));
	prf_maps_free(maps);
	prf_maps_free(NULL);
}
END_TEST

/* The second of these lines is one that no kernel writes. */
static const char *const bad_lines[] = {
	"",
	"1000",
	"2000-1000 r-xp 00000000 00:00 0",
	"1000-1000 r-xp 00000000 00:00 0",
	"x000-2000 r-xp 00000000 00:00 0",
	"1000-2000 rxwp 00000000 00:00 0",
	"1000-2000 r-x 00000000 00:00 0",
	"1000-2000 r-xp",
	"1000-2000 r-xp 0000000g 00:00 0",
	"1000-2000 r-xp 00000000 0000 0",
	"1000-2000 r-xp 00000000 00:00",
	"1000-2000 r-xp 00000000 00:00 a",
	"1000-2000 r-xp 00000000 100000000:00 1",
	"1000-10000000000000000 r-xp 00000000 00:00 0",
	"1000-2000 r-xp 00000000 00:00 18446744073709551616",
};

START_TEST(a_line_that_no_kernel_writes_is_refused_by_number)
{
	struct prf_error err = {0};
	struct prf_maps *maps = NULL;
	char text[256];

	snprintf(text, sizeof text, "1000-2000 r-xp 00000000 00:00 0 \n%s\n",
		 bad_lines[_i]);
	ck_assert_int_eq(prf_maps_parse(text, strlen(text), 1, &maps, &err),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "line 2"));
	ck_assert_ptr_null(maps);
}
END_TEST

START_TEST(a_text_that_is_cut_is_refused_at_every_length)
{
	struct prf_maps *maps;

	for (size_t size = 1; size < sizeof ordinary - 1; size++) {
		int rc = prf_maps_parse(ordinary, size, 1, &maps, NULL);

		if (ordinary[size - 1] == '\n') {
			ck_assert_int_eq(rc, 0);
			prf_maps_free(maps);
		} else {
			ck_assert_int_eq(rc, -EINVAL);
		}
	}
}
END_TEST

START_TEST(a_nul_in_the_text_is_refused)
{
	static const char text[] = "1000-2000 r-xp 0 00:00 0 /a\0b\n";
	struct prf_maps *maps;

	ck_assert_int_eq(prf_maps_parse(text, sizeof text - 1, 1, &maps, NULL),
			 -EINVAL);
}
END_TEST

START_TEST(our_own_maps_lead_to_our_own_file)
{
	static char text[1 << 20];
	FILE *file = fopen("/proc/self/maps", "re");
	struct stat st;
	struct prf_maps *maps = NULL;

	ck_assert_ptr_nonnull(file);
	size_t size = fread(text, 1, sizeof text, file);
	fclose(file);
	ck_assert_uint_lt(size, sizeof text);
	ck_assert_int_eq(stat("/proc/self/exe", &st), 0);
	ck_assert_int_eq(prf_maps_parse(text, size, getpid(), &maps, NULL), 0);
	const struct prf_mapping *map =
		prf_maps_at(maps, (uint64_t)(uintptr_t)prf_suite);
	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(map->kind, PRF_MAPPING_FILE);
	ck_assert_uint_eq(map->inode, st.st_ino);
	prf_maps_free(maps);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("maps");
	TCase *tcase = tcase_create("maps");

	tcase_add_test(tcase, only_executable_mappings_are_kept);
	tcase_add_test(tcase, memory_without_a_file_is_told_apart);
	tcase_add_loop_test(tcase, a_name_tells_what_kind_of_memory_it_is, 0,
			    COUNT(names));
	tcase_add_test(tcase, the_maps_of_a_32_bit_process_are_read);
	tcase_add_test(tcase, an_address_finds_its_mapping);
	tcase_add_test(tcase, where_lines_overlap_the_later_one_holds);
	tcase_add_test(tcase, no_text_is_no_mappings);
	tcase_add_loop_test(tcase,
			    a_line_that_no_kernel_writes_is_refused_by_number,
			    0, COUNT(bad_lines));
	tcase_add_test(tcase, a_text_that_is_cut_is_refused_at_every_length);
	tcase_add_test(tcase, a_nul_in_the_text_is_refused);
	tcase_add_test(tcase, our_own_maps_lead_to_our_own_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
