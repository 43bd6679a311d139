/* student.h - Student's t distribution. */
#ifndef PRF_PROFILE_STUDENT_H
#define PRF_PROFILE_STUDENT_H

/* The logarithm of how likely a value is that is as far from 0 as T or
 * further, to either side.  DF, the degrees of freedom, may be INFINITY: then
 * it is the normal distribution. */
double prf_student_log_p(double t, double df);
/* The value beyond which, to both sides, is a part P (0 < P < 1). */
double prf_student_beyond(double p, double df);

#endif
