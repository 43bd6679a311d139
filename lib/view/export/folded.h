/* folded.h - stacks as flamegraph.pl and inferno read them: a line for each that
 * has ticks,
 *
 *	PROGRAM;OUTERMOST;...;INNERMOST TICKS
 *
 * PROGRAM is the one that was run; ticks that are in no function are its own.  A
 * profile without stacks has those of one frame.  Behind a function of the kernel stands
 * "_[k]", behind JIT code "_[j]", by which these tools choose colours.  Only the
 * last blank separates; in a name a semicolon becomes a colon, and what cannot
 * be printed a question mark. */
#ifndef PRF_VIEW_EXPORT_FOLDED_H
#define PRF_VIEW_EXPORT_FOLDED_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/call_graph.h"
#include "profile/profile.h"
#include "view/export/export_format.h"

/* A row of the table of formats. */
int prf_folded_write(const struct prf_profile *profile,
		     const struct prf_export_way *way, FILE *out,
		     struct prf_error *err) PRF_MUST_CHECK;

/* The lines of GRAPH.  -ENOMEM: perhaps a part. */
int prf_folded_print(const struct prf_call_graph *graph, const char *program,
		     const struct prf_export_way *way,
		     FILE *out) PRF_MUST_CHECK;

#endif
