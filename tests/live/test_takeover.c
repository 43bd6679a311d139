#include "live/control/takeover.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/proc/clock.h"
#include "support/suite.h"

/* A thread that reads from a pipe, as if that were memory of a program. */
static struct prf_reach reach;
static int ends[2];
static atomic_int tid;
static atomic_bool is_back;
static unsigned n_asked;

static void *
read_pipe(void *arg)
{
	char byte;

	prf_reach_show(&reach);
	tid = gettid();
	prf_reach_begin();
	ssize_t n = read(ends[0], &byte, 1);
	prf_reach_end();
	is_back = n == 1;
	return arg;
}

static void
let_go(void)
{
	ck_assert_int_eq(write(ends[1], "", 1), 1);
}

static bool
yes(const void *arg)
{
	(void)arg;
	return true;
}

static bool
no_but_it_comes(const void *arg)
{
	(void)arg;
	if (n_asked++ == 2)
		let_go();
	return false;
}

static void
say_nothing(const void *arg)
{
	(void)arg;
}

/* It has the asking signals blocked, as a run has. */
static struct prf_takeover
begin(void *(*work)(void *arg), bool (*is_over)(const void *arg))
{
	struct prf_takeover takeover = {
		.reach = &reach,
		.is_over = is_over,
		.held = say_nothing,
	};
	sigset_t asking;

	sigemptyset(&asking);
	sigaddset(&asking, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &asking, NULL);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(pthread_create(&takeover.thread, NULL, work, NULL), 0);
	return takeover;
}

/* Waits until the thread is in call NUMBER: for a minute at most, in which a test
 * is ended. */
static void
await_call(long number)
{
	char path[64], text[256];
	long call = -1;

	while (call != number) {
		snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
		FILE *file = fopen(path, "r");
		if (!file || !fgets(text, sizeof text, file) ||
		    sscanf(text, "%ld", &call) != 1)
			call = -1;
		if (file)
			fclose(file);
		sched_yield();
	}
}

static void *
return_at_once(void *arg)
{
	return arg;
}

START_TEST(a_thread_that_ends_is_joined)
{
	struct prf_takeover takeover = begin(return_at_once, yes);

	ck_assert(prf_takeover_await(&takeover));
}
END_TEST

START_TEST(one_that_is_held_when_all_is_over_is_left)
{
	struct prf_takeover takeover = begin(read_pipe, yes);
	uint64_t begin_ns = prf_clock_ns(CLOCK_MONOTONIC);

	ck_assert(!prf_takeover_await(&takeover));
	ck_assert_uint_ge(prf_clock_ns(CLOCK_MONOTONIC) - begin_ns, 2000000000);
}
END_TEST

START_TEST(one_that_is_left_never_comes_back)
{
	struct prf_takeover takeover = begin(read_pipe, yes);

	ck_assert(!prf_takeover_await(&takeover));
	let_go();
#ifdef SYS_pause
	await_call(SYS_pause);
#else
	await_call(SYS_ppoll);
#endif
	ck_assert(!is_back);
}
END_TEST

START_TEST(one_that_is_held_is_left_when_a_signal_asks)
{
	struct prf_takeover takeover = begin(read_pipe, no_but_it_comes);

	n_asked = 3;
	ck_assert_int_eq(kill(getpid(), SIGTERM), 0);
	ck_assert(!prf_takeover_await(&takeover));
	ck_assert(!is_back);
}
END_TEST

START_TEST(without_a_reason_it_is_waited_for)
{
	struct prf_takeover takeover = begin(read_pipe, no_but_it_comes);

	ck_assert(prf_takeover_await(&takeover));
	ck_assert(is_back);
}
END_TEST

START_TEST(one_that_comes_and_goes_is_not_held)
{
	struct prf_takeover_looks looks = {0};

	for (unsigned turn = 1; turn < 100; turn += 2)
		ck_assert(!prf_takeover_is_held(&looks, turn));
	for (unsigned i = 0; i < 100; i++)
		ck_assert(!prf_takeover_is_held(&looks, 0));
}
END_TEST

/* A machine that swaps keeps a thread for a moment, too. */
START_TEST(the_reason_has_to_last_as_long_as_the_read)
{
	struct prf_takeover_looks looks = {0};

	ck_assert(!prf_takeover_is_held(&looks, 1));
	for (unsigned i = 0; i < 100; i++) {
		ck_assert(prf_takeover_is_held(&looks, 1));
		ck_assert(!prf_takeover_is_due(&looks, i % 2));
	}
	ck_assert(prf_takeover_is_held(&looks, 1));
	ck_assert(!prf_takeover_is_due(&looks, false));
	ck_assert(!prf_takeover_is_due(&looks, true));
	ck_assert(!prf_takeover_is_held(&looks, 3));
	ck_assert(prf_takeover_is_held(&looks, 3));
	ck_assert(!prf_takeover_is_due(&looks, true));
	ck_assert(prf_takeover_is_held(&looks, 3));
	ck_assert(prf_takeover_is_due(&looks, true));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("takeover");
	TCase *tcase = tcase_create("takeover");

	tcase_add_test(tcase, a_thread_that_ends_is_joined);
	tcase_add_test(tcase, one_that_is_held_when_all_is_over_is_left);
	tcase_add_test(tcase, one_that_is_left_never_comes_back);
	tcase_add_test(tcase, one_that_is_held_is_left_when_a_signal_asks);
	tcase_add_test(tcase, without_a_reason_it_is_waited_for);
	tcase_add_test(tcase, one_that_comes_and_goes_is_not_held);
	tcase_add_test(tcase, the_reason_has_to_last_as_long_as_the_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
