/* diff_page.h - what has changed between profiles as one page for a browser: a
 * flame graph in which a frame has a colour only where its function has changed
 * by more than chance. */
#ifndef PRF_VIEW_PAGE_DIFF_PAGE_H
#define PRF_VIEW_PAGE_DIFF_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/table/diff.h"

/* Of DIFF, which has nodes.  FULL_NAMES: with parameters and template arguments.
 * Of more than N_MAX nodes those with the fewest ticks are pruned: their ticks are
 * below who called them.  -ENOMEM: perhaps a part. */
int prf_diff_page_write(const struct prf_diff *diff, bool full_names,
			size_t n_max, FILE *out) PRF_MUST_CHECK;

#endif
