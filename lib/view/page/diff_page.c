#include "view/page/diff_page.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "profile/large.h"
#include "profile/pairs.h"
#include "view/page/page_json.h"
#include "view/table/short_name.h"

enum { VERSION = 2 };

/* A path of functions in the runs of both sides. */
struct node {
	size_t parent, row;
	double old, new; /* ticks of the finest run */
};

struct page {
	const struct prf_diff *diff;
	bool full_names;
	uint32_t rate_hz; /* of the finest run */
	size_t *row_of;   /* by key */
	struct prf_named_counts binaries;
	struct prf_pairs keys; /* parent and row; the number is the node's,
				* less 1 */
	struct node *nodes;
	size_t n_nodes, room;
	bool has_pruned; /* nodes of a row behind the last */
	struct prf_json json;
};

static void
close_page(struct page *page)
{
	free(page->row_of);
	free(page->nodes);
	prf_pairs_clear(&page->keys);
	prf_named_counts_clear(&page->binaries);
}

/* --- The trees of all runs, in one */

static int
append(struct page *page, size_t parent, size_t row)
{
	struct node *grown = prf_large_reserve(page->nodes, page->n_nodes,
					       &page->room, sizeof *grown);

	if (!grown)
		return -ENOMEM;
	page->nodes = grown;
	page->nodes[page->n_nodes++] =
		(struct node){.parent = parent, .row = row};
	return 0;
}

static int
enter(struct page *page, size_t parent, size_t row, size_t *node)
{
	size_t number;
	int rc = prf_pairs_intern(&page->keys, parent, row, &number);

	*node = number + 1;
	return !rc && *node == page->n_nodes ? append(page, parent, row) : rc;
}

static int
add_run(struct page *page, const struct prf_diff_run *run, bool is_new)
{
	PRF_AUTO(prf_auto_free)
	size_t *places = calloc(run->n_nodes + 1, sizeof *places);
	double scale = (double)page->rate_hz / run->rate_hz;
	int rc = places ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < run->n_nodes; i++) {
		const struct prf_diff_node *from = &run->nodes[i];

		if (i)
			rc = enter(page, places[from->parent],
				   page->row_of[from->row], &places[i]);
		if (rc)
			break;
		struct node *node = &page->nodes[places[i]];
		*(is_new ? &node->new : &node->old) +=
			(double)from->self * scale;
	}
	return rc;
}

static int
add_runs(struct page *page)
{
	const struct prf_diff *diff = page->diff;
	size_t n_runs = diff->n_old + diff->n_new;
	int rc = append(page, 0, 0);

	page->row_of = calloc(diff->n + 1, sizeof *page->row_of);
	if (!page->row_of)
		return -ENOMEM;
	for (size_t i = 0; i < diff->n; i++)
		page->row_of[prf_diff_key(diff, &diff->rows[i])] = i;
	for (size_t i = 0; i < n_runs; i++)
		if (diff->runs[i].rate_hz > page->rate_hz)
			page->rate_hz = diff->runs[i].rate_hz;
	for (size_t i = 0; !rc && i < n_runs; i++)
		rc = add_run(page, &diff->runs[i], i >= diff->n_old);
	return rc;
}

/* --- No more nodes than are wanted */

/* The ticks of each node on both sides, with what is below.  NULL: out of
 * memory. */
static double *
sum_up(const struct page *page)
{
	const struct node *nodes = page->nodes;
	double *totals = prf_large_new(page->n_nodes, sizeof *totals);

	for (size_t i = page->n_nodes; totals && i-- > 0;) {
		totals[i] += nodes[i].old + nodes[i].new;
		if (i)
			totals[nodes[i].parent] += totals[i];
	}
	return totals;
}

static size_t
n_with(const struct page *page, const double *totals, double ticks)
{
	size_t n = 0;

	for (size_t i = 0; i < page->n_nodes; i++)
		n += totals[i] >= ticks;
	return n;
}

/* Nodes with fewer than LEAST of TOTALS become one, below each that has more.
 * MOVED: which each is then; REST: the one of those below a node.  No node gets a
 * higher number than it had. */
static void
fold(struct page *page, const double *totals, double least, size_t *moved,
     size_t *rest)
{
	struct node *nodes = page->nodes;
	size_t pruned = page->diff->n, n = 1;

	for (size_t i = 1; i < page->n_nodes; i++) {
		struct node node = nodes[i];
		size_t parent = moved[node.parent];
		bool is_below = parent && nodes[parent].row == pruned;

		if (totals[i] >= least && !is_below) {
			node.parent = parent;
			moved[i] = n;
			nodes[n++] = node;
			continue;
		}
		if (!is_below && !rest[parent]) {
			rest[parent] = n;
			nodes[n++] =
				(struct node){.parent = parent, .row = pruned};
		}
		moved[i] = is_below ? parent : rest[parent];
		nodes[moved[i]].old += node.old;
		nodes[moved[i]].new += node.new;
	}
	page->n_nodes = n;
	page->has_pruned = true;
}

static int
prune(struct page *page, size_t n_max)
{
	PRF_AUTO(prf_auto_free) double *totals = NULL;
	PRF_AUTO(prf_auto_free) size_t *moved = NULL, *rest = NULL;
	double least = 1;

	if (page->n_nodes <= n_max)
		return 0;
	totals = sum_up(page);
	moved = prf_large_new(page->n_nodes, sizeof *moved);
	rest = prf_large_new(page->n_nodes, sizeof *rest);
	if (!totals || !moved || !rest)
		return -ENOMEM;
	/* Each of those that stay can have the rest below it. */
	while (n_with(page, totals, least) > n_max / 2)
		least *= 2;
	fold(page, totals, least, moved, rest);
	return 0;
}

/* --- Functions */

static int
put_binaries(struct page *page)
{
	const struct prf_diff *diff = page->diff;
	int rc = 0;

	for (size_t i = 0; !rc && i < diff->n; i++) {
		size_t number;

		rc = prf_named_counts_intern(&page->binaries,
					     diff->rows[i].binary, &number);
	}
	prf_json_list(&page->json, "binaries");
	for (size_t i = 0; !rc && i < page->binaries.n; i++)
		prf_page_put_binary(&page->json, page->binaries.all[i].text,
				    page->binaries.all[i].text, "unknown");
	if (page->has_pruned)
		prf_page_put_binary(&page->json, "", "", "unknown");
	prf_json_end(&page->json);
	return rc;
}

/* As the page of a profile has it; shares are those of the changes. */
static int
put_function(struct page *page, const struct prf_diff_row *row)
{
	struct prf_json *json = &page->json;
	const char *whole = *row->name ? row->name : "[unknown]";
	PRF_AUTO(prf_auto_free)
	char *name = row->is_demangled && !page->full_names
			     ? prf_short_name(whole)
			     : strdup(whole);
	size_t binary;
	int rc = name ? prf_named_counts_intern(&page->binaries, row->binary,
						&binary)
		      : -ENOMEM;

	if (rc)
		return rc;
	prf_json_list(json, NULL);
	prf_json_text(json, NULL, name);
	prf_json_number(json, NULL, binary);
	for (int i = 0; i < 4; i++)
		prf_json_number(json, NULL, 0);
	if (strcmp(name, whole) != 0)
		prf_json_text(json, NULL, whole);
	prf_json_end(json);
	return 0;
}

static void
put_pruned(struct page *page)
{
	struct prf_json *json = &page->json;

	prf_json_list(json, NULL);
	prf_json_text(json, NULL, "[pruned]");
	prf_json_number(json, NULL, page->binaries.n);
	for (int i = 0; i < 4; i++)
		prf_json_number(json, NULL, 0);
	prf_json_end(json);
}

static int
put_functions(struct page *page)
{
	int rc = 0;

	prf_json_list(&page->json, "functions");
	for (size_t i = 0; !rc && i < page->diff->n; i++)
		rc = put_function(page, &page->diff->rows[i]);
	if (page->has_pruned)
		put_pruned(page);
	prf_json_end(&page->json);
	return rc;
}

static void
put_change(struct prf_json *json, const struct prf_change *change)
{
	static const unsigned verdicts[PRF_N_CHANGE_VERDICTS] = {
		[PRF_CHANGE_NONE] = 0,
		[PRF_CHANGE_SLOWER] = 1,
		[PRF_CHANGE_FASTER] = 2,
		[PRF_CHANGE_SHARE] = 3,
	};

	prf_json_number(json, NULL, verdicts[change->verdict]);
	prf_page_put_share(json, change->old_share);
	prf_page_put_share(json, change->new_share);
	prf_page_put_share(json, change->change.lo);
	prf_page_put_share(json, change->change.hi);
}

static void
put_changes(struct page *page)
{
	const struct prf_diff *diff = page->diff;

	prf_json_list(&page->json, "changes");
	for (size_t i = 0; i < diff->n; i++) {
		size_t key = prf_diff_key(diff, &diff->rows[i]);

		prf_json_list(&page->json, NULL);
		put_change(&page->json, &diff->self.all[key]);
		put_change(&page->json, &diff->total.all[key]);
		prf_json_end(&page->json);
	}
	if (page->has_pruned) {
		static const struct prf_change none;

		prf_json_list(&page->json, NULL);
		put_change(&page->json, &none);
		put_change(&page->json, &none);
		prf_json_end(&page->json);
	}
	prf_json_end(&page->json);
}

/* --- Nodes */

static void
put_nodes(struct page *page)
{
	struct prf_json *json = &page->json;
	const struct node *nodes = page->nodes;

	prf_json_object(json, "nodes");
	prf_json_list(json, "up");
	for (size_t i = 0; i < page->n_nodes; i++)
		prf_json_number(json, NULL, i - nodes[i].parent);
	prf_json_end(json);
	prf_json_list(json, "fn");
	prf_json_signed(json, NULL, -1);
	for (size_t i = 1; i < page->n_nodes; i++)
		prf_json_number(json, NULL, nodes[i].row);
	prf_json_end(json);
	prf_json_list(json, "self");
	for (size_t i = 0; i < page->n_nodes; i++)
		prf_json_real(json, NULL, nodes[i].new, 0);
	prf_json_end(json);
	prf_json_list(json, "old");
	for (size_t i = 0; i < page->n_nodes; i++)
		prf_json_real(json, NULL, nodes[i].old, 0);
	prf_json_end(json);
	prf_json_list(json, "guessed");
	prf_json_end(json);
	prf_json_list(json, "line");
	prf_json_end(json);
	prf_json_end(json);
}

/* --- All of it */

static void
print_side(const struct prf_diff *diff, bool is_new, FILE *out)
{
	size_t n = is_new ? diff->n_new : diff->n_old;
	const struct prf_diff_run *first =
		&diff->runs[is_new ? diff->n_old : 0];

	fprintf(out, "%s: %s", is_new ? "new" : "old", first->path);
	if (n > 1)
		fprintf(out, " and %zu more, %.2f s each", n - 1,
			prf_diff_seconds(diff, is_new));
	else
		fprintf(out, ", %.2f s", prf_diff_seconds(diff, is_new));
}

/* What stands below the title; NULL: out of memory. */
static char *
subtitle_of(const struct prf_diff *diff)
{
	size_t n_self = diff->self.n_certain, n_total = diff->total.n_certain;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	print_side(diff, false, out);
	fputs("; ", out);
	print_side(diff, true, out);
	fprintf(out,
		". Of %zu functions %zu %s changed by more than chance, with "
		"what they call %zu; changes of less than %.2f points of a "
		"function with 1 %% are rarely seen.",
		diff->n, n_self, n_self == 1 ? "has" : "have", n_total,
		100 * prf_changes_visible(&diff->self, 0.01));
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int
put_diff(struct page *page)
{
	const struct prf_diff *diff = page->diff;
	const struct prf_diff_run *newest =
		&diff->runs[diff->n_old + diff->n_new - 1];
	struct prf_json *json = &page->json;
	PRF_AUTO(prf_auto_free) char *subtitle = subtitle_of(diff);

	if (!subtitle)
		return -ENOMEM;
	prf_json_object(json, NULL);
	prf_json_number(json, "version", VERSION);
	prf_json_text(json, "title",
		      newest->command   ? newest->command
		      : newest->program ? newest->program
					: "profrun diff");
	prf_json_text(json, "subtitle", subtitle);
	prf_json_text(json, "unit", "ticks");
	prf_json_number(json, "rate", page->rate_hz);
	prf_json_number(json, "weight", 1);
	int rc = put_binaries(page);
	if (!rc)
		rc = put_functions(page);
	put_changes(page);
	put_nodes(page);
	prf_json_end(json);
	return rc;
}

int
prf_diff_page_write(const struct prf_diff *diff, bool full_names, size_t n_max,
		    FILE *out)
{
	PRF_AUTO(close_page)
	struct page page = {
		.diff = diff,
		.full_names = full_names,
		.json.out = out,
	};
	int rc = add_runs(&page);

	if (!rc)
		rc = prune(&page, n_max);
	if (rc)
		return rc;
	prf_page_put_begin(out);
	rc = put_diff(&page);
	prf_page_put_end(out);
	return rc;
}
