#include "view/table/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/table/distinct_names.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/share_columns.h"
#include "view/table/wrapped.h"

/* The rate for programs that run for a short time. */
enum { FAST_HZ = 1000 };

/* --- The run */

static double
seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void
print_command(char *const *argv, FILE *out)
{
	enum { MAX_BYTES = 200 };
	size_t used = 0;

	for (size_t i = 0; argv[i]; i++) {
		used += strlen(argv[i]) + 1;
		if (i && used > MAX_BYTES) {
			fputs(" ...", out);
			break;
		}
		if (i)
			fputc(' ', out);
		prf_plain_print(argv[i], out);
	}
	fputc('\n', out);
}

static void
print_attached(const struct prf_summary *summary, FILE *out)
{
	enum { MOST = 8 };

	for (size_t i = 0; i < summary->n_pids && i < MOST; i++) {
		fprintf(out, "%s%d (", i ? ", " : "", summary->pids[i]);
		prf_plain_print(summary->argv[i], out);
		fputc(')', out);
	}
	if (summary->n_pids > MOST)
		fprintf(out, " and %zu more", summary->n_pids - MOST);
	fprintf(out, " for %.3f s\n", seconds(summary->wall_ns));
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static uint64_t
sum_losses(const struct prf_loss *losses)
{
	uint64_t lost = 0;

	for (const struct prf_loss *loss = losses; loss->reason; loss++)
		lost += loss->ticks;
	return lost;
}

static void
print_losses(const struct prf_loss *losses, FILE *out)
{
	uint64_t lost = sum_losses(losses);

	fprintf(out, ", %" PRIu64 " lost", lost);
	const char *before = " (";
	for (const struct prf_loss *loss = losses; loss->reason; loss++)
		if (loss->ticks) {
			fprintf(out, "%s%" PRIu64 " %s", before, loss->ticks,
				loss->reason);
			before = ", ";
		}
	fputs(lost ? ")\n" : "\n", out);
}

/* The first is what usually makes threads stop. */
static void
print_sources(const struct prf_summary *summary, FILE *out)
{
	const char *reason = summary->fallback_reason;
	bool others = reason[0] != '\0';

	for (size_t i = 1; summary->sources[0].name && summary->sources[i].name;
	     i++)
		others |= summary->sources[i].ticks > 0;
	for (const struct prf_source_share *source = summary->sources;
	     source->name; source++)
		if (source->ticks && others)
			fprintf(out,
				"  trigger   %s: %" PRIu64 " tick%s, %" PRIu64
				" thread%s\n",
				source->name, source->ticks,
				plural(source->ticks), source->threads,
				plural(source->threads));
	if (reason[0]) {
		fputs("  trigger   a thread could not have the first: ", out);
		prf_plain_print(reason, out);
		fputc('\n', out);
	}
}

static void
print_samples(const struct prf_summary *summary, FILE *out)
{
	double cpu_s = seconds(summary->cpu_ns);

	fprintf(out, "  samples   %" PRIu64 " at %" PRIu32 " Hz",
		summary->samples, summary->rate_hz);
	if (summary->threads_ns)
		fputs(" of wall time", out);
	else if (cpu_s > 0)
		fprintf(out, " (%.1f per CPU second)",
			(double)summary->samples / cpu_s);
	fprintf(out, ", %" PRIu64 " late", summary->late);
	print_losses(summary->losses, out);
	if (summary->threads_ns)
		fprintf(out,
			"  ticks     %" PRIu64 ": %" PRIu64 " running, %" PRIu64
			" blocked, %" PRIu64 " waiting for a processor\n",
			summary->ticks,
			summary->ticks - summary->blocked - summary->waiting,
			summary->blocked, summary->waiting);
}

static void
print_lives(uint64_t n_threads, double lived_s, FILE *out)
{
	fprintf(out, "  clock     wall: %" PRIu64 " thread%s, ", n_threads,
		plural(n_threads));
	if (n_threads == 1)
		fprintf(out, "which lived for %.3f s\n", lived_s);
	else
		fprintf(out, "%.3f s each in the mean, make %.3f s\n",
			lived_s / (double)n_threads, lived_s);
}

/* What the ticks add up to, and what they should.  Of a short run that is not
 * known: where ticks come by chance their number varies with its root, and that
 * of each thread is a whole one. */
static void
print_coverage(const struct prf_summary *summary, FILE *out)
{
	enum { LEAST_PERIODS = 20 };
	double period_s = seconds(summary->period_ns);
	double ticks_s = (double)summary->ticks * period_s;
	double lived_s = seconds(summary->threads_ns);
	double whole_s = lived_s > 0 ? lived_s : seconds(summary->cpu_ns);
	double chance_s = 2 * period_s *
			  sqrt(whole_s / period_s + (double)summary->threads);
	bool is_chance = ticks_s > whole_s && ticks_s <= whole_s + chance_s;

	if (lived_s > 0)
		print_lives(summary->threads, lived_s, out);
	if (whole_s < LEAST_PERIODS * period_s)
		return;
	fprintf(out,
		"  coverage  %.1f %% of the %s time is in the "
		"profile (%.3f s of %.3f s)\n",
		is_chance ? 100 : 100 * ticks_s / whole_s,
		lived_s > 0 ? "wall" : "CPU", ticks_s, whole_s);
	if (ticks_s > whole_s + chance_s)
		fputs("            this is more than chance explains: threads "
		      "that run for a short time may have too many ticks\n",
		      out);
}

/* Whose time has no ticks. */
static void
print_unseen(const struct prf_summary *summary, FILE *out)
{
	for (size_t i = 0; i < summary->n_unseen; i++) {
		const struct prf_unseen_share *unseen = &summary->unseen[i];

		fprintf(out, i ? ", %.3f s of " : "  unseen    %.3f s of ",
			seconds(unseen->ns));
		prf_plain_print(*unseen->name ? unseen->name : "others", out);
		fprintf(out, " (%" PRIu64 " process%s)", unseen->n_processes,
			unseen->n_processes == 1 ? "" : "es");
	}
	if (summary->n_unseen)
		fputc('\n', out);
}

/* What being watched has cost, unless it is next to nothing. */
static void
print_stops(const struct prf_summary *summary, FILE *out)
{
	double percent = summary->cpu_ns ? 100 * (double)summary->stops_ns /
						   (double)summary->cpu_ns
					 : 0;

	if (percent >= 1)
		fprintf(out,
			"  stops     took %.3f s more, %.1f %%, which user and "
			"system include\n",
			seconds(summary->stops_ns), percent);
}

/* What the intervals of functions allow for. */
static void
print_in_step(const struct prf_summary *summary, FILE *out)
{
	enum { LEAST_PERCENT = 1 };

	if (100 * summary->doubt >= LEAST_PERCENT)
		fprintf(out,
			"  in step   %.0f %% of the time is of threads that "
			"work in step with the kernel's tick, which meets the "
			"same part of their work again and again: shares may "
			"be off by as much, but not with --trigger=ring or "
			"interrupt\n",
			100 * summary->doubt);
}

/* Kernel time that is not in [kernel]. */
static void
print_kernel_time(const struct prf_summary *summary, FILE *out)
{
	if (summary->kernel_ns)
		fprintf(out,
			"  kernel    %.3f s in no system call (page faults, "
			"...): with the functions\n",
			seconds(summary->kernel_ns));
}

static const char *
why_no_ticks(const struct prf_summary *summary)
{
	enum { CHANCE = 5 }; /* so many may be missed by it */

	if (summary->delay_ns && summary->delay_ns >= summary->wall_ns)
		return "nothing was counted: the run ended before -D was over";
	if (sum_losses(summary->losses))
		return "every tick that fell in this run was lost";
	if (summary->unwatched)
		return "no tick fell in this run: its threads could not be "
		       "watched";
	if (summary->cpu_ns / CHANCE >= summary->period_ns)
		return "no tick fell in this run: other programs had the "
		       "processors whenever the kernel looked";
	return "no tick fell in this run: it used too little CPU time to say "
	       "anything";
}

/* All but the moments that it takes to begin and to let go. */
static void
print_counted(const struct prf_summary *summary, FILE *out)
{
	enum { LEAST_PERCENT = 5 };

	if (summary->paused_ns &&
	    summary->paused_ns >= summary->wall_ns / 100 * LEAST_PERCENT)
		fprintf(out, "  counted   %.3f s of the wall time\n",
			seconds(summary->wall_ns - summary->paused_ns));
}

static void
print_time(const struct prf_summary *summary, FILE *out)
{
	fprintf(out,
		"  time      wall %.3f s, CPU %.3f s (user %.2f, system %.2f); "
		"profrun %.3f s\n",
		seconds(summary->wall_ns), seconds(summary->cpu_ns),
		(double)summary->user_us / 1e6,
		(double)summary->system_us / 1e6, seconds(summary->own_cpu_ns));
	print_counted(summary, out);
	if (summary->processes > 1)
		fprintf(out,
			"  processes %" PRIu64 ", with %" PRIu64 " thread%s\n",
			summary->processes, summary->threads,
			plural(summary->threads));
	else if (summary->threads > 1)
		fprintf(out, "  threads   %" PRIu64 "\n", summary->threads);
}

static void
print_run(const struct prf_summary *summary, FILE *out)
{
	if (summary->n_pids) {
		fputs("\n  attached  to ", out);
		print_attached(summary, out);
	} else {
		fputs("\n  command   ", out);
		print_command(summary->argv, out);
	}
	print_time(summary, out);
	print_samples(summary, out);
	print_sources(summary, out);
	print_coverage(summary, out);
	print_unseen(summary, out);
	print_stops(summary, out);
	print_in_step(summary, out);
	print_kernel_time(summary, out);
	if (!summary->ticks)
		fprintf(out, "  %s\n", why_no_ticks(summary));
}

/* Prints what PRINT does, in lines that are not too long. */
static int
print_wrapped(const struct prf_summary *summary,
	      void (*print)(const struct prf_summary *summary, FILE *out),
	      const struct prf_style *style, FILE *out)
{
	enum { INDENT = 12 };
	PRF_AUTO(prf_auto_free) char *text = NULL;
	size_t size;
	FILE *whole = open_memstream(&text, &size);

	if (!whole)
		return -ENOMEM;
	print(summary, whole);
	if (fclose(whole) || !text)
		return -ENOMEM;
	prf_wrapped_print(text, INDENT, style->width, out);
	return 0;
}

int
prf_report_run(const struct prf_summary *summary, const struct prf_style *style,
	       FILE *out)
{
	return print_wrapped(summary, print_run, style, out);
}

/* How many observations the shares are of: with the wall clock the ticks of a
 * thread that waits are as good as samples. */
static uint64_t
n_seen(const struct prf_summary *summary)
{
	return summary->threads_ns ? summary->ticks : summary->samples;
}

/* What takes more samples, or shows where there are none. */
static void
print_advice(const struct prf_summary *summary, FILE *out)
{
	uint64_t n = n_seen(summary);
	bool is_wall = summary->threads_ns,
	     is_slow = summary->rate_hz < FAST_HZ;

	fprintf(out,
		"\n  few       %" PRIu64
		" %s%s too few to tell functions apart:",
		n, is_wall ? "tick" : "sample", n == 1 ? " is" : "s are");
	if (is_slow)
		fprintf(out, " -F %d takes more,", FAST_HZ);
	if (!is_wall)
		fputs(" -w shows where it waits,", out);
	fprintf(out, "%s run it longer\n", is_slow || !is_wall ? " or" : "");
}

int
prf_report_advice(const struct prf_summary *summary,
		  const struct prf_style *style, FILE *out)
{
	enum { FEW = 20 };

	if (!summary->ticks || n_seen(summary) >= FEW)
		return 0;
	return print_wrapped(summary, print_advice, style, out);
}

/* --- The functions */

/* With all that FUNCTION has called. */
static struct prf_count
total_of(const struct prf_call_graph *graph,
	 const struct prf_function *function)
{
	for (size_t i = 0; graph && i < graph->n_functions; i++) {
		const struct prf_call_function *called = &graph->functions[i];

		if (called->binary == function->binary &&
		    called->lo == function->lo &&
		    strcmp(called->name, function->name) == 0)
			return called->total;
	}
	return function->count;
}

static void
print_function(const struct prf_function *function, const char *name,
	       const struct prf_name_columns *columns,
	       const struct prf_share_columns *shares,
	       const struct prf_call_graph *graph, FILE *out)
{
	const struct prf_count total = total_of(graph, function);

	prf_share_columns_print(shares, &function->count, &total, out);
	prf_name_columns_print(columns, name, function->binary->name, out);
}

static void
print_rest(const struct prf_functions *functions, size_t n_shown, FILE *out)
{
	uint64_t rest = functions->total.ticks;
	size_t n_more = functions->n - n_shown;

	for (size_t i = 0; i < n_shown; i++)
		rest -= functions->all[i].count.ticks;
	if (n_more)
		fprintf(out, "  %6.2f  in %zu more function%s\n",
			100 * (double)rest / (double)functions->total.ticks,
			n_more, plural(n_more));
}

/* As STYLE wants them, to be freed with prf_distinct_names_free(); NULL: out of
 * memory. */
static struct prf_distinct_name *
names_of(const struct prf_function *functions, size_t n,
	 const struct prf_style *style)
{
	struct prf_distinct_name *names = calloc(n + 1, sizeof *names);
	int rc = names ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = prf_distinct_name_begin(&names[i], functions[i].name,
					     false, functions[i].binary->name,
					     style);
	if (rc == 0)
		rc = prf_distinct_names_make(names, n, style);
	if (rc == 0)
		return names;
	prf_distinct_names_free(names, n);
	return NULL;
}

int
prf_report_functions(const struct prf_functions *functions,
		     const struct prf_call_graph *graph, uint64_t period_ns,
		     double doubt, size_t max, const struct prf_style *style,
		     FILE *out)
{
	struct prf_name_columns columns = {0};
	const struct prf_share_columns shares = {
		.has_totals = graph != NULL,
		.period_ns = period_ns,
		.all = functions->total,
		.doubt = doubt,
		.style = style,
	};
	size_t n = functions->n < max ? functions->n : max;

	if (!n)
		return 0;
	struct prf_distinct_name *names = names_of(functions->all, n, style);
	if (!names)
		return -ENOMEM;
	prf_name_columns_fit(&columns, "function", "binary");
	for (size_t i = 0; i < n; i++)
		prf_name_columns_fit(&columns, names[i].shown, names[i].binary);
	prf_name_columns_settle(&columns, prf_share_columns_width(&shares),
				style);
	fputc('\n', out);
	prf_share_columns_print_headings(&shares, out);
	prf_name_columns_print(&columns, "function", "binary", out);
	for (size_t i = 0; i < n; i++)
		print_function(&functions->all[i], names[i].shown, &columns,
			       &shares, graph, out);
	print_rest(functions, n, out);
	prf_distinct_names_free(names, n);
	return 0;
}
