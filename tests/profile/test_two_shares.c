#include "profile/two_shares.h"

#include <math.h>

#include "core/random.h"
#include "support/suite.h"

/* --- Fisher's test */

/* Computed with fractions of whole numbers.  The first is Fisher's own lady with
 * her tea: 17 / 70, to both sides. */
static const struct {
	struct prf_two_shares shares;
	double p, least_p;
} tables[] = {
	{{3, 4, 1, 4}, 34.0 / 70, 2.0 / 70},
	{{2, 100, 9, 120}, 0.11366460024382308, 0.0002494790880633678},
	{{9, 120, 2, 100}, 0.11366460024382308, 0.0002494790880633678},
	{{500, 5000, 673, 5000}, 8.624434743151113e-08, 0},
	{{0, 30, 5, 25}, 0.03054535795934242, 0.03054535795934242},
	{{5, 10, 5, 10}, 1, 1.082508822446903e-05},
	{{1, 7, 0, 4}, 1, 0.7272727272727273},
	{{0, 10, 0, 10}, 1, 1},
	{{10, 10, 12, 12}, 1, 1},
};

START_TEST(the_test_is_exact)
{
	const struct prf_two_shares *shares = &tables[_i].shares;

	ck_assert_double_eq_tol(exp(prf_two_shares_log_p(shares)), tables[_i].p,
				1e-10 + 1e-9 * tables[_i].p);
	ck_assert_double_eq_tol(exp(prf_two_shares_least_log_p(shares)),
				tables[_i].least_p, 1e-10);
}
END_TEST

START_TEST(no_outcome_is_below_the_least)
{
	for (double k = 0; k <= 12; k++) {
		const struct prf_two_shares shares = {k, 40, 12 - k, 30};

		ck_assert_double_ge(prf_two_shares_log_p(&shares) + 1e-9,
				    prf_two_shares_least_log_p(&shares));
	}
}
END_TEST

START_TEST(a_difference_beyond_all_numbers_has_a_logarithm)
{
	const struct prf_two_shares shares = {0, 50000, 40000, 50000};

	ck_assert_double_lt(prf_two_shares_log_p(&shares), -10000);
}
END_TEST

/* --- The interval */

/* Newcombe (Statistics in Medicine 17, 1998), table II: 56 of 70 less 48 of 80
 * by method 10 is 0.0524 to 0.3339. */
START_TEST(the_interval_is_newcombes)
{
	const double share[2] = {48.0 / 80, 56.0 / 70};
	const struct prf_interval interval[2] = {
		{0.4904546491911245, 0.7003817247638305},
		{0.6918335540922739, 0.8769526079947618},
	};
	struct prf_interval change = prf_two_shares_newcombe(share, interval);

	ck_assert_double_eq_tol(change.lo, 0.0524, 5e-5);
	ck_assert_double_eq_tol(change.hi, 0.3339, 5e-5);
}
END_TEST

static double
binomial(struct random *random, int n, double p)
{
	double k = 0;

	while (n--)
		k += (double)(random_next(random) >> 11) * 0x1p-53 < p;
	return k;
}

/* Shares before and after. */
static const double changes[][2] = {
	{0.02, 0.02}, {0.001, 0.004}, {0.5, 0.52}, {0.03, 0}, {0.1, 0.13},
};

START_TEST(the_interval_holds_the_true_change)
{
	enum { ROUNDS = 2000, N = 700 };
	struct random random = random_begin();
	const double *p = changes[_i];
	int covered = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const struct prf_sampled old = {binomial(&random, N, p[0]), N};
		const struct prf_sampled new = {binomial(&random, N, p[1]), N};
		const struct prf_interval change =
			prf_two_shares_change(&old, &new, PRF_Z_95);

		covered += change.lo <= p[1] - p[0] && p[1] - p[0] <= change.hi;
	}
	ck_assert_msg(covered > 0.94 * ROUNDS,
		      RANDOM_WHERE "%d of %d for %g, %g", RANDOM_IS(&random),
		      covered, ROUNDS, p[0], p[1]);
}
END_TEST

START_TEST(nothing_is_known_of_no_samples)
{
	const struct prf_sampled none = {0, 0}, some = {5, 10};
	const struct prf_interval change =
		prf_two_shares_change(&none, &some, PRF_Z_95);

	ck_assert_double_le(change.lo, -0.25);
	ck_assert_double_ge(change.hi, 0.75);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("two_shares");
	TCase *tcase = tcase_create("two_shares");

	tcase_add_loop_test(tcase, the_test_is_exact, 0,
			    sizeof tables / sizeof *tables);
	tcase_add_test(tcase, no_outcome_is_below_the_least);
	tcase_add_test(tcase, a_difference_beyond_all_numbers_has_a_logarithm);
	tcase_add_test(tcase, the_interval_is_newcombes);
	tcase_add_loop_test(tcase, the_interval_holds_the_true_change, 0,
			    sizeof changes / sizeof *changes);
	tcase_add_test(tcase, nothing_is_known_of_no_samples);
	suite_add_tcase(suite, tcase);
	return suite;
}
