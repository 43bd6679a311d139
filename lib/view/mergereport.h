/* mergereport.h - what a merge has found, for people. */
#ifndef PRF_VIEW_MERGEREPORT_H
#define PRF_VIEW_MERGEREPORT_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/merge.h"

/* How many files, their ticks, and the MAX functions that have the most, each
 * with the least, the median and the most that a file has, and which files
 * these are.  Files whose names differ by a number, from 0 up and without a
 * gap, are called ranks.  -ENOMEM. */
int prf_mergereport_print(const struct prf_merge *merge, size_t max,
			  FILE *out) PRF_MUST_CHECK;

#endif
