/* row_filter.h - which rows of a table are shown. */
#ifndef PRF_SRC_COMMANDS_ROW_FILTER_H
#define PRF_SRC_COMMANDS_ROW_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/thread_states.h"
#include "src/commands/matching.h"
#include "view/table/rows.h"

/* All zero: all of them. */
struct prf_row_filter {
	struct prf_matching matching; /* of a row's name or binary */
	size_t max;                   /* 0: no limit */
	double min_percent;           /* of all ticks, that a row has */
	bool by_total;                /* itself, or with what it calls? */
};

/* Leaves out of ROWS what FILTER does not want; their sum stays that of all. */
void prf_row_filter_match(const struct prf_row_filter *filter,
			  struct prf_rows *rows);
/* Rows that are not shown, though they match. */
struct prf_row_rest {
	size_t n;
	uint64_t ticks; /* their own */
};

/* Of what is left, which is sorted, leaves the first rows; returns what went. */
struct prf_row_rest prf_row_filter_cut(const struct prf_row_filter *filter,
				       struct prf_rows *rows);
/* Both of threads, by their names and their programs': returns how many went that
 * FILTER would match. */
size_t prf_row_filter_threads(const struct prf_row_filter *filter,
			      struct prf_thread_states *states);

#endif
