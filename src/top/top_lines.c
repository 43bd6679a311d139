#include "src/top/top_lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share.h"
#include "view/table/short_name.h"

/* --- Lines */

void
prf_top_lines_clear(struct prf_top_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		free(lines->all[i].text);
	free(lines->all);
	*lines = (struct prf_top_lines){0};
}

/* Takes TEXT, which may be NULL: out of memory. */
static int
add(struct prf_top_lines *lines, char *text, enum prf_top_line_kind kind,
    double percent)
{
	PRF_AUTO(prf_auto_free) char *own = text;

	if (!own)
		return -ENOMEM;
	if (lines->n == lines->room) {
		size_t room = lines->room * 2 + 32;
		struct prf_top_line *grown =
			reallocarray(lines->all, room, sizeof *grown);

		if (!grown)
			return -ENOMEM;
		lines->all = grown;
		lines->room = room;
	}
	lines->all[lines->n++] =
		(struct prf_top_line){PRF_TAKE(own), kind, percent};
	return 0;
}

/* As it may be printed; what comes of it is the caller's.  NULL: out of
 * memory. */
static char *
made_plain(const char *text)
{
	char *plain = NULL;
	size_t n_bytes;
	FILE *out = open_memstream(&plain, &n_bytes);

	if (!out)
		return NULL;
	prf_plain_print(text, out);
	if (fclose(out) == 0)
		return plain;
	free(plain);
	return NULL;
}

PRF_PRINTF(3, 4)
static int
add_text(struct prf_top_lines *lines, enum prf_top_line_kind kind,
	 const char *fmt, ...)
{
	PRF_AUTO(prf_auto_free) char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	char *plain = text ? made_plain(text) : NULL;
	return plain ? add(lines, plain, kind, 0) : -ENOMEM;
}

/* --- What stands above */

static const char *const views[PRF_N_ROWS_BY] = {
	[PRF_ROWS_BY_FUNCTION] = "functions",
	[PRF_ROWS_BY_LINE] = "lines",
	[PRF_ROWS_BY_BINARY] = "binaries",
	[PRF_ROWS_BY_PROGRAM] = "programs",
	[PRF_ROWS_BY_PROCESS] = "processes",
	[PRF_ROWS_BY_THREAD] = "threads",
};

static int
add_title(struct prf_top_lines *lines, const struct prf_top_data *data,
	  const struct prf_top_title *title)
{
	double busy_s =
		data->rate_hz ? (double)data->all.ticks / data->rate_hz : 0;
	double busy = title->window_s > 0 ? busy_s / title->window_s : 0;
	double n = prf_count_samples(&data->all);
	char load[64];

	if (title->is_wall)
		snprintf(load, sizeof load, "%.1f threads", busy);
	else
		snprintf(load, sizeof load, "%.0f %% of a CPU", 100 * busy);
	return add_text(lines, PRF_TOP_LINE_TITLE,
			"%s  %.0f s%s  %.0f sample%s in %.0f s, %s",
			title->what, title->seconds,
			title->has_ended ? ", has ended" : "", n,
			n >= 0.5 && n < 1.5 ? "" : "s", title->window_s, load);
}

static const char *
span(bool since_begin)
{
	return since_begin ? "since the start" : "of late";
}

static int
add_state(struct prf_top_lines *lines, const struct prf_top_state *state,
	  const struct prf_top_title *title)
{
	bool has_filter = state->is_typing || state->filter[0];
	/* The key acts on the next data, which do not come while it is frozen. */
	bool is_other = state->since_begin != title->since_begin;

	return add_text(
		lines, PRF_TOP_LINE_STATE,
		"%s by %s, %s%s%s%s%s%s%s%s   h help  q end", views[state->by],
		state->by_total && state->by == PRF_ROWS_BY_FUNCTION ? "total"
								     : "self",
		span(title->since_begin), is_other ? ", next " : "",
		is_other ? span(state->since_begin) : "",
		state->is_frozen ? ", frozen" : "",
		title->is_paused ? ", paused" : "",
		has_filter ? ", filter: " : "", state->filter,
		state->is_typing ? "_" : "");
}

/* --- Rows */

/* Those that pass the filter, as they are sorted; they lend. */
static int
choose_rows(const struct prf_top_data *data, const struct prf_top_state *state,
	    struct prf_rows *chosen)
{
	const struct prf_rows *rows = &data->rows[state->by];

	*chosen = (struct prf_rows){
		.all = data->all,
		.has_totals = rows->has_totals,
		.rows = calloc(rows->n + 1, sizeof *chosen->rows),
	};
	if (!chosen->rows)
		return -ENOMEM;
	for (size_t i = 0; i < rows->n; i++) {
		const struct prf_row *row = &rows->rows[i];

		if ((row->count.ticks || row->total.ticks) &&
		    prf_top_state_passes(state, row->name, row->binary))
			chosen->rows[chosen->n++] = *row;
	}
	if (rows->has_totals && state->by_total)
		prf_rows_sort_by_total(chosen);
	return 0;
}

static double
percent_of(const struct prf_rows *rows, size_t i, bool by_total)
{
	const struct prf_row *row = &rows->rows[i];

	return prf_share_percent(by_total && rows->has_totals ? &row->total
							      : &row->count,
				 &rows->all);
}

/* The lines of TEXT: a heading, then ROWS. */
static int
add_rows_of(struct prf_top_lines *lines, const char *text,
	    const struct prf_rows *rows, const struct prf_top_state *state)
{
	size_t number = 0;
	int rc = 0;

	while (*text && !rc) {
		size_t n = strcspn(text, "\n");
		enum prf_top_line_kind kind =
			number == 0 ? PRF_TOP_LINE_HEADING
			: state->first + number - 1 == state->selected
				? PRF_TOP_LINE_SELECTED
				: PRF_TOP_LINE_ROW;
		double percent =
			number ? percent_of(rows, number - 1, state->by_total)
			       : 0;

		rc = add(lines, strndup(text, n), kind, percent);
		number++;
		text += n + (text[n] == '\n');
	}
	return rc;
}

/* Those of ROWS in sight. */
static int
add_rows(struct prf_top_lines *lines, const struct prf_rows *rows,
	 const struct prf_top_state *state, uint64_t period_ns,
	 const struct prf_style *style)
{
	struct prf_rows seen = *rows;
	char *text = NULL;
	size_t n_bytes, left = rows->n - state->first;
	FILE *out = open_memstream(&text, &n_bytes);

	if (!out)
		return -ENOMEM;
	seen.rows += state->first;
	seen.n = left < lines->n_in_sight ? left : lines->n_in_sight;
	int rc = prf_rows_print(&seen, state->by, period_ns, style, out);
	if (fclose(out))
		rc = -ENOMEM;
	if (!rc)
		rc = add_rows_of(lines, text, &seen, state);
	free(text);
	return rc;
}

/* --- Callers and callees */

enum { MOST_RELATIVES = 5 }; /* of each */

static size_t
find_function(const struct prf_top_data *data, const struct prf_row *row)
{
	size_t i = 0;

	while (i < data->n_functions &&
	       (strcmp(data->functions[i].name, row->name) != 0 ||
		strcmp(data->functions[i].binary, row->binary) != 0))
		i++;
	return i;
}

static int
add_relative(struct prf_top_lines *lines, const struct prf_top_data *data,
	     size_t function, const char *how, const struct prf_count *count,
	     const struct prf_style *style)
{
	enum { BEFORE = 30 };
	const struct prf_top_function *other = &data->functions[function];
	PRF_AUTO(prf_auto_free)
	char *name = other->is_demangled && !style->full_names
			     ? prf_short_name(other->name)
			     : strdup(other->name);
	char *text = NULL;
	size_t n_bytes;

	if (!name)
		return -ENOMEM;
	FILE *out = open_memstream(&text, &n_bytes);
	if (!out)
		return -ENOMEM;
	size_t used = BEFORE + prf_plain_width(other->binary);
	fprintf(out, "%8.2f %% %s ", prf_share_percent(count, &data->all), how);
	if (style->width > used + PRF_STYLE_MIN_WIDTH / 4)
		prf_plain_print_middle_cut(name, style->width - used, out);
	else
		prf_plain_print(name, out);
	fputs(" in ", out);
	prf_plain_print(other->binary, out);
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	return add(lines, text, PRF_TOP_LINE_RELATIVE, 0);
}

/* An arc that is larger than all but those that were taken: TAKEN of one end. */
static const struct prf_top_arc *
next_arc(const struct prf_top_data *data, size_t function, bool callers,
	 const struct prf_top_arc *after)
{
	const struct prf_top_arc *best = NULL;

	for (size_t i = 0; i < data->n_arcs; i++) {
		const struct prf_top_arc *arc = &data->arcs[i];
		bool is_of = (callers ? arc->callee : arc->caller) == function;
		bool is_later =
			!after || arc->count.ticks < after->count.ticks ||
			(arc->count.ticks == after->count.ticks && arc > after);

		if (is_of && is_later && arc->count.ticks &&
		    (!best || arc->count.ticks > best->count.ticks))
			best = arc;
	}
	return best;
}

static int
add_relatives_of(struct prf_top_lines *lines, const struct prf_top_data *data,
		 size_t function, bool callers, const struct prf_style *style)
{
	const struct prf_top_arc *arc = NULL;
	int rc = 0;

	for (int i = 0; i < MOST_RELATIVES && !rc; i++) {
		arc = next_arc(data, function, callers, arc);
		if (!arc)
			break;
		rc = add_relative(lines, data,
				  callers ? arc->caller : arc->callee,
				  callers ? "called by" : "calls    ",
				  &arc->count, style);
	}
	return rc;
}

static int
add_relatives(struct prf_top_lines *lines, const struct prf_top_data *data,
	      const struct prf_rows *rows, const struct prf_top_state *state,
	      const struct prf_style *style)
{
	if (!state->is_expanded || state->by != PRF_ROWS_BY_FUNCTION ||
	    state->selected >= rows->n)
		return 0;
	size_t function = find_function(data, &rows->rows[state->selected]);
	if (function == data->n_functions)
		return add_text(lines, PRF_TOP_LINE_NOTE,
				"    its callers are not known");
	int rc = add_relatives_of(lines, data, function, true, style);

	return rc ? rc : add_relatives_of(lines, data, function, false, style);
}

/* --- All of it */

static int
add_help(struct prf_top_lines *lines)
{
	int rc = 0;

	for (size_t i = 0; prf_top_help[i] && !rc; i++)
		rc = add_text(lines, PRF_TOP_LINE_NOTE, "  %s",
			      prf_top_help[i]);
	return rc;
}

static size_t
count_help(void)
{
	size_t n = 0;

	while (prf_top_help[n])
		n++;
	return n;
}

/* How many rows fit between what else is shown. */
static size_t
rows_in(size_t height, const struct prf_top_state *state)
{
	enum { ABOVE = 3 };
	size_t others = ABOVE +
			(state->is_expanded ? 2 * (size_t)MOST_RELATIVES : 0) +
			(state->shows_help ? count_help() : 0);

	return height > others + 1 ? height - others : 1;
}

/* Why there is no row. */
static const char *
why_none(const struct prf_top_data *data, const struct prf_top_state *state)
{
	if (!data->has[state->by])
		return state->is_frozen ? "comes when Space ends the freeze"
					: "comes with the next look";
	return state->filter[0] ? "nothing passes the filter"
				: "no samples yet";
}

static int
add_table(struct prf_top_lines *lines, const struct prf_top_data *data,
	  struct prf_top_state *state, const struct prf_style *style)
{
	struct prf_rows chosen;
	uint64_t period_ns = data->rate_hz ? 1000000000 / data->rate_hz : 0;
	int rc = choose_rows(data, state, &chosen);

	if (rc)
		return rc;
	lines->n_rows = chosen.n;
	prf_top_state_settle(state, chosen.n, lines->n_in_sight);
	rc = add_rows(lines, &chosen, state, period_ns, style);
	if (!rc && !chosen.n)
		rc = add_text(lines, PRF_TOP_LINE_NOTE, "    %s",
			      why_none(data, state));
	if (!rc)
		rc = add_relatives(lines, data, &chosen, state, style);
	free(chosen.rows);
	return rc;
}

int
prf_top_lines_of(const struct prf_top_data *data, struct prf_top_state *state,
		 const struct prf_top_title *title,
		 const struct prf_style *style, size_t height,
		 struct prf_top_lines *lines)
{
	*lines = (struct prf_top_lines){.n_in_sight = rows_in(height, state)};
	int rc = add_title(lines, data, title);

	if (!rc)
		rc = add_state(lines, state, title);
	if (!rc && state->shows_help)
		rc = add_help(lines);
	if (!rc)
		rc = add_table(lines, data, state, style);
	if (rc)
		prf_top_lines_clear(lines);
	return rc;
}
