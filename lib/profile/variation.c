#include "profile/variation.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"

/* Of fewer samples, a function tells more of chance than of variation: in each
 * of two runs, in the mean of several. */
static const double min_samples = 15, min_samples_of_run = 10;

enum { MIN_FUNCTIONS = 8, MIN_OF_PAIR = 16, HALVINGS = 50 };

double
prf_variation_times(const struct prf_variation *variation, double p, double n)
{
	return 1 + n * (variation->lump + variation->square * p * (1 - p));
}

/* Where FALLING, which falls from 0 to 1, is as small as LIMIT. */
static double
solve(double (*falling)(const void *arg, double square), const void *arg,
      double limit)
{
	double lo = 0, hi = 1;

	if (falling(arg, 0) <= limit)
		return 0;
	for (int i = 0; i < HALVINGS; i++) {
		double square = lo + (hi - lo) / 2;

		if (falling(arg, square) > limit)
			lo = square;
		else
			hi = square;
	}
	return hi;
}

/* --- One run on each side */

/* What two runs of real programs show: bench/README.md. */
static const double least_square = 0.03 * 0.03, most_square = 0.1 * 0.1,
		    usual_lump = 1e-4;
/* Some functions vary by more than most. */
static const double of_most = 2;
/* The median of a squared normal deviate, and the standard deviation that the
 * median of N of them has, times the root of N. */
static const double median_of_squares = 0.4549, its_deviation = 1.06;

/* Of one function: the difference of its log-odds, and the variance that the
 * samples give it. */
struct difference {
	double squared, variance;
};

struct differences {
	const struct difference *all;
	double *scaled;
	size_t n;
};

static int
ascending(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median of the squared differences, by what their variance would be. */
static double
median(const void *arg, double square)
{
	const struct differences *differences = arg;
	size_t n = differences->n;

	for (size_t i = 0; i < n; i++) {
		const struct difference *one = &differences->all[i];

		differences->scaled[i] =
			one->squared / (one->variance + 2 * square);
	}
	qsort(differences->scaled, n, sizeof(double), ascending);
	return differences->scaled[n / 2];
}

/* Half a sample more on each side keeps them finite. */
static double
log_odds(const struct prf_sampled *sampled)
{
	return log(sampled->k + 0.5) - log(sampled->n - sampled->k + 0.5);
}

static double
variance_of(const struct prf_sampled *sampled)
{
	return 1 / (sampled->k + 0.5) + 1 / (sampled->n - sampled->k + 0.5);
}

static struct difference
difference_of(const struct prf_sampled *pair, const struct prf_varying *varying)
{
	double difference = log_odds(&pair[1]) - log_odds(&pair[0]);

	return (struct difference){
		.squared = difference * difference,
		.variance = fmax(varying->times, 1) *
			    (variance_of(&pair[0]) + variance_of(&pair[1])),
	};
}

int
prf_variation_of_pair(const struct prf_sampled *pairs,
		      const struct prf_varying *varying, size_t n_functions,
		      struct prf_variation *variation)
{
	PRF_AUTO(prf_auto_free)
	struct difference *all = calloc(n_functions + 1, sizeof *all);
	PRF_AUTO(prf_auto_free)
	double *scaled = calloc(n_functions + 1, sizeof *scaled);
	struct differences differences = {.all = all, .scaled = scaled};

	*variation = (struct prf_variation){least_square, usual_lump};
	if (!all || !scaled)
		return -ENOMEM;
	for (size_t i = 0; i < n_functions; i++)
		if (fmin(pairs[2 * i].k, pairs[2 * i + 1].k) >= min_samples)
			all[differences.n++] =
				difference_of(&pairs[2 * i], &varying[i]);
	if (differences.n < MIN_OF_PAIR)
		return 0;
	/* What chance alone often shows is no variation. */
	double limit = median_of_squares +
		       0.5 * its_deviation / sqrt((double)differences.n);
	double square = of_most * solve(median, &differences, limit);
	variation->square = fmin(fmax(square, least_square), most_square);
	return 0;
}

/* --- Several runs */

static size_t
n_runs_of(const struct prf_variation_runs *runs)
{
	return runs->n_old + runs->n_new;
}

static double
df_of(const struct prf_variation_runs *runs)
{
	double df = 0;

	df += runs->n_old ? (double)runs->n_old - 1 : 0;
	df += runs->n_new ? (double)runs->n_new - 1 : 0;
	return df;
}

/* Squared deviations of the N runs of one side from their share, each by what
 * its variance would be. */
static double
deviations(const struct prf_sampled *sampled, size_t n, double square)
{
	const struct prf_variation variation = {.square = square};
	double all_k = 0, all_n = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		all_k += sampled[i].k;
		all_n += sampled[i].n;
	}
	double p = all_n > 0 ? all_k / all_n : 0;
	for (size_t i = 0; i < n && p > 0 && p < 1; i++) {
		double away = sampled[i].k - sampled[i].n * p;

		sum += away * away /
		       (sampled[i].n * p * (1 - p) *
			prf_variation_times(&variation, p, sampled[i].n));
	}
	return sum;
}

/* The variance of FUNCTION from run to run, by what SQUARE tells. */
static double
own_times(const struct prf_variation_runs *runs, size_t function, double square)
{
	const struct prf_sampled *first =
		&runs->sampled[function * n_runs_of(runs)];

	return (deviations(first, runs->n_old, square) +
		deviations(first + runs->n_old, runs->n_new, square)) /
	       df_of(runs);
}

static bool
tells(const struct prf_variation_runs *runs, size_t function)
{
	size_t n_runs = n_runs_of(runs);
	double k = 0;

	for (size_t run = 0; run < n_runs; run++)
		k += runs->sampled[function * n_runs + run].k;
	return k >= min_samples_of_run * (double)n_runs;
}

/* The mean over all functions that tell something. */
static double
mean_times(const void *arg, double square)
{
	const struct prf_variation_runs *runs = arg;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < runs->n_functions; i++)
		if (tells(runs, i)) {
			sum += own_times(runs, i, square);
			n++;
		}
	return n ? sum / (double)n : 0;
}

/* The derivative of the logarithm of the gamma function, and the next one, by
 * recurrence and asymptotic series. */
static double
digamma(double x)
{
	double sum = 0;

	for (; x < 10; x++)
		sum -= 1 / x;
	double y = 1 / (x * x);
	return sum + log(x) - 0.5 / x -
	       y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

static double
trigamma(double x)
{
	double sum = 0;

	for (; x < 10; x++)
		sum += 1 / (x * x);
	double y = 1 / (x * x);
	return sum +
	       (1 + 0.5 / x + y * (1.0 / 6 - y * (1.0 / 30 - y / 42))) / x;
}

/* The degrees of freedom of which trigamma(df / 2) is Y > 0. */
static double
df_of_trigamma(double y)
{
	double lo = 1e-3, hi = 1e6;

	for (int i = 0; i < HALVINGS; i++) {
		double df = sqrt(lo * hi);

		if (trigamma(df / 2) > y)
			lo = df;
		else
			hi = df;
	}
	return hi;
}

/* What all functions together say of the variance of one: its size, and the
 * degrees of freedom that this is worth.  (G. K. Smyth, Linear Models and
 * Empirical Bayes Methods, 2004, 6.2.) */
static struct prf_varying
prior_of(const struct prf_variation_runs *runs, double square)
{
	double sum = 0, squares = 0, df = df_of(runs);
	size_t n = 0;

	for (size_t i = 0; i < runs->n_functions; i++)
		if (tells(runs, i)) {
			/* A variance of 0 has no logarithm. */
			double value =
				log(fmax(own_times(runs, i, square), 1e-5));

			sum += value;
			squares += value * value;
			n++;
		}
	if (n < MIN_FUNCTIONS)
		return (struct prf_varying){.times = 1, .df = 0};
	double mean = sum / (double)n;
	double variance = (squares - sum * mean) / (double)(n - 1);
	double more = variance - trigamma(df / 2);
	double around = mean - digamma(df / 2) + log(df / 2);
	if (more <= 0)
		return (struct prf_varying){.times = exp(around),
					    .df = INFINITY};
	double prior_df = df_of_trigamma(more);
	return (struct prf_varying){
		.times =
			exp(around + digamma(prior_df / 2) - log(prior_df / 2)),
		.df = prior_df,
	};
}

static struct prf_varying
moderated(const struct prf_varying *prior, double times, double df)
{
	if (isinf(prior->df))
		return *prior;
	return (struct prf_varying){
		.times = (prior->df * prior->times + df * times) /
			 (prior->df + df),
		.df = prior->df + df,
	};
}

void
prf_variation_of_runs(const struct prf_variation_runs *runs,
		      struct prf_variation *variation,
		      struct prf_varying *varying)
{
	double df = df_of(runs), square = solve(mean_times, runs, 1);
	const struct prf_varying prior = prior_of(runs, square);

	*variation = (struct prf_variation){.square = square};
	for (size_t i = 0; i < runs->n_functions; i++) {
		varying[i] = moderated(&prior, own_times(runs, i, square), df);
		/* Its own variance is as little known as it is small. */
		if (!tells(runs, i) && prior.df > 0)
			varying[i].times = fmax(varying[i].times, prior.times);
	}
}
