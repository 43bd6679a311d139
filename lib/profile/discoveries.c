#include "profile/discoveries.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/scope.h"

static size_t
n_below(const struct prf_question *questions, size_t n, double log_limit)
{
	size_t n_such = 0;

	for (size_t i = 0; i < n; i++)
		n_such += questions[i].least_log_p <= log_limit;
	return n_such;
}

/* The least number of questions K of which no more than K could be answered
 * below LEVEL / K. */
static size_t
n_to_ask(const struct prf_question *questions, size_t n, double level)
{
	size_t low = 1, high = n;

	/* The larger K, the fewer there are. */
	while (low < high) {
		size_t k = low + (high - low) / 2;

		if (n_below(questions, n, log(level / (double)k)) <= k)
			high = k;
		else
			low = k + 1;
	}
	return high;
}

static int
by_p(const void *a, const void *b)
{
	const struct prf_question *const *left = a, *const *right = b;

	return ((*left)->log_p > (*right)->log_p) -
	       ((*left)->log_p < (*right)->log_p);
}

int
prf_discoveries_find(struct prf_question *questions, size_t n, double level)
{
	PRF_AUTO(prf_auto_free)
	struct prf_question **asked = calloc(n + 1, sizeof(*asked));
	size_t n_asked = 0;

	if (!asked)
		return -ENOMEM;
	double limit = log(level / (double)n_to_ask(questions, n, level));
	for (size_t i = 0; i < n; i++) {
		questions[i].asked = questions[i].least_log_p <= limit;
		questions[i].rate = 1;
		if (questions[i].asked)
			asked[n_asked++] = &questions[i];
	}
	qsort(asked, n_asked, sizeof(*asked), by_p);
	double rate = 1;
	for (size_t i = n_asked; i > 0; i--) {
		rate = fmin(rate, exp(asked[i - 1]->log_p) * (double)n_asked /
					  (double)i);
		asked[i - 1]->rate = rate;
	}
	return 0;
}
