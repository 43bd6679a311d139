#include "live/creator.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "live/status.h"
#include "live/tasks.h"
#include "support/descriptors.h"
#include "support/suite.h"

enum { NEW_TID = 4711 };

static struct prf_process process;
static struct prf_task task;

static void
set_up(void)
{
	process = (struct prf_process){.pid = getpid()};
	task = (struct prf_task){.tid = NEW_TID, .process = &process};
}

static void
tear_down(void)
{
	prf_creator_clear(&process.creator);
}

START_TEST(a_new_thread_has_the_filters_of_its_creator_and_its_own_id)
{
	struct prf_thread_status own, its;

	ck_assert_int_eq(prf_thread_status_read(getpid(), gettid(), &own), 0);
	prf_creator_note(&task, gettid());
	ck_assert_int_eq(prf_creator_status_read(&task, &its),
			 own.own_tid == gettid() ? 0 : -ENOENT);
	if (own.own_tid != gettid())
		return; /* in a PID namespace inside that of our /proc */
	ck_assert_int_eq(its.own_tid, NEW_TID);
	ck_assert_uint_eq(its.seccomp_mode, own.seccomp_mode);
	ck_assert_uint_eq(its.seccomp_filters, own.seccomp_filters);
}
END_TEST

START_TEST(one_whose_creator_is_not_known_or_not_the_latest_is_asked_itself)
{
	struct prf_thread_status its;

	ck_assert_int_eq(prf_creator_status_read(&task, &its), -ENOENT);
	prf_creator_note(&task, gettid());
	task.creator = 0; /* it has run */
	ck_assert_int_eq(prf_creator_status_read(&task, &its), -ENOENT);
	task.creator = gettid() + 1;
	ck_assert_int_eq(prf_creator_status_read(&task, &its), -ENOENT);
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
	pthread_barrier_wait(&step); /* it has been noted */
	put_filter();
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step); /* it has been asked */
	return NULL;
}

START_TEST(filters_that_the_creator_gets_later_are_seen_and_its_end_too)
{
	struct prf_thread_status own, its;
	pthread_t thread;

	ck_assert_int_eq(prf_thread_status_read(getpid(), gettid(), &own), 0);
	ck_assert_int_eq(pthread_barrier_init(&step, NULL, 2), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, create, NULL), 0);
	pthread_barrier_wait(&step);
	prf_creator_note(&task, creator_tid);
	int rc = prf_creator_status_read(&task, &its);
	ck_assert_int_eq(rc, own.own_tid == gettid() ? 0 : -ENOENT);
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	if (!rc) {
		ck_assert_int_eq(prf_creator_status_read(&task, &its), 0);
		ck_assert_uint_eq(its.seccomp_mode, SECCOMP_MODE_FILTER);
		ck_assert_uint_eq(its.seccomp_filters, own.seccomp_filters + 1);
	}
	pthread_barrier_wait(&step);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	/* (The kernel may take a moment to bury it.) */
	while (!(rc = prf_creator_status_read(&task, &its)))
		usleep(1000);
	ck_assert_int_lt(rc, 0);
}
END_TEST

/* --- Descriptors */

START_TEST(one_file_is_open_for_a_process_however_many_create)
{
	int before = prf_test_n_open();

	for (int i = 0; i < 10; i++)
		prf_creator_note(&task, i % 2 ? gettid() : getpid() + i);
	ck_assert_int_eq(process.creator.tid, gettid());
	ck_assert_int_eq(prf_test_n_open(), before + 1);
	prf_creator_clear(&process.creator);
	prf_creator_clear(&process.creator);
	ck_assert_int_eq(prf_test_n_open(), before);
}
END_TEST

START_TEST(none_is_open_where_others_need_the_room)
{
	int before = prf_test_n_open();
	struct prf_thread_status its;

	prf_test_leave_little_room();
	prf_creator_note(&task, gettid());
	ck_assert_int_eq(prf_test_n_open(), before);
	ck_assert_int_eq(prf_creator_status_read(&task, &its), -ENOENT);
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
	tcase_add_test(
		tcase,
		one_whose_creator_is_not_known_or_not_the_latest_is_asked_itself);
	tcase_add_test(
		tcase,
		filters_that_the_creator_gets_later_are_seen_and_its_end_too);
	tcase_add_test(tcase,
		       one_file_is_open_for_a_process_however_many_create);
	tcase_add_test(tcase, none_is_open_where_others_need_the_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
