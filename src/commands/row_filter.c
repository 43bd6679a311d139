#include "src/commands/row_filter.h"

#include <stdlib.h>

#include "view/table/thread_table.h"

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

static bool
is_small(const struct prf_row_filter *filter, const struct prf_rows *rows,
	 const struct prf_row *row)
{
	const struct prf_count *count =
		filter->by_total ? &row->total : &row->count;

	return 100 * (double)count->ticks <
	       filter->min_percent * (double)rows->all.ticks;
}

struct prf_row_rest
prf_row_filter_cut(const struct prf_row_filter *filter, struct prf_rows *rows)
{
	struct prf_row_rest rest = {0};

	while (rows->n && ((filter->max && rows->n > filter->max) ||
			   is_small(filter, rows, &rows->rows[rows->n - 1]))) {
		rest.n++;
		rest.ticks += rows->rows[--rows->n].count.ticks;
		drop(&rows->rows[rows->n]);
	}
	return rest;
}

/* --- Threads */

static bool
wants_thread(const struct prf_row_filter *filter,
	     const struct prf_thread_doing *thread)
{
	const char *names[] = {prf_thread_table_name(thread), thread->program,
			       NULL};

	return prf_matching_wants(&filter->matching, names);
}

static bool
is_small_thread(const struct prf_row_filter *filter,
		const struct prf_thread_states *states,
		const struct prf_thread_doing *thread)
{
	return 100 * (double)thread->all.ticks <
	       filter->min_percent * (double)states->all.ticks;
}

size_t
prf_row_filter_threads(const struct prf_row_filter *filter,
		       struct prf_thread_states *states)
{
	size_t kept = 0, n_more = 0;

	for (size_t i = 0; i < states->n; i++) {
		const struct prf_thread_doing *thread = &states->threads[i];

		if (!wants_thread(filter, thread))
			continue;
		if ((filter->max && kept == filter->max) ||
		    is_small_thread(filter, states, thread))
			n_more++;
		else
			states->threads[kept++] = *thread;
	}
	states->n = kept;
	return n_more;
}
