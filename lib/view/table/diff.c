#include "view/table/diff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/clones.h"

static const struct {
	const char *heading, *plural;
	bool has_binary;
	bool is_path;     /* of which the last part counts */
	bool is_numbered; /* "1234 name" */
	bool is_program;  /* may have its name */
} kinds[PRF_N_ROWS_BY] = {
	[PRF_ROWS_BY_FUNCTION] = {.heading = "function",
				  .plural = "functions",
				  .has_binary = true},
	[PRF_ROWS_BY_LINE] = {.heading = "line",
			      .plural = "lines",
			      .has_binary = true},
	[PRF_ROWS_BY_BINARY] = {.heading = "binary",
				.plural = "binaries",
				.is_path = true,
				.is_program = true},
	[PRF_ROWS_BY_PROGRAM] = {.heading = "program",
				 .plural = "programs",
				 .is_program = true},
	[PRF_ROWS_BY_PROCESS] = {.heading = "process",
				 .plural = "processes",
				 .is_numbered = true,
				 .is_program = true},
	[PRF_ROWS_BY_THREAD] = {.heading = "thread",
				.plural = "threads",
				.is_numbered = true,
				.is_program = true},
	[PRF_ROWS_BY_RANK] = {.heading = "rank", .plural = "ranks"},
};

const char *
prf_diff_heading(const struct prf_diff *diff)
{
	return kinds[diff->by].heading;
}

const char *
prf_diff_plural(const struct prf_diff *diff)
{
	return kinds[diff->by].plural;
}

bool
prf_diff_has_binary(const struct prf_diff *diff)
{
	return kinds[diff->by].has_binary;
}

const struct prf_changes *
prf_diff_changes(const struct prf_diff *diff)
{
	return diff->by_total ? &diff->total : &diff->self;
}

size_t
prf_diff_key(const struct prf_diff *diff, const struct prf_diff_row *row)
{
	return (size_t)(row->change - prf_diff_changes(diff)->all);
}

double
prf_diff_seconds(const struct prf_diff *diff, bool is_new)
{
	size_t from = is_new ? diff->n_old : 0;
	size_t n = is_new ? diff->n_new : diff->n_old;
	double sum = 0;

	for (size_t i = from; i < from + n; i++)
		sum += diff->runs[i].seconds;
	return sum / (double)n;
}

/* --- What is called the same */

/* The counts of all rows in all runs. */
struct matched {
	struct prf_count *self, *total; /* [row * runs + run] */
	size_t n_runs, room;            /* for rows */
};

static void
clear_matched(struct matched *matched)
{
	free(matched->self);
	free(matched->total);
}

static bool
has_binary_called(const struct prf_rows *rows, const char *name)
{
	size_t i = 0;

	while (i < rows->n && strcmp(rows->rows[i].binary, name) != 0)
		i++;
	return i < rows->n;
}

static const struct prf_diff_run *
newest_of(const struct prf_diff *diff)
{
	return &diff->runs[diff->n_old + diff->n_new - 1];
}

static void
find_renamed(struct prf_diff *diff)
{
	const struct prf_diff_run *newest = newest_of(diff);

	for (size_t i = 0; i < diff->n_old + diff->n_new; i++) {
		struct prf_diff_run *run = &diff->runs[i];

		run->is_renamed =
			run->program && newest->program &&
			strcmp(run->program, newest->program) != 0 &&
			!has_binary_called(&newest->rows, run->program);
	}
}

/* What NAME, of a binary of RUN, is in the newest run. */
static const char *
name_of_program(const struct prf_diff *diff, const struct prf_diff_run *run,
		const char *name)
{
	return run->is_renamed && strcmp(run->program, name) == 0
		       ? newest_of(diff)->program
		       : name;
}

/* As it is in all runs. */
static const char *
common_name(const struct prf_diff *diff, const char *row_name)
{
	const char *name = row_name, *slash = strrchr(name, '/');

	if (kinds[diff->by].is_numbered)
		name += strspn(name, "0123456789");
	if (name > row_name && *name == ' ')
		return name + 1;
	return kinds[diff->by].is_path && slash ? slash + 1 : row_name;
}

static int
make_room(struct prf_diff *diff, struct matched *matched)
{
	size_t n = matched->room, room = n * 2 + 256;
	size_t bytes = (room - n) * matched->n_runs * sizeof(struct prf_count);

	if (diff->keys.n <= n)
		return 0;
	struct prf_count *self = reallocarray(matched->self, room,
					      matched->n_runs * sizeof *self);
	if (!self)
		return -ENOMEM;
	matched->self = self;
	struct prf_count *total = reallocarray(matched->total, room,
					       matched->n_runs * sizeof *total);
	if (!total)
		return -ENOMEM;
	matched->total = total;
	struct prf_diff_row *rows =
		reallocarray(diff->rows, room, sizeof *rows);
	if (!rows)
		return -ENOMEM;
	diff->rows = rows;
	memset(&self[n * matched->n_runs], 0, bytes);
	memset(&total[n * matched->n_runs], 0, bytes);
	memset(&rows[n], 0, (room - n) * sizeof *rows);
	matched->room = room;
	return 0;
}

/* The number of what ROW of RUN is called in all runs. */
static int
find_key(struct prf_diff *diff, const struct prf_diff_run *run,
	 const char *row_name, const char *binary, size_t *number)
{
	PRF_AUTO(prf_auto_free) char *key = NULL;
	const char *name = common_name(diff, row_name);
	if (kinds[diff->by].is_program)
		name = name_of_program(diff, run, name);
	int n = (int)(diff->by == PRF_ROWS_BY_FUNCTION
			      ? prf_clones_name_bytes(name)
			      : strlen(name));

	if (asprintf(&key, "%.*s\n%s", n, name,
		     name_of_program(diff, run, binary)) < 0) {
		key = NULL;
		return -ENOMEM;
	}
	return prf_named_counts_intern(&diff->keys, key, number);
}

static int
match_row(struct prf_diff *diff, struct matched *matched, size_t run,
	  const struct prf_row *row, size_t *key_number)
{
	size_t number;
	int rc = find_key(diff, &diff->runs[run], row->name, row->binary,
			  &number);

	if (!rc)
		rc = make_room(diff, matched);
	if (rc)
		return rc;
	size_t at = number * matched->n_runs + run;
	diff->rows[number].is_path |= row->is_path;
	prf_count_merge(&matched->self[at], &row->count);
	prf_count_merge(&matched->total[at], &row->total);
	diff->rows[number].is_demangled = row->is_demangled;
	*key_number = number;
	return 0;
}

static int
match_run(struct prf_diff *diff, struct matched *matched, size_t number)
{
	struct prf_diff_run *run = &diff->runs[number];
	PRF_AUTO(prf_auto_free)
	size_t *keys = calloc(run->rows.n + 1, sizeof *keys);
	int rc = keys ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < run->rows.n; i++)
		rc = match_row(diff, matched, number, &run->rows.rows[i],
			       &keys[i]);
	for (size_t i = 1; !rc && i < run->n_nodes; i++)
		run->nodes[i].row = keys[run->nodes[i].row];
	return rc;
}

/* COURSE has from now on the NUMBERS of its keys; what is no row of the diff is
 * left out. */
static void
number_course(const struct prf_diff *diff, struct prf_course *course,
	      const size_t *numbers)
{
	size_t kept = 0;

	for (size_t i = 0; i < course->n; i++) {
		size_t number = numbers[course->parts[i].key];

		if (number >= diff->n)
			continue;
		course->parts[kept] = course->parts[i];
		course->parts[kept++].key = (uint32_t)number;
	}
	course->n = kept;
}

static int
match_course(struct prf_diff *diff, struct prf_diff_run *run)
{
	struct prf_run_course *course = &run->course;
	PRF_AUTO(prf_auto_free)
	size_t *numbers = calloc(course->keys.n + 1, sizeof *numbers);
	int rc = numbers ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < course->keys.n; i++) {
		char *name = course->keys.all[i].text;
		char *end = strrchr(name, '\n');

		*end = '\0';
		rc = find_key(diff, run, name, end + 1, &numbers[i]);
	}
	if (rc)
		return rc;
	number_course(diff, &course->self, numbers);
	number_course(diff, &course->total, numbers);
	return 0;
}

static int
match(struct prf_diff *diff, struct matched *matched)
{
	int rc = 0;

	find_renamed(diff);
	for (size_t run = 0; !rc && run < matched->n_runs; run++)
		rc = match_run(diff, matched, run);
	/* A key without a row has been the last one. */
	diff->n = diff->keys.n < matched->room ? diff->keys.n : matched->room;
	for (size_t run = 0; !rc && run < matched->n_runs; run++)
		rc = match_course(diff, &diff->runs[run]);
	return rc;
}

/* --- What has changed */

/* The courses of all runs, self or TOTAL, which lends them; NULL in *COURSES:
 * not all are known.  -ENOMEM. */
static int
collect_courses(const struct prf_diff *diff, bool total,
		struct prf_course **courses)
{
	size_t n = diff->n_old + diff->n_new;

	*courses = calloc(n, sizeof **courses);
	if (!*courses)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct prf_run_course *course = &diff->runs[i].course;

		(*courses)[i] = total ? course->total : course->self;
		if (!course->self.n) {
			free(PRF_TAKE(*courses));
			return 0;
		}
	}
	return 0;
}

static int
find_changes(const struct prf_diff *diff, struct prf_change_runs *runs,
	     bool total, struct prf_changes *changes)
{
	PRF_AUTO(prf_auto_free) struct prf_course *courses = NULL;
	int rc = collect_courses(diff, total, &courses);

	runs->courses = courses;
	if (!rc)
		rc = prf_changes_find(runs, changes);
	runs->courses = NULL;
	return rc;
}

static int
compare(struct prf_diff *diff, const struct matched *matched)
{
	PRF_AUTO(prf_auto_free)
	struct prf_count *totals = calloc(matched->n_runs, sizeof *totals);
	PRF_AUTO(prf_auto_free)
	double *tick_s = calloc(matched->n_runs, sizeof *tick_s);
	struct prf_change_runs runs = {
		.n_old = diff->n_old,
		.n_new = diff->n_new,
		.totals = totals,
		.tick_s = tick_s,
		.n_keys = diff->n,
		.counts = matched->self,
	};

	if (!totals || !tick_s)
		return -ENOMEM;
	for (size_t i = 0; i < matched->n_runs; i++) {
		totals[i] = diff->runs[i].rows.all;
		tick_s[i] = 1.0 / diff->runs[i].rate_hz;
	}
	int rc = find_changes(diff, &runs, false, &diff->self);
	if (rc || !(diff->by_total || diff->has_nodes))
		return rc;
	runs.counts = matched->total;
	runs.rest = diff->self.rest;
	return find_changes(diff, &runs, true, &diff->total);
}

static int
weight(const struct prf_diff_row *row)
{
	static const int weights[PRF_N_CHANGE_VERDICTS] = {
		[PRF_CHANGE_SLOWER] = 2,
		[PRF_CHANGE_FASTER] = 2,
		[PRF_CHANGE_SHARE] = 1,
	};

	return weights[row->change->verdict];
}

static double
size_of(const struct prf_change *change)
{
	return fabs(change->new_share - change->old_share);
}

static int
by_weight(const void *a, const void *b)
{
	const struct prf_diff_row *left = a, *right = b;
	double left_size = size_of(left->change),
	       right_size = size_of(right->change);

	if (weight(left) != weight(right))
		return weight(left) > weight(right) ? -1 : 1;
	if (left_size != right_size)
		return left_size > right_size ? -1 : 1;
	int rc = strcmp(left->name, right->name);
	return rc ? rc : strcmp(left->binary, right->binary);
}

/* NAME, newline, BINARY: each for itself. */
static int
name_row(struct prf_diff_row *row, const char *key)
{
	row->name = strdup(key);
	if (!row->name)
		return -ENOMEM;
	char *end = strrchr(row->name, '\n');
	*end = '\0';
	row->binary = end + 1;
	return 0;
}

/* The program of the old runs, where it is called differently; else NULL. */
static const char *
old_program(const struct prf_diff *diff)
{
	for (size_t i = 0; i < diff->n_old; i++)
		if (diff->runs[i].is_renamed)
			return diff->runs[i].program;
	return NULL;
}

/* What is gone is in no new program. */
static void
name_old_binary(const struct prf_diff *diff, struct prf_diff_row *row)
{
	const char *program = old_program(diff);

	if (row->is_gone && program &&
	    strcmp(row->binary, newest_of(diff)->program) == 0)
		row->binary = program;
}

static int
finish(struct prf_diff *diff)
{
	const struct prf_changes *changes = prf_diff_changes(diff);
	int rc = 0;

	for (size_t i = 0; !rc && i < diff->n; i++) {
		struct prf_diff_row *row = &diff->rows[i];

		row->change = &changes->all[i];
		row->is_new = row->change->old_share == 0;
		row->is_gone = row->change->new_share == 0;
		rc = name_row(row, diff->keys.all[i].text);
		if (!rc)
			name_old_binary(diff, row);
	}
	if (!rc && diff->n)
		qsort(diff->rows, diff->n, sizeof *diff->rows, by_weight);
	return rc;
}

int
prf_diff_make(struct prf_diff *diff)
{
	PRF_AUTO(clear_matched)
	struct matched matched = {.n_runs = diff->n_old + diff->n_new};
	int rc = match(diff, &matched);

	if (!rc)
		rc = compare(diff, &matched);
	return rc ? rc : finish(diff);
}

void
prf_diff_clear(struct prf_diff *diff)
{
	for (size_t i = 0; i < diff->n; i++)
		free(diff->rows[i].name);
	free(diff->rows);
	for (size_t i = 0; diff->runs && i < diff->n_old + diff->n_new; i++) {
		prf_rows_clear(&diff->runs[i].rows);
		prf_run_course_clear(&diff->runs[i].course);
		free(diff->runs[i].nodes);
	}
	prf_changes_clear(&diff->self);
	prf_changes_clear(&diff->total);
	prf_named_counts_clear(&diff->keys);
}
