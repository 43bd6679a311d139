/* firefox_tables.h - the tables that all threads of a profile for the Firefox
 * Profiler share: of stacks, frames, functions, binaries, sources and strings. */
#ifndef PRF_VIEW_EXPORT_FIREFOX_TABLES_H
#define PRF_VIEW_EXPORT_FIREFOX_TABLES_H

#include "core/attr.h"
#include "view/export/firefox_numbers.h"

/* The categories of frames, by what their code is in. */
void prf_firefox_put_categories(struct prf_firefox *firefox);
/* The tables.  Strings are the last of them: all others have theirs numbered by
 * then.  -ENOMEM. */
int prf_firefox_put_tables(struct prf_firefox *firefox) PRF_MUST_CHECK;

#endif
