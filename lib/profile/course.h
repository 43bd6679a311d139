/* course.h - when in a run each key had its ticks; and what the courses of two
 * runs tell of how much runs vary.
 *
 * A machine is slow for a while, not for the length of one sample: what disturbs
 * a function then makes many ticks at once.  How much that was is seen where two
 * runs differ in their course. */
#ifndef PRF_PROFILE_COURSE_H
#define PRF_PROFILE_COURSE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "profile/count.h"
#include "profile/variation.h"

/* What KEY had in a step of the run. */
struct prf_course_part {
	uint32_t step;
	uint32_t key;
	uint64_t ticks;
};

/* All zero: none. */
struct prf_course {
	struct prf_course_part *parts; /* by step */
	size_t n, room;
	uint32_t n_steps;
};

/* The next step begins. */
void prf_course_step(struct prf_course *course);
/* In this step, KEY has TICKS more.  -ENOMEM. */
int prf_course_add(struct prf_course *course, uint32_t key,
		   uint64_t ticks) PRF_MUST_CHECK;
void prf_course_clear(struct prf_course *course);

/* VARYING of each of N_KEYS keys, of an old and a new run with COURSES; PAIRS is
 * as for prf_variation_of_pair().  Times are those of the samples' own variance;
 * where there is no course, or a short one, they are 1, for sure.  -ENOMEM. */
int prf_course_variation(const struct prf_course courses[2],
			 const struct prf_sampled *pairs, size_t n_keys,
			 struct prf_varying *varying) PRF_MUST_CHECK;

#endif
