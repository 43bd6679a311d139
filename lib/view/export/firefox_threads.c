#include "view/export/firefox_threads.h"

#include <stdio.h>

/* NS as milliseconds since the begin of the run. */
static void
put_time(struct prf_firefox *firefox, const char *name, uint64_t ns)
{
	uint64_t begin_ns =
		firefox->stacks->begin_ns - firefox->stacks->skipped_ns;

	prf_json_decimal(&firefox->json, name,
			 ns > begin_ns ? ns - begin_ns : 0, 6);
}

static void
put_end_time(struct prf_firefox *firefox, const char *name, uint64_t ns)
{
	if (ns)
		put_time(firefox, name, ns);
	else
		prf_json_null(&firefox->json, name);
}

/* --- Samples
 *
 * The profiler shows a stack from the time of its row to that of the next one, and a
 * row's CPU time as used since the row before.  So a sample, which stands for what was
 * before it, is told where that begins, and its CPU time in the next row.  Where its
 * thread did not run then, the stack is told again where it ends, without weight, and
 * a row without a stack follows. */

struct row {
	uint32_t node; /* 0: no stack */
	uint64_t time_ns, ticks;
	uint64_t cpu_ns; /* since the row before */
};

typedef void put_cell(struct prf_firefox *firefox, const struct row *row);

/* ROW, the last that was told, ends. */
static void
put_end(struct prf_firefox *firefox, struct row *row, uint64_t time_ns,
	put_cell *put)
{
	row->cpu_ns = row->ticks * firefox->period_ns;
	row->ticks = 0;
	row->time_ns = time_ns;
	put(firefox, row);
	*row = (struct row){.time_ns = time_ns};
	put(firefox, row);
}

/* One column of all rows of THREAD; returns how many there are. */
static size_t
put_column(struct prf_firefox *firefox,
	   const struct prf_stack_table_thread *thread, const char *name,
	   put_cell *put)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	const struct prf_stack_table_sample *samples =
		prf_stack_table_samples(stacks, thread);
	uint64_t at = stacks->begin_ns, end_ns = at;
	struct row row = {0};
	size_t n = 0;

	prf_json_list(&firefox->json, name);
	for (size_t i = 0; i < thread->n_samples; i++, end_ns = at, n++) {
		const struct prf_stack_table_step step = prf_stack_table_step(
			stacks, &samples[i], firefox->period_ns, &at);

		if (i && step.gap) {
			put_end(firefox, &row, end_ns, put);
			n += 2;
		}
		row = (struct row){
			.node = samples[i].node,
			.time_ns = at - step.weight,
			.ticks = samples[i].count.ticks,
			.cpu_ns = row.ticks * firefox->period_ns,
		};
		put(firefox, &row);
	}
	if (n && stacks->has_times) {
		put_end(firefox, &row, end_ns, put);
		n += 2;
	}
	prf_json_end(&firefox->json);
	return n;
}

static void
put_stack(struct prf_firefox *firefox, const struct row *row)
{
	prf_json_number_or_null(&firefox->json, NULL,
				firefox->node_rows[row->node] - 1, row->node);
}

static void
put_row_time(struct prf_firefox *firefox, const struct row *row)
{
	put_time(firefox, NULL, row->time_ns);
}

static void
put_weight(struct prf_firefox *firefox, const struct row *row)
{
	prf_json_number(&firefox->json, NULL, row->ticks);
}

static void
put_cpu_time(struct prf_firefox *firefox, const struct row *row)
{
	prf_json_number(&firefox->json, NULL, row->cpu_ns);
}

static void
put_samples(struct prf_firefox *firefox,
	    const struct prf_stack_table_thread *thread)
{
	struct prf_json *json = &firefox->json;

	prf_json_object(json, "samples");
	put_column(firefox, thread, "stack", put_stack);
	put_column(firefox, thread, "time", put_row_time);
	size_t n = put_column(firefox, thread, "weight", put_weight);
	prf_json_text(json, "weightType", "samples");
	if (firefox->stacks->has_times && !prf_export_is_wall(firefox->way))
		put_column(firefox, thread, "threadCPUDelta", put_cpu_time);
	prf_json_number(json, "length", n);
	prf_json_end(json);
}

/* --- Markers */

static int
put_marker_names(struct prf_firefox *firefox,
		 const struct prf_stack_table_event *events, size_t n)
{
	int rc = 0;

	prf_json_list(&firefox->json, "name");
	for (size_t i = 0; !rc && i < n; i++) {
		uint32_t name;

		rc = prf_firefox_intern(
			firefox, events[i].is_exec ? "exec" : "thread end",
			&name);
		prf_json_number(&firefox->json, NULL, name);
	}
	prf_json_end(&firefox->json);
	return rc;
}

static void
put_marker_data(struct prf_firefox *firefox,
		const struct prf_stack_table_event *event)
{
	struct prf_json *json = &firefox->json;

	prf_json_object(json, NULL);
	prf_json_text(json, "type", event->is_exec ? "Exec" : "ThreadEnd");
	prf_json_text(json, "text", event->text);
	prf_json_end(json);
}

static void
put_zero(struct prf_json *json, const char *name)
{
	prf_json_number(json, name, 0);
}

static int
put_markers(struct prf_firefox *firefox,
	    const struct prf_stack_table_thread *thread)
{
	const struct prf_stack_table_event *events =
		prf_stack_table_events(firefox->stacks, thread);
	struct prf_json *json = &firefox->json;
	size_t n = thread->n_events;

	prf_json_object(json, "markers");
	int rc = put_marker_names(firefox, events, n);
	prf_json_list(json, "data");
	for (size_t i = 0; i < n; i++)
		put_marker_data(firefox, &events[i]);
	prf_json_end(json);
	prf_json_list(json, "startTime");
	for (size_t i = 0; i < n; i++)
		put_time(firefox, NULL, events[i].time_ns);
	prf_json_end(json);
	prf_json_repeat(json, "endTime", n, prf_json_null);
	prf_json_repeat(json, "phase", n, put_zero); /* at a moment */
	prf_json_repeat(json, "category", n, put_zero);
	prf_json_number(json, "length", n);
	prf_json_end(json);
	return rc;
}

/* --- Threads */

/* The first that a process has: a thread that has run several programs is
 * several here, and so are the rows of all other threads, and the profiler shows
 * no process with more than one main thread. */
static int
is_main(struct prf_firefox *firefox,
	const struct prf_stack_table_thread *thread, bool *is)
{
	size_t n = firefox->mains.n, number = n + 1;
	int rc = thread->tid == thread->pid
			 ? prf_pairs_intern(&firefox->mains,
					    (size_t)thread->pid, 0, &number)
			 : 0;

	*is = number == n;
	return rc;
}

static int
put_thread(struct prf_firefox *firefox,
	   const struct prf_stack_table_thread *thread)
{
	const char *program = *thread->program ? thread->program : "[unknown]";
	struct prf_json *json = &firefox->json;
	char pid[16];
	bool leads;
	int rc = is_main(firefox, thread, &leads);

	if (rc)
		return rc;
	snprintf(pid, sizeof pid, "%d", (int)thread->pid);
	prf_json_object(json, NULL);
	prf_json_text(json, "name", *thread->name ? thread->name : program);
	prf_json_text(json, "processName", program);
	prf_json_text(json, "processType", "default");
	prf_json_bool(json, "isMainThread", leads);
	prf_json_text(json, "pid", pid);
	prf_json_number(json, "tid", (uint64_t)thread->tid);
	put_time(firefox, "processStartupTime", thread->begin_ns);
	prf_json_null(json, "processShutdownTime");
	put_time(firefox, "registerTime", thread->begin_ns);
	put_end_time(firefox, "unregisterTime", thread->end_ns);
	prf_json_list(json, "pausedRanges");
	prf_json_end(json);
	put_samples(firefox, thread);
	rc = put_markers(firefox, thread);
	prf_json_end(json);
	return rc;
}

int
prf_firefox_put_threads(struct prf_firefox *firefox)
{
	const struct prf_stack_table *stacks = firefox->stacks;
	int rc = 0;

	prf_json_list(&firefox->json, "threads");
	for (size_t i = 0; !rc && i < stacks->n_threads; i++)
		if (prf_stack_table_shows_thread(stacks, i))
			rc = put_thread(firefox, &stacks->threads[i]);
	prf_json_end(&firefox->json);
	return rc;
}
