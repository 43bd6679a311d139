#include "profile/student.h"

#include <math.h>

/* Where the t distribution is the normal one, for all that is asked here. */
static const double many_df = 1e7;

static double
normal_log_p(double t)
{
	double x = fabs(t) * sqrt(0.5);

	/* Beyond this erfc() comes near to the smallest number there is. */
	return x < 25 ? log(erfc(x))
		      : -x * x - log(x * sqrt(acos(-1))) +
				log1p(-1 / (2 * x * x));
}

/* The continued fraction of the incomplete beta function, as Lentz evaluates
 * it. */
static double
beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), tiny);
	double value = d, step = 0;

	for (int m = 1; m < 10000 && fabs(step - 1) > 1e-14; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / fmax(1 + even * d, tiny);
		c = fmax(1 + even / c, tiny);
		value *= d * c;
		d = 1 / fmax(1 + odd * d, tiny);
		c = fmax(1 + odd / c, tiny);
		step = d * c;
		value *= step;
	}
	return value;
}

/* The logarithm of what stands before the fraction. */
static double
log_front(double a, double b, double x)
{
	return a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) -
	       lgamma(b) - log(a);
}

double
prf_student_log_p(double t, double df)
{
	double a = df / 2, b = 0.5, x = df / (df + t * t);

	if (t == 0)
		return 0;
	if (df > many_df)
		return normal_log_p(t);
	/* The fraction converges fast on one side of the mean. */
	if (x < (a + 1) / (a + b + 2))
		return log_front(a, b, x) + log(beta_fraction(a, b, x));
	return log1p(-exp(log_front(b, a, 1 - x)) * beta_fraction(b, a, 1 - x));
}

double
prf_student_beyond(double p, double df)
{
	double lo = 0, hi = 1;

	while (prf_student_log_p(hi, df) > log(p))
		hi *= 2;
	for (int i = 0; i < 60; i++) {
		double t = lo + (hi - lo) / 2;

		if (prf_student_log_p(t, df) > log(p))
			lo = t;
		else
			hi = t;
	}
	return hi;
}
