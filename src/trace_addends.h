/* trace_addends.h - a trace as what it adds to a sum.  It is counted in memory;
 * no file is made. */
#ifndef PRF_SRC_TRACE_ADDENDS_H
#define PRF_SRC_TRACE_ADDENDS_H

#include "core/attr.h"
#include "core/error.h"
#include "reading.h"
#include "view/merge.h"

/* Adds the trace at PATH to MERGE: what "profrun export" would make of it, of
 * its first process, called PATH, and of all others that were the same program
 * as that was in the end.  Those of another program do not fit into one sum:
 * they are counted in a warning.  ERR names the file. */
int prf_trace_addends_add(struct prf_merge *merge, const char *path,
			  const struct prf_reading *reading,
			  struct prf_error *err) PRF_MUST_CHECK;

#endif
