/* page.h - a profile with call stacks as one page for a browser: a flame graph, a
 * table of functions, who calls whom; of each program, process and thread; and
 * what ran when.
 *
 * The page needs nothing else, neither files nor a network. */
#ifndef PRF_VIEW_PAGE_PAGE_H
#define PRF_VIEW_PAGE_PAGE_H

#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"
#include "view/export/stack_table.h"

/* For the table of formats.  A profile without a call tree has no frames, and
 * the page says so. */
int prf_page_write(const struct prf_profile *profile,
		   const struct prf_export_way *way, FILE *out,
		   struct prf_error *err) PRF_MUST_CHECK;
int prf_page_write_stacks(const struct prf_stack_table *stacks,
			  const struct prf_export_way *way, FILE *out,
			  struct prf_error *err) PRF_MUST_CHECK;

#endif
