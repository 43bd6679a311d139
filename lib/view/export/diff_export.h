/* diff_export.h - what has changed between profiles, for programs to read: as
 * comma-separated values, and in JSON, of which data/schema/diff.schema.json
 * tells. */
#ifndef PRF_VIEW_EXPORT_DIFF_EXPORT_H
#define PRF_VIEW_EXPORT_DIFF_EXPORT_H

#include <stddef.h>
#include <stdio.h>

#include "view/table/diff.h"

/* Of the JSON; it is another when what is told changes its meaning. */
enum { PRF_DIFF_EXPORT_VERSION = 1 };

/* The N ROWS of DIFF, with whole names; N_MORE were left out, which CSV does not
 * tell.  RFC 4180, but lines end in a newline alone. */
void prf_diff_export_csv(const struct prf_diff *diff,
			 const struct prf_diff_row *rows, size_t n, FILE *out);
void prf_diff_export_json(const struct prf_diff *diff,
			  const struct prf_diff_row *rows, size_t n,
			  size_t n_more, FILE *out);

#endif
