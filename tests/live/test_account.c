#include "live/wall/account.h"

#include <math.h>

#include "live/random.h"
#include "live/wall/wheel.h"
#include "support/suite.h"

enum { PERIOD_NS = 10000000, MS = 1000000 };

/* A thread of which everything is known: it does one thing after the other. */
enum doing { RUNS, WAITS, AT_A, AT_B, AT_C, N_DOINGS };
static const struct prf_position places[N_DOINGS] = {
	[AT_A] = {1, 1, 10},
	[AT_B] = {2, 1, 20},
	[AT_C] = {3, 1, PRF_NO_SYSCALL},
};

struct step {
	enum doing doing;
	double mean_ms;
	bool varies; /* 0 to twice the mean; else always the mean */
};

struct thread {
	const struct step *steps; /* over and over; ends with a mean of 0 */
	size_t at;
	uint64_t now_ns, left_ns; /* of this step */
	struct prf_schedstat times;
	uint64_t true_ns[N_DOINGS];
	uint64_t ticks[N_DOINGS], certain[N_DOINGS], n_samples;
	struct prf_account account;
};

static uint64_t choices;
static struct prf_accounts accounts;

static uint64_t
length_of(const struct step *step)
{
	double u = step->varies ? 2 * prf_random_unit(&choices) : 1;

	return (uint64_t)(step->mean_ms * MS * u) + 1;
}

static void
live_until(struct thread *thread, uint64_t end_ns)
{
	while (thread->now_ns < end_ns) {
		const struct step *step = &thread->steps[thread->at];
		uint64_t ns = end_ns - thread->now_ns;

		ns = ns < thread->left_ns ? ns : thread->left_ns;
		thread->now_ns += ns;
		thread->left_ns -= ns;
		thread->true_ns[step->doing] += ns;
		if (step->doing == RUNS)
			thread->times.cpu_ns += ns;
		if (step->doing == WAITS)
			thread->times.waited_ns += ns;
		if (thread->left_ns)
			continue;
		thread->at += 1;
		if (thread->steps[thread->at].mean_ms == 0)
			thread->at = 0;
		thread->left_ns = length_of(&thread->steps[thread->at]);
		/* It runs for a moment between any two steps. */
		thread->times.n_slices++;
	}
}

static void
count(struct thread *thread, const struct prf_account_charge *charge)
{
	uint32_t waited = prf_accounts_take_waited(&accounts);

	thread->ticks[WAITS] += waited;
	/* There are millions of these: a ck_assert tells of each. */
	if (charge->certain > charge->ticks)
		ck_abort_msg("more is certain than there is");
	if (!charge->ticks)
		return;
	int doing = charge->position.syscall == 10   ? AT_A
		    : charge->position.syscall == 20 ? AT_B
						     : AT_C;
	if (charge->position.pc != places[doing].pc)
		ck_abort_msg("another place than where it was found");
	thread->ticks[doing] += charge->ticks;
	thread->certain[doing] += charge->certain;
}

static void
begin(struct thread *thread, const struct step *steps, uint64_t now_ns)
{
	*thread = (struct thread){.steps = steps, .now_ns = now_ns};
	thread->left_ns = length_of(steps);
	prf_account_begin(&thread->account, now_ns, &thread->times);
}

static void
look(struct thread *thread)
{
	enum doing doing = thread->steps[thread->at].doing;
	struct prf_account_charge charge;

	thread->n_samples++;
	if (prf_account_is_unmoved(&thread->account, &thread->times))
		charge = prf_account_stay(&accounts, &thread->account,
					  thread->now_ns, &thread->times);
	else
		charge = prf_account_move(&accounts, &thread->account,
					  thread->now_ns, 0, &thread->times,
					  doing < AT_A ? NULL : &places[doing]);
	count(thread, &charge);
}

static void
end(struct thread *thread)
{
	struct prf_account_charge charge = prf_account_end(
		&accounts, &thread->account, thread->now_ns, &thread->times);

	count(thread, &charge);
}

/* One thread, looked at as it asks to be, for that long. */
static void
watch(struct thread *thread, const struct step *steps, double s)
{
	static struct prf_wheel wheel;
	struct prf_wheel_item item = {0};
	uint64_t end_ns = (uint64_t)(s * 1e9);

	begin(thread, steps, 0);
	prf_wheel_begin(&wheel, accounts.grain_ns, prf_random_next(&choices),
			0);
	prf_wheel_add(&wheel, &item, 1, 0);
	for (;;) {
		uint64_t next_ns = prf_wheel_next_ns(&wheel);
		if (next_ns > end_ns)
			break;
		live_until(thread, next_ns);
		if (!prf_wheel_take(&wheel, next_ns))
			continue;
		look(thread);
		prf_wheel_add(&wheel, &item,
			      prf_account_delay(&accounts, &thread->account),
			      next_ns);
	}
	live_until(thread, end_ns);
	end(thread);
}

static void
set_up(void)
{
	choices = 7;
	prf_accounts_begin(&accounts, PERIOD_NS, 42);
}

static uint64_t
ticks_of(const struct thread *thread)
{
	uint64_t ticks = 0;

	for (int i = 0; i < N_DOINGS; i++)
		ticks += thread->ticks[i];
	return ticks;
}

static double
true_ticks(const struct thread *thread, enum doing doing)
{
	return (double)thread->true_ns[doing] / PERIOD_NS;
}

/* Each with a wait that is short, and comes where a careless account would give
 * it too much or too little. */
static const struct {
	struct step steps[6];
	double s; /* to watch it for */
} lives[] = {
	{{{AT_A, 60, true}, {RUNS, 30, true}, {AT_B, 10, true}}, 4000},
	{{{AT_A, 60, false}, {RUNS, 30, false}, {AT_B, 10, false}}, 5000},
	{{{AT_A, 69, true}, {AT_B, 1, true}, {RUNS, 30, true}}, 8000},
	{{{AT_A, 69, true}, {RUNS, 30, true}, {AT_B, 1, true}}, 8000},
	{{{AT_A, 1000, false}, {AT_B, 20, false}, {AT_C, 5, false}}, 200000},
	{{{AT_A, 300, false}, {AT_B, 20, false}}, 20000},
	{{{AT_A, 20, true}, {WAITS, 3, true}, {RUNS, 1, true}, {AT_B, 3, true}},
	 5000},
	{{{AT_A, 0.2, true}, {AT_B, 0.1, true}, {RUNS, 0.1, true}}, 400},
};
enum { N_LIVES = sizeof lives / sizeof *lives };

/* Random choices, but always the same ones: the bounds are twice what they need
 * to be, and a quarter of what the errors are that they are to find. */
START_TEST(each_place_has_its_time_in_the_mean)
{
	struct thread thread;

	watch(&thread, lives[_i].steps, lives[_i].s);
	for (int doing = AT_A; doing <= AT_C; doing++) {
		double expected = true_ticks(&thread, doing);
		double found = (double)thread.ticks[doing];
		ck_assert_msg(fabs(found - expected) <= 0.05 * expected + 3,
			      "%d has %.0f of %.0f ticks", doing, found,
			      expected);
	}
}
END_TEST

START_TEST(the_sum_is_the_time_off_the_processor)
{
	struct thread thread;

	watch(&thread, lives[_i].steps, 1000);
	double off = 0;
	for (int doing = WAITS; doing < N_DOINGS; doing++)
		off += true_ticks(&thread, doing);
	double unassigned = (double)accounts.unassigned_ns / PERIOD_NS;
	ck_assert_double_le(fabs((double)ticks_of(&thread) + unassigned - off),
			    1);
	ck_assert_double_le(fabs(unassigned), 3);
	ck_assert_double_le(
		fabs((double)thread.ticks[WAITS] - true_ticks(&thread, WAITS)),
		1);
}
END_TEST

START_TEST(a_thread_that_does_not_move_is_hardly_looked_at_and_certain)
{
	const struct step asleep[] = {{AT_A, 1e9, false}, {0}};
	struct thread thread;

	watch(&thread, asleep, 60);
	ck_assert_uint_ge(thread.ticks[AT_A], 5999);
	ck_assert_uint_le(thread.ticks[AT_A], 6000);
	/* One in half a second, and some in the beginning. */
	ck_assert_uint_le(thread.n_samples, 60 * 3 + 40);
	ck_assert_uint_ge(thread.certain[AT_A], 5800);
}
END_TEST

START_TEST(a_thread_that_moves_is_looked_at_once_a_tick)
{
	struct thread thread;

	watch(&thread, lives[N_LIVES - 1].steps, 100);
	ck_assert_uint_ge(thread.n_samples, 9500);
	ck_assert_uint_le(thread.n_samples, 10500);
}
END_TEST

/* Of shorter life than a tick, most are never seen, and some at their ends. */
START_TEST(threads_of_short_life_add_up)
{
	const struct step life[] = {{RUNS, 1, true}, {AT_A, 1e9, false}, {0}};
	double off = 0, ticks = 0;

	for (uint64_t i = 0; i < 8000; i++) {
		struct thread thread;

		watch(&thread, life, 0.004);
		off += true_ticks(&thread, AT_A);
		ticks += (double)ticks_of(&thread);
	}
	ck_assert_double_ge(ticks, 0.98 * off);
	ck_assert_double_le(ticks, 1.02 * off);
}
END_TEST

START_TEST(at_high_rates_looks_are_fewer_than_ticks)
{
	struct thread thread;

	prf_accounts_begin(&accounts, PERIOD_NS / 100, 42);
	watch(&thread, lives[0].steps, 100);
	ck_assert_uint_le(thread.n_samples, 110000);
	double off = 100 *
		     (double)(thread.true_ns[AT_A] + thread.true_ns[AT_B]) /
		     PERIOD_NS;
	ck_assert_double_le(fabs((double)ticks_of(&thread) - off), 200);
}
END_TEST

START_TEST(a_thread_that_vanishes_was_where_it_slept)
{
	struct thread thread;
	const struct step asleep[] = {{AT_B, 1e9, false}, {0}};

	begin(&thread, asleep, 0);
	live_until(&thread, 5 * MS);
	look(&thread);
	struct prf_account_charge charge =
		prf_account_end(&accounts, &thread.account, 205 * MS, NULL);
	ck_assert_int_eq(charge.position.syscall, 20);
	ck_assert_uint_ge(charge.ticks, 20);
	ck_assert_uint_le(charge.ticks, 22);
	ck_assert_uint_eq(thread.account.seen_ns, 205 * MS);
}
END_TEST

START_TEST(of_a_thread_that_vanishes_while_it_runs_nothing_is_known)
{
	struct thread thread;
	const struct step busy[] = {{RUNS, 1e9, false}, {0}};

	begin(&thread, busy, 0);
	live_until(&thread, 5 * MS);
	look(&thread);
	struct prf_account_charge charge =
		prf_account_end(&accounts, &thread.account, 205 * MS, NULL);
	ck_assert_uint_eq(charge.ticks, 0);
	ck_assert_uint_eq(thread.account.seen_ns, 5 * MS);
	ck_assert_int_eq(accounts.unassigned_ns, 0);
}
END_TEST

/* When another thread has called exec, what is read by the id is that one's. */
START_TEST(times_of_another_thread_are_told_by_what_cannot_be)
{
	static const struct {
		struct prf_schedstat times;
		bool can_be;
	} rows[] = {
		{{300 * MS, 500 * MS, 40}, true},
		{{310 * MS, 510 * MS, 41}, true},
		/* Now it is known what it has run before it was seen last. */
		{{1300 * MS, 510 * MS, 41}, true},
		{{299 * MS, 500 * MS, 40}, false},
		{{310 * MS, 499 * MS, 41}, false},
		{{310 * MS, 510 * MS, 39}, false},
		{{1350 * MS, 500 * MS, 41}, false},
		{{300 * MS, 1550 * MS, 41}, false},
		{{900 * MS, 1000 * MS, 41}, false},
		{{UINT64_MAX, UINT64_MAX, UINT64_MAX}, false},
	};
	const struct prf_schedstat last = {300 * MS, 500 * MS, 40};
	struct prf_account account;

	prf_account_begin(&account, 1000 * MS, &last);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_msg(prf_account_can_have(&account, 1020 * MS,
						   &rows[i].times) ==
				      rows[i].can_be,
			      "row %zu", i);
	/* A thread that has run all the time, and was seen when its CPU time was
	 * 3 s old, is not lost for good. */
	const struct prf_schedstat soon = {3320ull * MS, 500 * MS, 41};
	const struct prf_schedstat later = {5400ull * MS, 500 * MS, 41};
	ck_assert(!prf_account_can_have(&account, 1020 * MS, &soon));
	ck_assert(prf_account_can_have(&account, 3100ull * MS, &later));
}
END_TEST

/* What the kernel says of a thread that runs on another processor is of its
 * last tick. */
START_TEST(stale_times_of_a_running_thread_do_no_harm)
{
	struct thread thread;
	const struct step life[] = {{RUNS, 20, true}, {AT_A, 20, true}, {0}};
	double off = 0;

	begin(&thread, life, 0);
	for (uint64_t ns = 0; ns < 100000ull * PERIOD_NS; ns += PERIOD_NS) {
		live_until(&thread, ns + prf_random_next(&choices) % PERIOD_NS);
		struct prf_schedstat fresh = thread.times;
		if (thread.steps[thread.at].doing == RUNS)
			thread.times.cpu_ns -= thread.times.cpu_ns % (4 * MS);
		look(&thread);
		thread.times = fresh;
	}
	end(&thread);
	off = true_ticks(&thread, AT_A);
	ck_assert_double_le(fabs((double)thread.ticks[AT_A] +
				 (double)accounts.unassigned_ns / PERIOD_NS -
				 off),
			    1);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("account");
	TCase *tcase = tcase_create("account");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, each_place_has_its_time_in_the_mean, 0,
			    N_LIVES);
	tcase_add_loop_test(tcase, the_sum_is_the_time_off_the_processor, 0,
			    N_LIVES);
	tcase_add_test(
		tcase,
		a_thread_that_does_not_move_is_hardly_looked_at_and_certain);
	tcase_add_test(tcase, a_thread_that_moves_is_looked_at_once_a_tick);
	tcase_add_test(tcase, threads_of_short_life_add_up);
	tcase_add_test(tcase, at_high_rates_looks_are_fewer_than_ticks);
	tcase_add_test(tcase, a_thread_that_vanishes_was_where_it_slept);
	tcase_add_test(
		tcase,
		of_a_thread_that_vanishes_while_it_runs_nothing_is_known);
	tcase_add_test(tcase,
		       times_of_another_thread_are_told_by_what_cannot_be);
	tcase_add_test(tcase, stale_times_of_a_running_thread_do_no_harm);
	suite_add_tcase(suite, tcase);
	return suite;
}
