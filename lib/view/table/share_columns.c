#include "view/table/share_columns.h"

#include "view/table/share.h"

#define SECONDS_HEADING "    self s"
#define SECONDS "  %8.3f"

enum {
	SECONDS_WIDTH = sizeof SECONDS_HEADING - 1,
	WIDE = 100, /* such a line has room for seconds beside totals */
};

static bool
has_seconds(const struct prf_share_columns *columns)
{
	size_t width = columns->style->width;

	return !columns->has_totals || !width || width >= WIDE;
}

size_t
prf_share_columns_width(const struct prf_share_columns *columns)
{
	return (columns->has_totals ? 2 * PRF_SHARE_RANGE_WIDTH
				    : PRF_SHARE_WIDTH) +
	       (has_seconds(columns) ? SECONDS_WIDTH : 0);
}

void
prf_share_columns_print_headings(const struct prf_share_columns *columns,
				 FILE *out)
{
	fputs(columns->has_totals
		      ? PRF_SHARE_SELF_HEADING PRF_SHARE_TOTAL_HEADING
		      : PRF_SHARE_HEADING,
	      out);
	if (has_seconds(columns))
		fputs(SECONDS_HEADING, out);
}

void
prf_share_columns_print(const struct prf_share_columns *columns,
			const struct prf_count *self,
			const struct prf_count *total, FILE *out)
{
	const struct prf_count *all = &columns->all;

	if (columns->has_totals) {
		prf_share_print_range(self, all, columns->doubt, columns->style,
				      out);
		prf_share_print_range(total, all, columns->doubt,
				      columns->style, out);
	} else {
		prf_share_print(self, all, columns->doubt, columns->style, out);
	}
	if (has_seconds(columns))
		fprintf(out, SECONDS,
			(double)self->ticks * (double)columns->period_ns / 1e9);
}
