/* What the kernel says of threads, in files that have its form. */
#include "inproc/threadlist.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/suite.h"

/* A status in which N groups come before MASK, which is blocked. */
static int
write_status(int n, const char *mask)
{
	int fd = memfd_create("status", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	dprintf(fd, "Name:\tSigBlk:\nGroups:\t");
	for (int i = 0; i < n; i++)
		dprintf(fd, "%d ", 1000000 + i);
	dprintf(fd, "\nSigPnd:\t0000000000000000\nSigBlk:\t%s\n", mask);
	dprintf(fd, "SigIgn:\tffffffffffffffff\n");
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static bool
blocks(int n_groups, const char *mask, int signo)
{
	int fd = write_status(n_groups, mask);
	bool rc = prf_threadlist_status_blocks(fd, signo);

	close(fd);
	return rc;
}

/* So that the line is anywhere in what is read at once, and across two of these. */
START_TEST(any_number_of_groups_hides_no_mask)
{
	for (int n = 200; n < 300; n++) {
		ck_assert(blocks(n, "0000000000000200", SIGUSR1));
		ck_assert(!blocks(n, "0000000000000200", SIGUSR2));
		ck_assert(!blocks(n, "fffffffffffffdff", SIGUSR1));
	}
	ck_assert(blocks(0, "0000000000000200", SIGUSR1));
	ck_assert(blocks(65536, "0000000000000200", SIGUSR1));
	ck_assert(blocks(65536, "8000000000000000", 64));
}
END_TEST

START_TEST(a_thread_of_this_process_blocks_what_it_blocks)
{
	sigset_t set;

	ck_assert(!prf_threadlist_blocks(gettid(), SIGUSR1));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	ck_assert(prf_threadlist_blocks(gettid(), SIGUSR1));
	ck_assert(!prf_threadlist_blocks(gettid(), SIGUSR2));
	/* Not one of this process. */
	ck_assert(!prf_threadlist_blocks(1, SIGUSR1));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("threadlist");
	TCase *tcase = tcase_create("threadlist");

	tcase_add_test(tcase, any_number_of_groups_hides_no_mask);
	tcase_add_test(tcase, a_thread_of_this_process_blocks_what_it_blocks);
	suite_add_tcase(suite, tcase);
	return suite;
}
