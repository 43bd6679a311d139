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
	/* What comes of it. */
	bool asked;  /* else no outcome would have been believed */
	double rate; /* 0 to 1: the least part of wrong answers with which it is
		      * believed; 1 where it was not asked */
};

/* Benjamini and Hochberg's rates for those of the N QUESTIONS that are asked:
 * as Tarone has it, those that could be below LEVEL divided by their own
 * number.  Too few samples to say anything then cost the others nothing.
 * -ENOMEM. */
int prf_discoveries_find(struct prf_question *questions, size_t n,
			 double level) PRF_MUST_CHECK;

#endif
