#include "space/mounts.h"

#include <stdlib.h>
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
	"36 22 0:46 /\n"
	"37 22 0:47 / /cut rw -";

static const struct {
	const char *path;
	unsigned major, minor;
	enum prf_mount_kind kind;
} cases[] = {
	{"/bin/true", 254, 0, PRF_MOUNT_KERNEL},
	{"/bin/true", 9, 9, PRF_MOUNT_UNKNOWN},
	{"/home/a b/far", 0, 40, PRF_MOUNT_PROCESS},
	{"/home/a b/far/program", 9, 9, PRF_MOUNT_PROCESS},
	{"/home/a b/farther", 254, 0, PRF_MOUNT_KERNEL},
	{"/home/a\\040b/far/x", 254, 0, PRF_MOUNT_KERNEL},
	{"/home/a b/far/near/x", 0, 41, PRF_MOUNT_KERNEL},
	/* By its device alone: its path is another by now. */
	{"/elsewhere", 0, 40, PRF_MOUNT_PROCESS},
	/* One that is hidden by another is not asked. */
	{"/under/x", 0, 43, PRF_MOUNT_KERNEL},
	{"/under/x", 0, 42, PRF_MOUNT_PROCESS},
	{"/vm/x", 0, 44, PRF_MOUNT_PROCESS},
	{"/fused/x", 0, 45, PRF_MOUNT_KERNEL},
	{"/x", 0, 46, PRF_MOUNT_UNKNOWN},
	{"/cut/x", 0, 47, PRF_MOUNT_UNKNOWN},
	{"", 9, 9, PRF_MOUNT_UNKNOWN},
};

START_TEST(a_process_answers_where_the_table_says_so)
{
	ck_assert_int_eq(
		prf_mounts_kind(table, cases[_i].path,
				makedev(cases[_i].major, cases[_i].minor)),
		cases[_i].kind);
}
END_TEST

START_TEST(the_tables_of_this_process_are_read)
{
	struct prf_mounts *mounts = prf_mounts_new();
	char *text = prf_mounts_of("/proc", getpid());

	ck_assert_ptr_nonnull(text);
	ck_assert_int_ne(text[0], '\0');
	ck_assert_str_eq(prf_mounts_text(mounts), text);
	ck_assert_str_eq(prf_mounts_text(mounts), text);
	ck_assert_ptr_null(prf_mounts_of("/proc", -1));
	free(text);
	prf_mounts_free(mounts);
	prf_mounts_free(NULL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("mounts");
	TCase *tcase = tcase_create("mounts");

	tcase_add_loop_test(tcase, a_process_answers_where_the_table_says_so, 0,
			    sizeof cases / sizeof *cases);
	tcase_add_test(tcase, the_tables_of_this_process_are_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
