/* gmon_named.h - a gmon.out without a list, as a program that was compiled with
 * -pg writes it, becomes a profile by the names of that program. */
#ifndef PRF_VIEW_GMON_GMON_NAMED_H
#define PRF_VIEW_GMON_GMON_NAMED_H

#include "core/attr.h"
#include "core/error.h"
#include "core/gmon_read.h"
#include "profile/profile.h"

/* Adds the ticks of GMON to PROFILE, which is empty, in a binary called PATH ("": its name is
 * not known) that has the names of SYMBOLS, which is taken over.  A counter of
 * any width belongs where its middle is; what wide ones have of one function is
 * at one place in it.
 * -EINVAL: GMON does not tell how long a tick is, or tells of several lengths,
 * or PROFILE has others; -EFBIG: it has ticks in more text than any profile;
 * -ENOMEM. */
int prf_gmon_named_add(struct prf_profile *profile, const struct prf_gmon *gmon,
		       const char *path, struct prf_symbol_list *symbols,
		       struct prf_error *err) PRF_MUST_CHECK;

#endif
