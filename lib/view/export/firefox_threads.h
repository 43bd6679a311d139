/* firefox_threads.h - the threads of a profile for the Firefox Profiler, each with
 * its samples and markers. */
#ifndef PRF_VIEW_EXPORT_FIREFOX_THREADS_H
#define PRF_VIEW_EXPORT_FIREFOX_THREADS_H

#include "core/attr.h"
#include "view/export/firefox_numbers.h"

/* All that have samples; the only one has none perhaps.  -ENOMEM. */
int prf_firefox_put_threads(struct prf_firefox *firefox) PRF_MUST_CHECK;

#endif
