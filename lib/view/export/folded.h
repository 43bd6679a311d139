/* folded.h - stacks as flamegraph.pl and inferno read them: a line for each that
 * has ticks,
 *
 *	PROGRAM;THREAD;OUTERMOST;...;INNERMOST TICKS
 *
 * THREAD is told where threads of the program have different names.  Ticks that are
 * in no function are the program's own.  A profile without stacks has those of one
 * frame.  Behind a function of the kernel stands "_[k]", behind JIT code "_[j]", by
 * which these tools choose colours.  Only the last blank separates; in a name a
 * semicolon becomes a colon, and what cannot be printed a question mark. */
#ifndef PRF_VIEW_EXPORT_FOLDED_H
#define PRF_VIEW_EXPORT_FOLDED_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/call_graph.h"
#include "profile/profile.h"
#include "view/export/export_way.h"
#include "view/export/folded_roots.h"

/* A row of the table of formats. */
int prf_folded_write(const struct prf_profile *profile,
		     const struct prf_export_way *way, FILE *out,
		     struct prf_error *err) PRF_MUST_CHECK;

/* The lines of GRAPH, whose stacks are ROOT's.  -ENOMEM: perhaps a part. */
int prf_folded_print(const struct prf_call_graph *graph,
		     const struct prf_folded_root *root,
		     const struct prf_export_way *way,
		     FILE *out) PRF_MUST_CHECK;

#endif
