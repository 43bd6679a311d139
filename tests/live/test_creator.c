#include "live/trigger/creator.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "live/proc/status.h"
#include "support/descriptors.h"
#include "support/suite.h"

enum { NEW_TID = 4711 };

static struct prf_creator creator;

static void
set_up(void)
{
	creator = (struct prf_creator){0};
}

static void
tear_down(void)
{
	prf_creator_clear(&creator);
}

/* Of a thread of this process that CREATOR_TID has made. */
static int
read_by(pid_t creator_tid, struct prf_thread_status *status)
{
	return prf_creator_status_read(&creator, getpid(), creator_tid, NEW_TID,
				       status);
}

START_TEST(a_new_thread_has_the_filters_of_its_creator_and_its_own_id)
{
	struct prf_thread_status own, its;

	ck_assert_int_eq(prf_status_read_thread(getpid(), gettid(), &own), 0);
	ck_assert_int_eq(read_by(gettid(), &its),
			 own.own_tid == gettid() ? 0 : -ENOENT);
	if (own.own_tid != gettid())
		return; /* in a PID namespace inside that of our /proc */
	ck_assert_int_eq(its.own_tid, NEW_TID);
	ck_assert_uint_eq(its.seccomp_mode, own.seccomp_mode);
	ck_assert_uint_eq(its.seccomp_filters, own.seccomp_filters);
}
END_TEST

START_TEST(one_whose_creator_is_not_known_or_gone_is_asked_itself)
{
	struct prf_thread_status its;

	ck_assert_int_eq(read_by(0, &its), -ENOENT);
	ck_assert_int_eq(read_by(1 << 29, &its), -ENOENT);
	ck_assert_int_eq(creator.tid, 0);
}
END_TEST

/* --- Threads of this process that have made TASK */

static pthread_barrier_t step;
static pid_t creator_tid;

/* Lets every call pass. */
static void
put_filter(void)
{
	struct sock_filter pass = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
	struct sock_fprog program = {1, &pass};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
			 0);
}

static void *
create(void *arg)
{
	(void)arg;
	creator_tid = gettid();
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step); /* it has been asked */
	put_filter();
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step); /* and again */
	return NULL;
}

START_TEST(filters_that_the_creator_gets_later_are_seen_and_its_end_too)
{
	struct prf_thread_status own, its;
	pthread_t thread;

	ck_assert_int_eq(prf_status_read_thread(getpid(), gettid(), &own), 0);
	ck_assert_int_eq(pthread_barrier_init(&step, NULL, 2), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, create, NULL), 0);
	pthread_barrier_wait(&step);
	int rc = read_by(creator_tid, &its);
	ck_assert_int_eq(rc, own.own_tid == gettid() ? 0 : -ENOENT);
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	if (!rc) {
		ck_assert_int_eq(read_by(creator_tid, &its), 0);
		ck_assert_uint_eq(its.seccomp_mode, SECCOMP_MODE_FILTER);
		ck_assert_uint_eq(its.seccomp_filters, own.seccomp_filters + 1);
	}
	pthread_barrier_wait(&step);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	/* (The kernel may take a moment to bury it.) */
	while (!(rc = read_by(creator_tid, &its)))
		usleep(1000);
	ck_assert_int_lt(rc, 0);
}
END_TEST

/* --- Descriptors */

START_TEST(one_file_is_open_for_a_process_however_many_create)
{
	struct prf_thread_status its;
	int rc = 0, before = prf_test_n_open();

	for (int i = 0; i < 10; i++)
		rc = read_by(i % 2 ? gettid() : getpid() + i, &its);
	ck_assert(!rc || rc == -ENOENT);
	ck_assert_int_eq(creator.tid, gettid());
	ck_assert_int_eq(prf_test_n_open(), before + 1);
	prf_creator_clear(&creator);
	prf_creator_clear(&creator);
	ck_assert_int_eq(prf_test_n_open(), before);
}
END_TEST

START_TEST(none_is_open_where_others_need_the_room)
{
	int before = prf_test_n_open();
	struct prf_thread_status its;

	prf_test_leave_little_room();
	ck_assert_int_eq(read_by(gettid(), &its), -EMFILE);
	ck_assert_int_eq(prf_test_n_open(), before);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("creator");
	TCase *tcase = tcase_create("creator");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(
		tcase,
		a_new_thread_has_the_filters_of_its_creator_and_its_own_id);
	tcase_add_test(tcase,
		       one_whose_creator_is_not_known_or_gone_is_asked_itself);
	tcase_add_test(
		tcase,
		filters_that_the_creator_gets_later_are_seen_and_its_end_too);
	tcase_add_test(tcase,
		       one_file_is_open_for_a_process_however_many_create);
	tcase_add_test(tcase, none_is_open_where_others_need_the_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
