#include "src/top/top_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"

static const enum prf_rows_by cheap[] = {
	PRF_ROWS_BY_FUNCTION,
	PRF_ROWS_BY_BINARY,
	PRF_ROWS_BY_THREAD,
	PRF_ROWS_BY_PROGRAM,
};

static int
add_rows(struct prf_top_data *data, const struct prf_profile *profile,
	 enum prf_rows_by by)
{
	struct prf_rows *rows = &data->rows[by];
	int rc = prf_rows_add(rows, profile, by);

	rows->all = profile->total;
	data->has[by] = rc == 0;
	return rc;
}

static int
copy_function(const struct prf_call_function *from, struct prf_top_function *to)
{
	to->name = prf_demangle(from->name);
	to->binary = strdup(from->binary ? from->binary->name : "");
	if (!to->name || !to->binary)
		return -ENOMEM;
	to->is_demangled = strcmp(to->name, from->name) != 0;
	return 0;
}

static int
copy_graph(const struct prf_call_graph *graph, struct prf_top_data *data)
{
	data->functions =
		calloc(graph->n_functions + 1, sizeof *data->functions);
	data->arcs = calloc(graph->n_arcs + 1, sizeof *data->arcs);
	if (!data->functions || !data->arcs)
		return -ENOMEM;
	for (size_t i = 0; i < graph->n_functions; i++) {
		data->n_functions++;
		if (copy_function(&graph->functions[i], &data->functions[i]))
			return -ENOMEM;
	}
	for (size_t i = 0; i < graph->n_arcs; i++)
		data->arcs[data->n_arcs++] = (struct prf_top_arc){
			graph->arcs[i].caller,
			graph->arcs[i].callee,
			graph->arcs[i].total,
		};
	return 0;
}

static int
add_calls(struct prf_top_data *data, const struct prf_profile *profile)
{
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};
	int rc = prf_call_graph_of(profile, &graph);

	if (!rc)
		rc = prf_rows_add_totals(&data->rows[PRF_ROWS_BY_FUNCTION],
					 &graph);
	return rc ? rc : copy_graph(&graph, data);
}

int
prf_top_data_of(const struct prf_profile *profile, uint32_t rate_hz,
		const struct prf_top_wanted *wanted, struct prf_top_data *data)
{
	struct prf_top_data made = {.all = profile->total, .rate_hz = rate_hz};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof cheap / sizeof *cheap; i++)
		rc = add_rows(&made, profile, cheap[i]);
	if (!rc && prf_calls_has_stacks(profile->calls))
		rc = add_calls(&made, profile);
	made.rows[PRF_ROWS_BY_LINE].lines = wanted->binary_lines;
	if (!rc && wanted->lines)
		rc = add_rows(&made, profile, PRF_ROWS_BY_LINE);
	for (int by = 0; by < PRF_N_ROWS_BY; by++)
		prf_rows_sort(&made.rows[by]);
	if (rc)
		prf_top_data_clear(&made);
	else
		*data = made;
	return rc;
}

void
prf_top_data_clear(struct prf_top_data *data)
{
	for (int by = 0; by < PRF_N_ROWS_BY; by++)
		prf_rows_clear(&data->rows[by]);
	for (size_t i = 0; i < data->n_functions; i++) {
		free(data->functions[i].name);
		free(data->functions[i].binary);
	}
	free(data->functions);
	free(data->arcs);
	*data = (struct prf_top_data){0};
}

/* --- What was before */

static const struct prf_thread_row *
find_thread(const struct prf_thread_rows *threads, pid_t tid)
{
	for (size_t i = 0; i < threads->n; i++)
		if (threads->rows[i].tid == tid)
			return &threads->rows[i];
	return NULL;
}

/* A thread whose number another had before is as new. */
static void
subtract_threads(struct prf_thread_rows *threads,
		 const struct prf_thread_rows *earlier)
{
	for (size_t i = 0; i < threads->n; i++) {
		struct prf_thread_row *row = &threads->rows[i];
		const struct prf_thread_row *before =
			find_thread(earlier, row->tid);

		if (before && before->count.ticks <= row->count.ticks)
			prf_count_subtract(&row->count, &before->count);
	}
	if (threads->folded.ticks >= earlier->folded.ticks)
		prf_count_subtract(&threads->folded, &earlier->folded);
}

int
prf_top_data_recent(struct prf_profile *profile,
		    const struct prf_profile *earlier)
{
	subtract_threads(&profile->threads, &earlier->threads);
	return prf_profile_subtract(profile, earlier);
}
