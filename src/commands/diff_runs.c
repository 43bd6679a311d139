#include "src/commands/diff_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/output/progress.h"
#include "src/commands/profile_file.h"
#include "view/gmon/gmon_layout.h"

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

void
prf_diff_file_clear(struct prf_diff_file *file)
{
	prf_report_file_clear(&file->file);
	prf_figures_clear(&file->figures);
	free(file->program);
	free(file->command);
	*file = (struct prf_diff_file){0};
}

/* --- What a file tells */

static int
complain_of_none(const struct prf_report_file *file,
		 const struct prf_figures *figures, struct prf_error *err)
{
	if (file->is_trace && figures->refused_code)
		return prf_error_set(err, figures->refused_code,
				     "%s: none of its samples could be used",
				     file->path);
	return prf_error_set(err, -ENOENT, "%s: has no ticks", file->path);
}

static int
check(const struct prf_report_file *file, const struct prf_reading *reading,
      const struct prf_diff *diff, const struct prf_profile *profile,
      struct prf_error *err)
{
	if (prf_report_file_check(file, diff->by, profile, err))
		return err->code;
	if (!profile->total.ticks)
		return complain_of_none(file, reading->figures, err);
	if ((diff->by_total || diff->has_nodes) &&
	    !prf_calls_has_stacks(profile->calls))
		return prf_error_set(
			err, -ENOENT,
			"%s: %s: has no stacks; record them with profrun -g, "
			"and read profrun.pb.gz (with -o NAME, NAME.pb.gz)",
			file->path, diff->by_total ? "--children" : "-f flame");
	return 0;
}

/* --- Its rows */

/* Takes the nodes of GRAPH, whose functions are rows. */
static int
add_nodes(struct prf_diff_run *run, const struct prf_call_graph *graph)
{
	PRF_AUTO(prf_auto_free)
	size_t *rows = calloc(graph->n_functions + 1, sizeof *rows);
	int rc = 0;

	run->nodes = calloc(graph->n_nodes + 1, sizeof *run->nodes);
	if (!rows || !run->nodes)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < graph->n_functions; i++)
		rc = prf_rows_find(&run->rows, &graph->functions[i], &rows[i]);
	run->n_nodes = graph->n_nodes;
	for (size_t i = 0; !rc && i < graph->n_nodes; i++)
		run->nodes[i] = (struct prf_diff_node){
			.parent = i ? graph->nodes[i].parent : 0,
			.row = i ? rows[graph->nodes[i].function] : 0,
			.self = graph->nodes[i].self.ticks,
		};
	return rc;
}

static int
add_totals(struct prf_diff_run *run, const struct prf_diff *diff,
	   const struct prf_profile *profile)
{
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};
	int rc = prf_call_graph_of(profile, &graph);

	run->rows.joins_clones = true;
	if (!rc)
		rc = prf_rows_add_totals(&run->rows, &graph);
	return !rc && diff->has_nodes ? add_nodes(run, &graph) : rc;
}

static int
add_rows(struct prf_diff_run *run, const struct prf_diff *diff,
	 const struct prf_profile *profile, const struct prf_reading *reading)
{
	struct prf_rows *rows = &run->rows;
	PRF_AUTO(prf_binary_lines_clear)
	struct prf_binary_lines lines = {.symfs = reading->wanted.symfs};

	struct prf_progress *progress = prf_progress_begin(
		&reading->messages, "looking up names", NULL, -1);

	rows->lines = &lines;
	int rc = prf_rows_add(rows, profile, diff->by);
	if (!rc && (diff->by_total || diff->has_nodes))
		rc = add_totals(run, diff, profile);
	rows->lines = NULL;
	prf_progress_end(progress);
	prf_binary_lines_warn(&lines);
	prf_message_warn_all(&reading->messages, &lines.warnings);
	return rc;
}

/* --- All of it */

static double
seconds_of(const struct prf_figures *figures, const struct prf_profile *profile,
	   uint32_t rate_hz)
{
	/* The whole run's own clock; it tells of no part, nor of each thread's
	 * wall time. */
	if (figures->cpu_ns && !figures->threads_ns &&
	    !strcmp(figures->clock, "cpu") &&
	    figures->ticks == profile->total.ticks)
		return (double)figures->cpu_ns / 1e9;
	return (double)profile->total.ticks / rate_hz;
}

static const char *
clock_of(const struct prf_diff_file *file, const struct prf_profile *profile)
{
	const char *clock = profile->origin.clock;

	return file->file.is_trace ? file->figures.clock : clock ? clock : "";
}

/* A trace tells it in what it has of itself, another file in what became its profile.
 * -ENOMEM. */
static int
take_command(struct prf_diff_file *file, const struct prf_profile *profile)
{
	const char *command = file->figures.command ? file->figures.command
						    : profile->origin.command;

	file->command = command ? strdup(command) : NULL;
	return command && !file->command ? -ENOMEM : 0;
}

static int
fill(struct prf_diff_run *run, struct prf_diff_file *file,
     const struct prf_profile *profile)
{
	const struct prf_binary *program = prf_gmon_layout_program(profile);

	if (program && *program->name) {
		file->program = strdup(program->name);
		if (!file->program)
			return -ENOMEM;
	}
	run->rate_hz = profile->unit.rate_hz ? profile->unit.rate_hz : 100;
	run->path = file->file.path;
	if (take_command(file, profile))
		return -ENOMEM;
	run->command = file->command;
	run->clock = clock_of(file, profile);
	run->program = file->program;
	run->samples = (uint64_t)(prf_count_samples(&profile->total) + 0.5);
	run->seconds = seconds_of(&file->figures, profile, run->rate_hz);
	return 0;
}

/* The course of a run that is read. */
struct reading_course {
	const struct prf_diff *diff;
	struct prf_run_course *course;
	int rc;
};

static void
add_part(void *arg, const struct prf_profile *part)
{
	struct reading_course *reading = arg;
	const struct prf_diff *diff = reading->diff;

	if (!reading->rc)
		reading->rc =
			prf_run_course_add(reading->course, part, diff->by,
					   diff->by_total || diff->has_nodes);
}

/* Of several runs each tells how much they vary; two have only their courses. */
static bool
wants_course(const struct prf_diff *diff)
{
	return diff->n_old + diff->n_new == 2 && prf_run_course_has(diff->by);
}

int
prf_diff_file_read(struct prf_diff_file *file, const char *path,
		   struct prf_reading *reading, const struct prf_diff *diff,
		   struct prf_diff_run *run, struct prf_error *err)
{
	PRF_AUTO(prf_profile_sum_clear) struct prf_profile_sum sum = {0};
	struct reading_course course = {.diff = diff, .course = &run->course};
	int rc = prf_profile_sum_init(&sum, NULL, err);

	if (rc)
		return rc;
	sum.part = wants_course(diff) ? add_part : NULL;
	sum.part_arg = &course;
	file->file.path = strdup(path);
	if (!file->file.path)
		return no_memory(err);
	reading->figures = &file->figures;
	rc = prf_report_file_read(&file->file, NULL, reading, &sum, err);
	struct prf_profile *profile = prf_profile_sum_whole(&sum);
	if (!rc)
		rc = check(&file->file, reading, diff, profile, err);
	if (rc)
		return rc;
	return course.rc || fill(run, file, profile) ||
			       add_rows(run, diff, profile, reading)
		       ? no_memory(err)
		       : 0;
}

/* --- All of them */

int
prf_diff_runs_check(const struct prf_diff *diff, struct prf_error *err)
{
	const struct prf_diff_run *known = NULL;

	for (size_t i = 0; i < diff->n_old + diff->n_new; i++) {
		const struct prf_diff_run *run = &diff->runs[i];

		if (!*run->clock)
			continue;
		if (known && strcmp(known->clock, run->clock) != 0)
			return prf_error_set(
				err, -EINVAL,
				"%s: counts %s time, and %s %s time: they do "
				"not compare",
				run->path, run->clock, known->path,
				known->clock);
		known = run;
	}
	return 0;
}
