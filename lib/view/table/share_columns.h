/* share_columns.h - the columns of a table of functions that stand before their
 * names: the share of each, with its interval, and its time; and, where stacks
 * tell it, the share with all that it has called. */
#ifndef PRF_VIEW_TABLE_SHARE_COLUMNS_H
#define PRF_VIEW_TABLE_SHARE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/count.h"
#include "view/table/style.h"

struct prf_share_columns {
	bool has_totals; /* then there is no time in lines of usual width */
	uint64_t period_ns;
	struct prf_count all;
	double doubt; /* see share.h */
	const struct prf_style *style;
};

size_t prf_share_columns_width(const struct prf_share_columns *columns);
void prf_share_columns_print_headings(const struct prf_share_columns *columns,
				      FILE *out);
void prf_share_columns_print(const struct prf_share_columns *columns,
			     const struct prf_count *self,
			     const struct prf_count *total, FILE *out);

#endif
