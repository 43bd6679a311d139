#include "profile/discoveries.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/scope.h"

static double
sum_of_weights(const struct prf_question *questions, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (questions[i].asked)
			sum += questions[i].weight;
	return sum;
}

/* Its p-value, if all questions had the same weight. */
static double
weighted_log_p(const struct prf_question *question)
{
	return question->log_p - log(question->weight);
}

static int
by_p(const void *a, const void *b)
{
	double left = weighted_log_p(*(const struct prf_question *const *)a),
	       right = weighted_log_p(*(const struct prf_question *const *)b);

	return (left > right) - (left < right);
}

/* Without those that are not asked, the others have more. */
static void
choose(struct prf_question *questions, size_t n, double level)
{
	double all;

	for (size_t i = 0; i < n; i++)
		questions[i].asked = questions[i].weight > 0;
	all = sum_of_weights(questions, n);
	for (size_t i = 0; i < n; i++) {
		double part = level * questions[i].weight / all;

		questions[i].asked &= questions[i].least_log_p <= log(part);
	}
}

int
prf_discoveries_find(struct prf_question *questions, size_t n, double level)
{
	PRF_AUTO(prf_auto_free)
	struct prf_question **asked = calloc(n + 1, sizeof(*asked));
	size_t n_asked = 0;
	double rate = 1;

	if (!asked)
		return -ENOMEM;
	choose(questions, n, level);
	double all = sum_of_weights(questions, n);
	for (size_t i = 0; i < n; i++) {
		questions[i].rate = 1;
		if (questions[i].asked)
			asked[n_asked++] = &questions[i];
	}
	qsort(asked, n_asked, sizeof(*asked), by_p);
	for (size_t i = n_asked; i > 0; i--) {
		rate = fmin(rate, exp(weighted_log_p(asked[i - 1])) * all /
					  (double)i);
		asked[i - 1]->rate = rate;
	}
	return 0;
}
