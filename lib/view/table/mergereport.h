/* mergereport.h - what a sum of files has found, for people. */
#ifndef PRF_VIEW_TABLE_MERGEREPORT_H
#define PRF_VIEW_TABLE_MERGEREPORT_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "profile/profile.h"
#include "view/table/spread.h"
#include "view/table/style.h"

/* How many files SPREAD has, the ticks of PROFILE, their sum, and the MAX
 * functions that have the most, each with its share and, where a line has room, the
 * interval of that, the least, the median and the most
 * that a file has, and which files these are.  Files whose names differ by a
 * number, from 0 up and without a gap, are called ranks.  -ENOMEM. */
int prf_mergereport_print(const struct prf_profile *profile,
			  const struct prf_spread *spread, size_t max,
			  const struct prf_style *style,
			  FILE *out) PRF_MUST_CHECK;

#endif
