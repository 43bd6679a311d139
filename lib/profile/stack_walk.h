/* stack_walk.h - all stacks of a profile, one after the other: what is written for
 * other tools is made of them.
 *
 * The ticks of all stacks are those of the profile.  What was counted without a
 * stack, as in a gmon.out, is a stack of one frame; what no counter could hold
 * is one without any.  Of calls that are by function each frame is where its
 * function begins: lines and inlined calls are not to be looked up there. */
#ifndef PRF_PROFILE_STACK_WALK_H
#define PRF_PROFILE_STACK_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "profile/arcs.h"
#include "profile/count.h"
#include "profile/owners.h"
#include "profile/profile.h"

/* Each returns 0 or a negative errno value. */
struct prf_stack_visit {
	/* From now on frame number DEPTH, 0 being the outermost, is END; deeper
	 * ones are to follow.  A binary of NULL: it was pruned. */
	int (*frame)(void *arg, size_t depth, const struct prf_arc_end *end,
		     bool guessed);
	/* A stack of the first N of these frames. */
	int (*stack)(void *arg, size_t n, const struct prf_count *count);
	/* Stacks that are told from now on are of OWNER (NULL: it is not known
	 * whose); all of one come together, and there may be none.  NULL: that
	 * is not told, and a stack comes once for each owner. */
	int (*owner)(void *arg, const struct prf_owner *owner);
};

/* -ENOMEM, or what a function of OPS has returned. */
int prf_stack_walk(const struct prf_profile *profile,
		   const struct prf_stack_visit *ops, void *arg) PRF_MUST_CHECK;

#endif
