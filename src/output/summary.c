#include "config.h"

#include "src/output/summary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/scope.h"
#include "profile/call_graph.h"
#include "profile/calls.h"
#include "profile/functions.h"
#include "live/proc/clock.h"
#include "src/output/counters.h"
#include "src/output/kernel_time.h"
#include "src/output/terminal.h"
#include "src/options/format.h"
#include "src/output/quoted.h"
#include "src/output/run_doubts.h"
#include "src/output/next_step.h"
#include "view/table/plain.h"
#include "view/table/report.h"
#include "view/table/report_processes.h"
#include "view/table/stack_ends.h"

/* Lines of each table. */
enum { HOTTEST = 10, BUSIEST = 20 };

/* How it ended, if there is something to say. */
static void
print_end(int wait_status, FILE *out)
{
	if (WIFSIGNALED(wait_status))
		fprintf(out, "  ended     by signal %d (%s)\n",
			WTERMSIG(wait_status),
			strsignal(WTERMSIG(wait_status)));
	else if (WEXITSTATUS(wait_status))
		fprintf(out, "  ended     with exit status %d\n",
			WEXITSTATUS(wait_status));
}

/* What -v adds to the summary. */
static void
print_counters(const struct prf_run *run,
	       const struct prf_profile_counters *counted, FILE *out)
{
	fputc('\n', out);
	prf_counters_print(run, counted, out);
	if (run->stats.refused_trigger[0])
		fprintf(out, "              without trigger %s\n",
			run->stats.refused_trigger);
}

static int
print_functions(const struct prf_profile *profile,
		const struct prf_call_graph *graph,
		const struct prf_summary *summary,
		const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_functions_clear) struct prf_functions functions;
	int rc = prf_functions_of(profile, &functions);

	if (rc)
		return rc;
	prf_functions_sort(&functions);
	return prf_report_functions(&functions, graph, summary->period_ns,
				    summary->doubt, HOTTEST, style, out);
}

static int
print_tables(const struct prf_options *options,
	     const struct prf_profile *profile,
	     const struct prf_call_graph *graph,
	     const struct prf_summary *summary, const struct prf_style *style,
	     FILE *out)
{
	prf_report_programs(&profile->programs, profile->n_idle, BUSIEST, style,
			    out);
	int rc = options->threads || options->verbosity > 0
			 ? prf_report_tree(&profile->tree, profile->n_idle,
					   BUSIEST, style, out)
			 : 0;

	if (rc)
		return rc;
	if (options->threads)
		prf_report_threads(&profile->threads, BUSIEST, style, out);
	return print_functions(profile, graph, summary, style, out);
}

/* How good the stacks are, and what gprof cannot tell of them. */
static int
print_stacks(const struct prf_options *options,
	     const struct prf_profile *profile,
	     const struct prf_call_graph *graph, const struct prf_style *style,
	     FILE *out)
{
	int rc = prf_stack_ends_print(profile, style, out);

	return !rc && options->formats & PRF_FORMAT_GMON
		       ? prf_stack_ends_print_cycle(graph, &profile->total,
						    style, out)
		       : rc;
}

/* With the user clock no tick tells of the kernel. */
static uint64_t
kernel_ns(const struct prf_options *options,
	  const struct prf_sampler_stats *stats)
{
	return options->clock == PRF_CLOCK_USER
		       ? 0
		       : prf_kernel_time_outside_calls(
				 stats, prf_options_period_ns(options),
				 prf_clock_tick_ns());
}

static int
by_time(const void *a, const void *b)
{
	uint64_t first = ((const struct prf_unseen_share *)a)->ns;
	uint64_t second = ((const struct prf_unseen_share *)b)->ns;

	return (first < second) - (first > second);
}

enum { UNSEEN_SHOWN = 3 };

/* The programs whose time is missing from the profile: at least a hundredth of
 * all.  How many there are in SHARES. */
static size_t
find_unseen(const struct prf_options *options,
	    const struct prf_sampler_stats *stats,
	    struct prf_unseen_share shares[PRF_UNSEEN_PROGRAMS])
{
	const struct prf_unseen_program *programs = stats->unseen_of.programs;
	uint64_t least_ns = stats->cpu_ns / 100;
	size_t n = 0;

	if (options->clock != PRF_CLOCK_CPU)
		return 0;
	for (size_t i = 0; i < PRF_UNSEEN_PROGRAMS; i++) {
		uint64_t ns = prf_unseen_ns(&programs[i],
					    prf_options_period_ns(options));

		if (ns > least_ns)
			shares[n++] = (struct prf_unseen_share){
				programs[i].name, ns, programs[i].n_processes};
	}
	qsort(shares, n, sizeof *shares, by_time);
	return n < UNSEEN_SHOWN ? n : UNSEEN_SHOWN;
}

int
prf_summary_print(const struct prf_options *options,
		  const struct prf_profile *profile, const struct prf_run *run,
		  FILE *out)
{
	const struct prf_sampler_stats *stats = &run->stats;
	const struct prf_profile_counters counted = {
		.outside = prf_profile_unknown(profile),
		.saturated = prf_profile_saturated(profile),
		.idle = profile->n_idle,
		.programs = profile->tree.n_programs,
	};
	struct prf_loss losses[PRF_MAX_LOSSES];
	struct prf_unseen_share unseen[PRF_UNSEEN_PROGRAMS];
	struct prf_source_share sources[PRF_MAX_TRIGGERS + 1] = {{0}};

	prf_counters_losses(run, &counted, losses);
	for (size_t i = 0; i < PRF_MAX_TRIGGERS && stats->trigger[i].name; i++)
		sources[i] = (struct prf_source_share){
			stats->trigger[i].name,
			stats->trigger[i].ticks,
			stats->trigger[i].threads,
		};
	const struct prf_summary summary = {
		.argv = options->program,
		.pids = options->pids,
		.n_pids = options->n_pids,
		.wall_ns = stats->wall_ns,
		.paused_ns = stats->paused_ns,
		.delay_ns = options->delay_ns,
		.cpu_ns = stats->cpu_ns,
		.stops_ns = stats->stops_ns,
		.user_us = stats->user_us,
		.system_us = stats->system_us,
		.doubt = prf_run_doubts_in_step(stats),
		.kernel_ns = kernel_ns(options, stats),
		.threads = stats->threads,
		.processes = profile->n_processes,
		.unwatched = stats->unarmed,
		.own_cpu_ns = stats->own_cpu_ns,
		.rate_hz = options->rate_hz,
		.period_ns = prf_options_period_ns(options),
		.ticks = stats->ticks,
		.samples = stats->samples,
		.late = stats->late,
		.threads_ns = stats->wall.threads_ns,
		.blocked = stats->wall.blocked,
		.waiting = stats->wall.waiting,
		.losses = losses,
		.sources = sources,
		.unseen = unseen,
		.n_unseen = find_unseen(options, stats, unseen),
		.fallback_reason = stats->fallback_reason,
	};
	const struct prf_style style = prf_terminal_style(
		out, PRF_TERMINAL_USUAL_WIDTH, options->full_names);
	PRF_AUTO(prf_call_graph_clear) struct prf_call_graph graph = {0};
	bool has_stacks = prf_calls_has_stacks(profile->calls);
	int rc = prf_report_run(&summary, &style, out);
	if (!rc && has_stacks)
		rc = prf_call_graph_of(profile, &graph);
	if (!rc && has_stacks)
		rc = print_stacks(options, profile, &graph, &style, out);
	if (rc)
		return rc;
	print_end(run->wait_status, out);
	if (options->verbosity > 0)
		print_counters(run, &counted, out);
	rc = print_tables(options, profile, has_stacks ? &graph : NULL,
			  &summary, &style, out);
	return rc ? rc : prf_report_advice(&summary, &style, out);
}

/* The file that has a binary's own symbols, as gprof needs them: that of the
 * binary, or its separate debug file.  NULL: there is none. */
static const char *
symbols_of(const struct prf_binary *binary)
{
	const char *from =
		binary->form == PRF_BINARY_BY_TEXT
			? prf_image_info(binary->file->image)->names_from
			: "";

	if (from[0] == '/')
		return from;
	return strcmp(from, ".symtab") == 0 ? binary->path : NULL;
}

static void
print_command(const char *options, const char *syms, const char *image,
	      const char *gmon, const char *remark, FILE *out)
{
	struct prf_next_step step;

	prf_next_step_begin(&step);
	prf_next_step_put(&step, "gprof ");
	prf_next_step_put(&step, options);
	if (syms) {
		prf_next_step_put(&step, " -S");
		prf_next_step_put_word(&step, syms);
	}
	prf_next_step_put_word(&step, image);
	prf_next_step_put_word(&step, gmon);
	prf_next_step_end(&step, remark, out);
}

/* Is the plain reading of the file, of PROGRAM alone, of any use? */
static bool
is_worth_it(const struct prf_binary *program, const struct prf_count *all)
{
	enum { MIN_PERCENT = 5 };

	return program->total.ticks &&
	       program->total.ticks >= all->ticks / 100 * MIN_PERCENT;
}

static void
print_report(const char *options, const char *file, const char *remark,
	     FILE *out)
{
	struct prf_next_step step;

	prf_next_step_begin(&step);
	prf_next_step_put(&step, "profrun report");
	prf_next_step_put(&step, options);
	if (file)
		prf_next_step_put_word(&step, file);
	prf_next_step_end(&step, remark, out);
}

void
prf_summary_print_report(const char *file, FILE *out)
{
	fputc('\n', out);
	print_report("", file, "the whole table", out);
}

void
prf_summary_print_tree(const char *file, FILE *out)
{
	print_report(" --tree", file, "who called whom", out);
}

void
prf_summary_print_commands(const struct prf_gmon_layout *layout,
			   const char *gmon, const char *syms, FILE *out)
{
	const struct prf_binary *program = layout->program;
	const struct prf_count *all = &layout->profile->total;
	bool has_file = program && program->form == PRF_BINARY_BY_TEXT &&
			program->kind == PRF_BINARY_FILE;
	const char *image = program ? symbols_of(program) : NULL;

	if (syms && has_file)
		print_command("-b -p", syms, program->path, gmon,
			      layout->n > 1 ? "the whole run" : program->name,
			      out);
	if (image && is_worth_it(program, all))
		print_command("-b -p", NULL, image, gmon, program->name, out);
	if (syms && has_file && prf_calls_has_stacks(layout->profile->calls))
		print_command("-b -q", syms, program->path, gmon,
			      "who called whom: \"called\" is in ticks", out);
	if (!(syms && has_file) && !image) {
		fputs("  ", out);
		prf_quoted_print(gmon, out);
		fputs("    # ", out);
		prf_plain_print(program ? program->name : "the run", out);
		fputs(": no file that gprof could be given\n", out);
	}
}
