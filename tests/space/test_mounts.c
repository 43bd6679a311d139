#include "space/mounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "support/suite.h"

static const char table[] =
	"22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
	"23 22 0:21 / /proc rw shared:5 - proc proc rw\n"
	"30 22 0:40 / /home/a\\040b/far rw - fuse.sshfs a@b:/ rw,user_id=0\n"
	"31 30 0:41 / /home/a\\040b/far/near rw master:1 - tmpfs tmpfs rw\n"
	"32 22 0:42 / /under rw - fuse x rw\n"
	"33 32 0:43 / /under rw - ext4 /dev/vdb rw\n"
	"34 22 0:44 / /vm rw - virtiofs root rw\n"
	"35 22 0:45 / /fused rw - fused x rw\n"
	"broken\n"
	"36 22 9:46 /\n"
	"37 22 9:47 / /cut rw -";

static const struct {
	const char *path;
	unsigned major, minor;
	bool may_be_silent;
} cases[] = {
	{"/bin/true", 254, 0, false},
	{"/bin/true", 9, 9, false},
	{"/home/a b/far", 0, 40, true},
	{"/home/a b/far/program", 9, 9, true},
	{"/home/a b/farther", 254, 0, false},
	{"/home/a\\040b/far/x", 254, 0, false},
	{"/home/a b/far/near/x", 0, 41, false},
	/* By its device alone: its path is another by now. */
	{"/elsewhere", 0, 40, true},
	/* One that is hidden by another is not asked. */
	{"/under/x", 0, 43, false},
	{"/under/x", 0, 42, true},
	{"/vm/x", 0, 44, true},
	{"/fused/x", 0, 45, false},
	{"/x", 9, 46, false},
	{"/cut/x", 9, 47, false},
	{"", 9, 9, false},
};

static struct prf_mounts *
parse(const char *text, uint64_t root_dev)
{
	struct prf_mounts *mounts = prf_mounts_parse(text, root_dev);

	ck_assert_ptr_nonnull(mounts);
	return mounts;
}

START_TEST(a_process_answers_where_the_table_says_so)
{
	struct prf_mounts *mounts = parse(table, 0);

	ck_assert(prf_mounts_may_be_silent(
			  mounts, cases[_i].path,
			  makedev(cases[_i].major, cases[_i].minor)) ==
		  cases[_i].may_be_silent);
	prf_mounts_free(mounts);
}
END_TEST

/* As in a container of fuse-overlayfs, and another that is seen from there. */
START_TEST(what_the_root_is_made_of_is_trusted)
{
	static const char text[] =
		"22 1 0:50 / / rw - fuse.fuse-overlayfs x rw\n"
		"23 22 0:40 / /far rw - fuse.sshfs a@b:/ rw\n"
		"24 22 0:50 /etc /bound rw - fuse.fuse-overlayfs x rw\n"
		"25 22 0:51 / /other rw - fuse.fuse-overlayfs y rw\n";
	static const struct {
		const char *path;
		unsigned minor;
		bool may_be_silent;
	} roots[] = {
		{"/bin/true", 50, false},      {"/bin/true", 9, false},
		{"/bin/true", 51, true},       {"/bound/hosts", 50, false},
		{"/far/x", 40, true},          {"/far/x", 50, true},
		{"/other/bin/true", 50, true},
	};
	struct prf_mounts *mounts = parse(text, makedev(0, 50));
	struct prf_mounts *of_others = parse(text, 0);

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		ck_assert_msg(
			prf_mounts_may_be_silent(mounts, roots[i].path,
						 makedev(0, roots[i].minor)) ==
				roots[i].may_be_silent,
			"%s %u", roots[i].path, roots[i].minor);
	ck_assert(!prf_mounts_path_may_be_silent(mounts, "/bin/true"));
	ck_assert(prf_mounts_path_may_be_silent(mounts, "/far/x"));
	ck_assert(prf_mounts_path_may_be_silent(of_others, "/bin/true"));
	prf_mounts_free(mounts);
	prf_mounts_free(of_others);
}
END_TEST

START_TEST(the_tables_of_this_process_are_read)
{
	struct prf_mounts *mounts = prf_mounts_new();
	struct prf_mounts *now = prf_mounts_read("/proc", getpid());
	struct stat root;

	ck_assert_ptr_nonnull(mounts);
	ck_assert_ptr_nonnull(now);
	ck_assert_int_eq(stat("/", &root), 0);
	ck_assert(!prf_mounts_may_be_silent(mounts, "/", root.st_dev));
	ck_assert(!prf_mounts_may_be_silent(now, "/", root.st_dev));
	ck_assert(!prf_mounts_path_may_be_silent(mounts, "/"));
	ck_assert_ptr_null(prf_mounts_read("/proc", -1));
	prf_mounts_free(now);
	prf_mounts_free(mounts);
	prf_mounts_free(NULL);
}
END_TEST

/* The directory has no mounts but those that the table tells of. */
START_TEST(links_are_followed_to_where_a_process_answers)
{
	static const struct {
		const char *link, *to, *path;
		bool leads;
	} links[] = {
		{"plain", "/dev/null", "plain", false},
		{"file", "mute/program", "file", true},
		{"way", "mute", "way/sub/program", true},
		{"back", "proc/../mute/program", "back", true},
		{"chain", "way/program", "chain", true},
		{"past", "mute/../plain", "past", true},
		{"beside", "mutest/program", "beside", false},
		{"loop", "loop", "loop", true},
		{"gone", "nowhere/../mute", "gone", false},
		/* What others see as their root is not what is there for us. */
		{"proc/root", "/", "proc/root/dev/null", true},
		{"proc/self", "7", "proc/self/maps", false},
	};
	char dir[] = "/tmp/mounts.XXXXXX", text[256], path[256];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(text, sizeof text,
		 "22 1 254:0 / / rw - ext4 /dev/vda rw\n"
		 "30 22 0:40 / %s/mute rw - fuse x rw\n"
		 "31 22 0:41 / %s/proc rw - proc proc rw\n",
		 dir, dir);
	snprintf(path, sizeof path, "%s/proc", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, links[i].link);
		ck_assert_int_eq(symlink(links[i].to, path), 0);
	}
	struct prf_mounts *mounts = parse(text, 0);
	for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, links[i].path);
		ck_assert_msg(prf_mounts_path_may_be_silent(mounts, path) ==
				      links[i].leads,
			      "%s", path);
	}
	ck_assert(!prf_mounts_path_may_be_silent(mounts, "relative"));
	prf_mounts_free(mounts);
	snprintf(path, sizeof path, "rm -rf '%s'", dir);
	ck_assert_int_eq(system(path), 0);
}
END_TEST

START_TEST(a_path_that_is_too_long_is_not_followed)
{
	static char path[8192];
	struct prf_mounts *mounts = parse(table, 0);

	memset(path, '/', sizeof path - 1);
	ck_assert(prf_mounts_path_may_be_silent(mounts, path));
	path[4000] = '\0';
	ck_assert(!prf_mounts_path_may_be_silent(mounts, path));
	prf_mounts_free(mounts);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mounts");
	TCase *tcase = tcase_create("mounts");

	tcase_add_loop_test(tcase, a_process_answers_where_the_table_says_so, 0,
			    sizeof cases / sizeof *cases);
	tcase_add_test(tcase, what_the_root_is_made_of_is_trusted);
	tcase_add_test(tcase, links_are_followed_to_where_a_process_answers);
	tcase_add_test(tcase, a_path_that_is_too_long_is_not_followed);
	tcase_add_test(tcase, the_tables_of_this_process_are_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
