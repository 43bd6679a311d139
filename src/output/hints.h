/* hints.h - what a user could do better next time, in the form of commands. */
#ifndef PRF_SRC_OUTPUT_HINTS_H
#define PRF_SRC_OUTPUT_HINTS_H

#include <stdio.h>

#include "live/sampler.h"
#include "profile/profile.h"
#include "src/options/options.h"

/* A line for a program that hardly computed: -w; one for JIT code that had no
 * map, if it is known how its program is made to write one; and one for stacks
 * that are nowhere but in a gmon.out, which has no tree: -f pcsample. */
void prf_hints_print(const struct prf_options *options,
		     const struct prf_profile *profile,
		     const struct prf_run *run, FILE *out);

#endif
