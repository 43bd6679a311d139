#include "space/perfmapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/made.h"

enum { PID = 4711 };

static const char map_name[] = "perf-4711.map";

static int
read_map(time_t begun, struct prf_perfmap **map, struct prf_error *err)
{
	const struct prf_jit jit = {PID, PRF_NO_USER, begun};

	return prf_perfmapfile_read(made_path("."), &jit, map, err);
}

static int
read_error(time_t begun)
{
	struct prf_error err = {0};
	struct prf_perfmap *map = NULL;
	int rc = read_map(begun, &map, &err);

	ck_assert_int_ne(rc, 0);
	ck_assert_ptr_null(map);
	ck_assert_int_eq(err.code, rc);
	ck_assert_ptr_nonnull(strstr(err.text, map_name));
	return rc;
}

START_TEST(a_map_is_read_whole)
{
	static const struct {
		const char *text;
		bool has_f, has_g;
	} maps[] = {
		{"", false, false},
		{"1000 10 f\n", true, false},
		{"1000 10 f\n2000 20 g h\n30", true, true},
	};
	struct prf_perfmap *map = NULL;

	elf_write(made_path(map_name), maps[_i].text, strlen(maps[_i].text));
	ck_assert_int_eq(read_map(time(NULL), &map, NULL), 0);
	const struct prf_perfmap_entry *f = prf_perfmap_at(map, 0x100f);
	const struct prf_perfmap_entry *g = prf_perfmap_at(map, 0x2000);
	ck_assert_int_eq(f && !strcmp(f->name, "f"), maps[_i].has_f);
	ck_assert_int_eq(g && !strcmp(g->name, "g h"), maps[_i].has_g);
	prf_perfmap_drop(map);
}
END_TEST

START_TEST(where_there_is_none_it_is_said)
{
	ck_assert_int_eq(read_error(0), -ENOENT);
}
END_TEST

START_TEST(the_map_of_an_earlier_process_is_refused)
{
	struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
	struct prf_perfmap *map = NULL;

	elf_write(made_path(map_name), "1000 10 f\n", 10);
	ck_assert_int_eq(utimensat(AT_FDCWD, made_path(map_name), times, 0), 0);
	ck_assert_int_eq(read_error(1000002), -ESTALE);
	ck_assert_int_eq(read_map(1000001, &map, NULL), 0);
	prf_perfmap_drop(map);
}
END_TEST

START_TEST(a_fifo_or_a_directory_is_refused_and_does_not_wait)
{
	if (_i)
		ck_assert_int_eq(mkfifo(made_path(map_name), 0600), 0);
	else
		ck_assert_int_eq(mkdir(made_path(map_name), 0700), 0);
	ck_assert_int_eq(read_error(0), -EINVAL);
}
END_TEST

START_TEST(a_symbolic_link_is_refused)
{
	elf_write(made_path("other"), "1000 10 f\n", 10);
	ck_assert_int_eq(symlink("other", made_path(map_name)), 0);
	ck_assert_int_eq(read_error(0), -ELOOP);
}
END_TEST

START_TEST(what_is_too_large_is_refused)
{
	elf_write(made_path(map_name), "", 0);
	ck_assert_int_eq(
		truncate(made_path(map_name), PRF_PERFMAP_BYTES_MAX + 1), 0);
	ck_assert_int_eq(read_error(0), -EFBIG);
}
END_TEST

START_TEST(what_has_too_many_entries_is_refused)
{
	FILE *file = fopen(made_path(map_name), "w");

	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i <= PRF_PERFMAP_ENTRIES_MAX; i++)
		fprintf(file, "%x 1 f\n", i);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(read_error(0), -EFBIG);
}
END_TEST

/* Root gives the file away, and reads it for a process of JIT_UID; or becomes a
 * third. */
START_TEST(the_map_of_another_user_is_refused)
{
	enum { OWNER = 65533, THIRD = 65532 };
	static const struct {
		uid_t file, jit, reader;
		int rc;
	} cases[] = {
		{OWNER, OWNER, 0, 0},
		{OWNER, THIRD, 0, -EPERM},
		{OWNER, PRF_NO_USER, 0, -EPERM},
		{OWNER, 0, 0, -EPERM},
		{0, OWNER, 0, 0},
		{0, OWNER, THIRD, 0},
		{OWNER, OWNER, THIRD, 0},
		{OWNER, THIRD, THIRD, -EPERM},
		{THIRD, PRF_NO_USER, THIRD, 0},
	};
	const struct prf_jit jit = {PID, cases[_i].jit, 0};
	struct prf_perfmap *map = NULL;

	if (geteuid() != 0)
		return; /* nobody else can make such a file */
	elf_write(made_path(map_name), "1000 10 f\n", 10);
	ck_assert_int_eq(chmod(made_path("."), 0755), 0);
	ck_assert_int_eq(chmod(made_path(map_name), 0644), 0);
	ck_assert_int_eq(chown(made_path(map_name), cases[_i].file, 0), 0);
	ck_assert_int_eq(seteuid(cases[_i].reader), 0);
	int rc = prf_perfmapfile_read(made_path("."), &jit, &map, NULL);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(rc, cases[_i].rc);
	prf_perfmap_drop(map);
}
END_TEST

/* --- Processes of other namespaces */

/* Makes the PROC of process 4711, which is number OWN to itself, and the file
 * NAME in its /tmp, if that is not NULL. */
static void
make_proc(int own, const char *name)
{
	char status[128], path[128];

	mkdir(made_path("proc"), 0700);
	mkdir(made_path("proc/4711"), 0700);
	mkdir(made_path("proc/4711/root"), 0700);
	ck_assert_int_eq(mkdir(made_path("proc/4711/root/tmp"), 0700), 0);
	snprintf(status, sizeof status,
		 "Name:\tx\nNSpid:\t4711\t12\t%d\nNSpgid:\t1\t2\n", own);
	elf_write(made_path("proc/4711/status"), status, strlen(status));
	if (name) {
		snprintf(path, sizeof path, "proc/4711/root/tmp/%s", name);
		elf_write(made_path(path), "1000 10 own\n", 12);
	}
}

/* The name of the function at 0x1000, as it is found; "": there is no map. */
static const char *
find_name(void)
{
	static char name[16];
	const struct prf_jit jit = {PID, PRF_NO_USER, 0};
	struct prf_perfmap *map = NULL;
	struct prf_error err = {0};
	int rc = prf_perfmapfile_find(made_path("proc"), made_path("."), &jit,
				      &map, &err);

	if (rc) {
		ck_assert_int_eq(rc, -ENOENT);
		ck_assert_ptr_nonnull(strstr(err.text, map_name));
		return "";
	}
	const struct prf_perfmap_entry *entry = prf_perfmap_at(map, 0x1000);
	ck_assert_ptr_nonnull(entry);
	snprintf(name, sizeof name, "%s", entry->name);
	prf_perfmap_drop(map);
	return name;
}

START_TEST(in_its_own_root_it_has_its_own_number)
{
	make_proc(7, "perf-7.map");
	ck_assert_str_eq(find_name(), "own");
	elf_write(made_path(map_name), "1000 10 other\n", 14);
	ck_assert_str_eq(find_name(), "own");
	ck_assert_int_eq(unlink(made_path("proc/4711/root/tmp/perf-7.map")), 0);
	ck_assert_str_eq(find_name(), "other");
}
END_TEST

START_TEST(in_its_own_root_it_can_have_the_same_number)
{
	make_proc(PID, map_name);
	ck_assert_str_eq(find_name(), "own");
}
END_TEST

START_TEST(one_that_has_ended_has_left_its_map_where_we_see_it)
{
	ck_assert_str_eq(find_name(), "");
	elf_write(made_path(map_name), "1000 10 other\n", 14);
	ck_assert_str_eq(find_name(), "other");
}
END_TEST

START_TEST(no_link_leads_out_of_its_root)
{
	make_proc(7, NULL);
	ck_assert_int_eq(mkdir(made_path("ours"), 0700), 0);
	elf_write(made_path("ours/perf-7.map"), "1000 10 ours\n", 13);
	ck_assert_int_eq(rmdir(made_path("proc/4711/root/tmp")), 0);
	ck_assert_int_eq(
		symlink(made_path("ours"), made_path("proc/4711/root/tmp")), 0);
	ck_assert_str_eq(find_name(), "");
}
END_TEST

static const char *const mounts_of[] = {"self", "4711"};

/* Neither in its own /tmp nor in ours, which the directory of the test is in. */
START_TEST(it_is_not_read_where_it_may_never_answer)
{
	static const char mounts[] =
		"21 1 8:1 / / rw - ext4 /dev/a rw\n"
		"22 21 0:44 / /tmp rw - fuse.sshfs far:/tmp rw\n";
	const struct prf_jit jit = {PID, PRF_NO_USER, 0};
	struct prf_perfmap *map = NULL;
	struct prf_error err = {0};
	char path[64];

	make_proc(PID, map_name);
	mkdir(made_path("proc/self"), 0700);
	snprintf(path, sizeof path, "proc/%s/mountinfo", mounts_of[_i]);
	elf_write(made_path(path), mounts, strlen(mounts));
	ck_assert_int_eq(prf_perfmapfile_find(made_path("proc"), made_path("."),
					      &jit, &map, &err),
			 -EAGAIN);
	ck_assert_ptr_nonnull(strstr(err.text, map_name));
	ck_assert_int_eq(unlink(made_path(path)), 0);
	ck_assert_str_eq(find_name(), "own");
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("perfmapfile");
	TCase *tcase = tcase_create("perfmapfile");

	tcase_add_checked_fixture(tcase, made_begin, made_end);
	tcase_add_loop_test(tcase, a_map_is_read_whole, 0, 3);
	tcase_add_test(tcase, where_there_is_none_it_is_said);
	tcase_add_test(tcase, the_map_of_an_earlier_process_is_refused);
	tcase_add_loop_test(tcase,
			    a_fifo_or_a_directory_is_refused_and_does_not_wait,
			    0, 2);
	tcase_add_test(tcase, a_symbolic_link_is_refused);
	tcase_add_test(tcase, what_is_too_large_is_refused);
	tcase_add_test(tcase, what_has_too_many_entries_is_refused);
	tcase_add_loop_test(tcase, the_map_of_another_user_is_refused, 0, 9);
	tcase_add_test(tcase, in_its_own_root_it_has_its_own_number);
	tcase_add_test(tcase, in_its_own_root_it_can_have_the_same_number);
	tcase_add_test(tcase,
		       one_that_has_ended_has_left_its_map_where_we_see_it);
	tcase_add_test(tcase, no_link_leads_out_of_its_root);
	tcase_add_loop_test(tcase, it_is_not_read_where_it_may_never_answer, 0,
			    sizeof mounts_of / sizeof *mounts_of);
	suite_add_tcase(suite, tcase);
	return suite;
}
