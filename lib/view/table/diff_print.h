/* diff_print.h - what has changed between profiles: as text, with what was
 * compared above it, and what could not have been seen below it. */
#ifndef PRF_VIEW_TABLE_DIFF_PRINT_H
#define PRF_VIEW_TABLE_DIFF_PRINT_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "view/table/diff.h"
#include "view/table/style.h"

/* The files, their samples and their commands; and how long the runs took. */
void prf_diff_print_header(const struct prf_diff *diff, FILE *out);

/* A line each of the ROWS of DIFF that are wanted, and how many others there
 * are.  -ENOMEM: perhaps a part. */
int prf_diff_print_table(const struct prf_diff *diff,
			 const struct prf_diff_row *rows, size_t n,
			 size_t n_more, const struct prf_style *style,
			 FILE *out) PRF_MUST_CHECK;

/* What the marks mean, how much was compared, and what was too little to be
 * seen. */
void prf_diff_print_footer(const struct prf_diff *diff, FILE *out);

#endif
