#include "view/table/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/table/plain.h"

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
		if (source->threads && (others || source != summary->sources))
			fprintf(out,
				"  trigger   %s: %" PRIu64 " tick%s, %" PRIu64
				" thread%s\n",
				source->name, source->ticks,
				plural(source->ticks), source->threads,
				plural(source->threads));
	if (reason[0]) {
		fputs("            a thread could not have the first: ", out);
		prf_plain_print(reason, out);
		fputc('\n', out);
	}
}

static void
print_ticks(const struct prf_summary *summary, FILE *out)
{
	double cpu_s = seconds(summary->cpu_ns);

	fprintf(out, "  ticks     %" PRIu64 " at %" PRIu32 " Hz",
		summary->ticks, summary->rate_hz);
	if (summary->threads_ns)
		fprintf(out,
			" of wall time: %" PRIu64 " running, %" PRIu64
			" blocked, %" PRIu64 " waiting for a processor",
			summary->ticks - summary->blocked - summary->waiting,
			summary->blocked, summary->waiting);
	else if (cpu_s > 0)
		fprintf(out, " (%.1f samples per CPU second)",
			(double)summary->samples / cpu_s);
	fprintf(out, ", %" PRIu64 " late", summary->late);
	print_losses(summary->losses, out);
}

/* What the ticks add up to, and what they should. */
static void
print_coverage(const struct prf_summary *summary, FILE *out)
{
	double ticks_s = (double)summary->ticks * seconds(summary->period_ns);
	double lived_s = seconds(summary->threads_ns);
	double whole_s = lived_s > 0 ? lived_s : seconds(summary->cpu_ns);

	if (lived_s > 0)
		fprintf(out,
			"  clock     wall: %" PRIu64
			" thread%s, %.3f s each in "
			"the mean, make %.3f s\n",
			summary->threads, plural(summary->threads),
			lived_s / (double)summary->threads, lived_s);
	if (whole_s > 0)
		fprintf(out,
			"  coverage  %.1f %% of the %s time is in the "
			"profile (%.3f s of %.3f s)\n",
			100 * ticks_s / whole_s, lived_s > 0 ? "wall" : "CPU",
			ticks_s, whole_s);
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
			"  stops     took %.3f s more, %.1f %%: in user and "
			"system, but not in CPU\n",
			seconds(summary->stops_ns), percent);
}

static const char *
why_no_ticks(const struct prf_summary *summary)
{
	enum { CHANCE = 5 }; /* so many may be missed by it */

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

void
prf_report_run(const struct prf_summary *summary, FILE *out)
{
	double cpu_s = seconds(summary->cpu_ns);

	if (summary->n_pids) {
		fputs("\n  attached  to ", out);
		print_attached(summary, out);
	} else {
		fputs("\n  command   ", out);
		print_command(summary->argv, out);
	}
	fprintf(out,
		"  time      wall %.3f s, CPU %.3f s (user %.2f, system %.2f), "
		"%" PRIu64 " thread%s",
		seconds(summary->wall_ns), cpu_s,
		(double)summary->user_us / 1e6,
		(double)summary->system_us / 1e6, summary->threads,
		plural(summary->threads));
	if (summary->processes > 1)
		fprintf(out, " of %" PRIu64 " processes", summary->processes);
	fprintf(out, "; profrun itself %.3f s\n", seconds(summary->own_cpu_ns));
	print_ticks(summary, out);
	print_sources(summary, out);
	print_coverage(summary, out);
	print_stops(summary, out);
	if (!summary->ticks)
		fprintf(out, "  %s\n", why_no_ticks(summary));
}

/* --- The functions */

static size_t
width_of(char *const *names, size_t n)
{
	const size_t most = 48;
	size_t width = strlen("function");

	for (size_t i = 0; i < n; i++) {
		size_t length = prf_plain_width(names[i]);

		if (length > width && length <= most)
			width = length;
	}
	return width;
}

static void
print_function(const struct prf_function *function, const char *name,
	       const struct prf_count *all, uint64_t period_ns, size_t width,
	       FILE *out)
{
	const struct prf_count *count = &function->count;
	double share = (double)count->ticks / (double)all->ticks;
	size_t shown = prf_plain_width(name);

	fprintf(out, "  %6.2f  ±%5.2f  %9.3f  ", 100 * share,
		100 * prf_count_error(count, all),
		(double)count->ticks * seconds(period_ns));
	prf_plain_print(name, out);
	fprintf(out, "%*s  ", shown < width ? (int)(width - shown) : 0, "");
	prf_plain_print(function->binary->name, out);
	fputc('\n', out);
}

static void
print_rest(const struct prf_functions *functions, size_t n_shown, FILE *out)
{
	uint64_t all = functions->total.ticks, rest = all;
	size_t n_more = functions->n - n_shown;

	for (size_t i = 0; i < n_shown; i++)
		rest -= functions->all[i].count.ticks;
	if (n_more)
		fprintf(out, "  %6.2f  in %zu more function%s\n",
			100 * (double)rest / (double)all, n_more,
			plural(n_more));
}

static void
free_names(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* Demangled, to be freed with free_names(); NULL: out of memory. */
static char **
demangle_all(const struct prf_function *functions, size_t n)
{
	char **names = calloc(n, sizeof *names);

	for (size_t i = 0; names && i < n; i++) {
		names[i] = prf_demangle(functions[i].name);
		if (!names[i]) {
			free_names(names, i);
			return NULL;
		}
	}
	return names;
}

int
prf_report_functions(const struct prf_functions *functions, uint64_t period_ns,
		     size_t max, FILE *out)
{
	size_t n = functions->n < max ? functions->n : max;

	if (!n)
		return 0;
	char **names = demangle_all(functions->all, n);
	if (!names)
		return -ENOMEM;
	size_t width = width_of(names, n);
	fprintf(out, "\n  self %%  ± 95 %%     self s  %-*s  binary\n",
		(int)width, "function");
	for (size_t i = 0; i < n; i++)
		print_function(&functions->all[i], names[i], &functions->total,
			       period_ns, width, out);
	print_rest(functions, n, out);
	free_names(names, n);
	return 0;
}
