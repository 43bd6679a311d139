#include "core/worker.h"

#include <signal.h>
#include <stddef.h>

#include "support/suite.h"

static sigset_t
blocked_now(void)
{
	sigset_t set;

	pthread_sigmask(SIG_BLOCK, NULL, &set);
	return set;
}

static void *
tell_blocked(void *arg)
{
	*(sigset_t *)arg = blocked_now();
	return arg;
}

START_TEST(it_blocks_all_signals_and_who_begins_it_what_it_did)
{
	const int signals[] = {SIGINT, SIGTERM, SIGSEGV, SIGCHLD, SIGURG};
	sigset_t before = blocked_now(), in_it;
	pthread_t thread;
	void *result;

	ck_assert_int_eq(prf_worker_begin(&thread, tell_blocked, &in_it), 0);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		sigset_t here = blocked_now();

		ck_assert_int_eq(sigismember(&here, signals[i]),
				 sigismember(&before, signals[i]));
	}
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, &in_it);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		ck_assert_int_eq(sigismember(&in_it, signals[i]), 1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("worker");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase,
		       it_blocks_all_signals_and_who_begins_it_what_it_did);
	suite_add_tcase(suite, tcase);
	return suite;
}
