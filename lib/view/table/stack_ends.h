/* stack_ends.h - how many stacks of a profile are whole, and why others are not. */
#ifndef PRF_VIEW_TABLE_STACK_ENDS_H
#define PRF_VIEW_TABLE_STACK_ENDS_H

#include <stdio.h>

#include "core/attr.h"
#include "profile/call_graph.h"
#include "profile/profile.h"
#include "view/table/style.h"

/* A line, "  stacks    99.3 % complete, ...", of a profile that has stacks, with
 * the binaries that lack CFI; nothing of one that has none.  -ENOMEM. */
int prf_stack_ends_print(const struct prf_profile *profile,
			 const struct prf_style *style,
			 FILE *out) PRF_MUST_CHECK;

/* Where half of ALL and more is spent in functions of GRAPH that call each
 * other: a line, "  cycle     ...", which says that gprof cannot divide it.
 * -ENOMEM. */
int prf_stack_ends_print_cycle(const struct prf_call_graph *graph,
			       const struct prf_count *all,
			       const struct prf_style *style,
			       FILE *out) PRF_MUST_CHECK;

#endif
