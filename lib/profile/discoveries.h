/* discoveries.h - many questions at once: which of the answers can be believed,
 * when of those that are no more than a part may be wrong. */
#ifndef PRF_PROFILE_DISCOVERIES_H
#define PRF_PROFILE_DISCOVERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"

struct prf_question {
	double log_p;       /* of its test */
	double least_log_p; /* of any outcome that its test could have had */
	double weight;      /* how much it matters beside the others; > 0 */
	/* What comes of it. */
	bool asked;  /* else no outcome would have been believed */
	double rate; /* 0 to 1: the least part of wrong answers with which it is
		      * believed; 1 where it was not asked */
};

/* Benjamini and Hochberg's rates for those of the N QUESTIONS that are asked,
 * each with its part of LEVEL by its weight (C. R. Genovese and others, False
 * Discovery Control with p-Value Weighting, 2006).  As Tarone has it, those are
 * asked that could be below their part; too few samples to say anything then
 * cost the others nothing.  Weights must not depend on how a test comes out.
 * -ENOMEM. */
int prf_discoveries_find(struct prf_question *questions, size_t n,
			 double level) PRF_MUST_CHECK;

#endif
