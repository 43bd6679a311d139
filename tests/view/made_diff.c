#include "view/made_diff.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static void
add(struct prf_rows *rows, const struct made_row *row, uint64_t ticks,
    uint64_t total)
{
	const struct prf_count count = {ticks, (double)ticks};

	if (!ticks && !total)
		return;
	/* There is room for the next power of two. */
	if ((rows->n & (rows->n - 1)) == 0)
		rows->rows = reallocarray(rows->rows, 2 * rows->n + 1,
					  sizeof *rows->rows);
	ck_assert_ptr_nonnull(rows->rows);
	rows->rows[rows->n++] = (struct prf_row){
		.name = strdup(row->name),
		.binary = strdup(row->binary),
		.count = count,
		.total = {total, (double)total},
	};
	prf_count_merge(&rows->all, &count);
}

static struct prf_diff_run
run_of(const char *path, const struct prf_rows *rows)
{
	return (struct prf_diff_run){
		.path = path,
		.command = "./prog --all",
		.clock = "cpu",
		.program = "prog",
		.samples = rows->all.ticks,
		.rate_hz = 1000,
		.seconds = (double)rows->all.ticks / 1000,
		.rows = *rows,
	};
}

struct prf_diff
made_diff(const struct made_row *rows, size_t n)
{
	static struct prf_diff_run runs[2];
	struct prf_rows old = {0}, new = {0};

	for (size_t i = 0; i < n; i++) {
		add(&old, &rows[i], rows[i].old_ticks, rows[i].old_total);
		add(&new, &rows[i], rows[i].new_ticks, rows[i].new_total);
	}
	runs[0] = run_of("old.trace", &old);
	runs[1] = run_of("new.trace", &new);
	return (struct prf_diff){.runs = runs, .n_old = 1, .n_new = 1};
}

struct prf_diff
made_difference(const struct made_row *rows, size_t n)
{
	struct prf_diff diff = made_diff(rows, n);

	ck_assert_int_eq(prf_diff_make(&diff), 0);
	return diff;
}
