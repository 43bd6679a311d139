/* stacks.h - how many stacks of a profile are whole, and why others are not. */
#ifndef PRF_VIEW_TABLE_STACKS_H
#define PRF_VIEW_TABLE_STACKS_H

#include <stdio.h>

#include "core/attr.h"
#include "profile/profile.h"
#include "view/table/style.h"

/* A line, "  stacks    99.3 % complete, ...", of a profile that has stacks, with
 * the binaries that lack CFI; nothing of one that has none.  -ENOMEM. */
int prf_stacks_print(const struct prf_profile *profile,
		     const struct prf_style *style, FILE *out) PRF_MUST_CHECK;

#endif
