#include "view/table/run_course.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/scope.h"
#include "profile/call_graph.h"

bool
prf_run_course_has(enum prf_rows_by by)
{
	return by == PRF_ROWS_BY_FUNCTION || by == PRF_ROWS_BY_BINARY;
}

void
prf_run_course_clear(struct prf_run_course *course)
{
	prf_named_counts_clear(&course->keys);
	prf_course_clear(&course->self);
	prf_course_clear(&course->total);
}

static int
add_row(struct prf_run_course *course, const struct prf_row *row)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t key;

	if (asprintf(&text, "%s\n%s", row->name, row->binary) < 0) {
		text = NULL;
		return -ENOMEM;
	}
	int rc = prf_named_counts_intern(&course->keys, text, &key);
	if (!rc && row->count.ticks)
		rc = prf_course_add(&course->self, (uint32_t)key,
				    row->count.ticks);
	if (!rc && row->total.ticks)
		rc = prf_course_add(&course->total, (uint32_t)key,
				    row->total.ticks);
	return rc;
}

static int
make_rows(struct prf_rows *rows, const struct prf_profile *part,
	  enum prf_rows_by by, bool has_total)
{
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};
	int rc = prf_rows_add(rows, part, by);

	if (rc || !has_total)
		return rc;
	rows->joins_clones = true;
	rc = prf_call_graph_of(part, &graph);
	return rc ? rc : prf_rows_add_totals(rows, &graph);
}

int
prf_run_course_add(struct prf_run_course *course,
		   const struct prf_profile *part, enum prf_rows_by by,
		   bool has_total)
{
	PRF_AUTO(prf_rows_clear) struct prf_rows rows = {0};
	int rc = make_rows(&rows, part, by, has_total);

	prf_course_step(&course->self);
	prf_course_step(&course->total);
	for (size_t i = 0; !rc && i < rows.n; i++)
		rc = add_row(course, &rows.rows[i]);
	return rc;
}
