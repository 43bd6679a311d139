#include "src/commands/row_filter.h"

#include <stdlib.h>

static void
drop(struct prf_row *row)
{
	free(row->name);
	free(row->binary);
}

void
prf_row_filter_match(const struct prf_row_filter *filter, struct prf_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->n; i++) {
		struct prf_row *row = &rows->rows[i];
		const char *names[] = {row->name, row->binary, NULL};

		if (prf_matching_wants(&filter->matching, names))
			rows->rows[kept++] = *row;
		else
			drop(row);
	}
	rows->n = kept;
}

size_t
prf_row_filter_cut(const struct prf_row_filter *filter, struct prf_rows *rows)
{
	size_t n_more = 0;

	while (filter->max && rows->n > filter->max) {
		drop(&rows->rows[--rows->n]);
		n_more++;
	}
	return n_more;
}
