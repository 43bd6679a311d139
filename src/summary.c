#include "config.h"

#include "summary.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "view/report.h"
#include "view/report_family.h"

/* Lines of each table, and how long they are. */
enum { HOTTEST = 10, BUSIEST = 20, MIN_WIDTH = 60, USUAL_WIDTH = 80 };

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

/* Every counter, by the name that users meet in the manual. */
static void
print_counters(const struct prf_sampler_stats *stats,
	       const struct prf_family *family, FILE *out)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
		{"ticks in the profile", stats->ticks},
		{"looks they came with", stats->samples},
		{"ticks that came late", stats->late},
		{"ticks of threads that were blocked", stats->wall.blocked},
		{"ticks of threads waiting for a processor",
		 stats->wall.waiting},
		{"ticks that came together", stats->wall.together},
		{"ticks whose mapping was not verified", stats->stale_map},
		{"ticks outside of all objects", family->totals.outside},
		{"ticks in full counters", family->totals.saturated},
		{"ticks of threads that were gone", stats->gone},
		{"ticks at the ends of threads", stats->unseen},
		{"ticks that were refused", stats->refused},
		{"ticks in the kernel, with --clock=user", stats->in_kernel},
		{"ticks while counting was off", stats->paused},
		{"stops before a tick was due", stats->early},
		{"stops of the program's own", stats->foreign},
		{"system calls kept from EINTR", stats->eintr_repaired},
		{"processes", family->n_processes},
		{"processes without ticks", family->n_idle},
		{"programs with ticks", family->tree.n_programs},
		{"threads", stats->threads},
		{"threads that could not be watched", stats->unarmed},
		{"descendants that could not be attached to", stats->unreached},
		{"looks at threads without a stop", stats->wall.looks},
		{"threads that hide where they are blocked",
		 stats->wall.hidden},
		{"threads without a readable clock", stats->cpu_unknown},
	};

	fputc('\n', out);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		fprintf(out, "  %10" PRIu64 "  %s\n", rows[i].value,
			rows[i].name);
	if (stats->refused_trigger[0])
		fprintf(out, "              without trigger %s\n",
			stats->refused_trigger);
}

static size_t
width_of(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) < 0 ||
	    size.ws_col < MIN_WIDTH)
		return USUAL_WIDTH;
	return size.ws_col;
}

static int
print_tables(const struct prf_options *options, const struct prf_family *family,
	     uint64_t period_ns, FILE *out)
{
	int rc = prf_report_tree(&family->tree, family->n_idle, BUSIEST,
				 width_of(out), out);

	if (rc)
		return rc;
	if (options->threads)
		prf_report_threads(&family->threads, BUSIEST, out);
	return prf_report_functions(&family->totals, period_ns, HOTTEST, out);
}

int
prf_summary_print(const struct prf_options *options,
		  const struct prf_family *family, const struct prf_run *run,
		  FILE *out)
{
	const struct prf_sampler_stats *stats = &run->stats;
	const struct prf_loss losses[] = {
		{"of threads that were gone", stats->gone},
		{"at the ends of threads", stats->unseen},
		{"refused", stats->refused},
		{"in the kernel, with --clock=user", stats->in_kernel},
		{"in full counters", family->totals.saturated},
		{NULL, 0},
	};
	struct prf_source_share sources[PRF_MAX_TRIGGERS + 1] = {{0}};

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
		.cpu_ns = stats->cpu_ns,
		.user_us = stats->user_us,
		.system_us = stats->system_us,
		.threads = stats->threads,
		.processes = family->n_processes,
		.unwatched = stats->unarmed,
		.own_cpu_ns = stats->own_cpu_ns,
		.rate_hz = options->rate_hz,
		.period_ns = prf_options_period_ns(options),
		.ticks = stats->ticks,
		.looks = stats->samples,
		.late = stats->late,
		.threads_ns = stats->wall.threads_ns,
		.blocked = stats->wall.blocked,
		.waiting = stats->wall.waiting,
		.losses = losses,
		.sources = sources,
		.fallback_reason = stats->fallback_reason,
	};
	prf_report_run(&summary, out);
	print_end(run->wait_status, out);
	if (options->verbosity > 0)
		print_counters(stats, family, out);
	return print_tables(options, family, summary.period_ns, out);
}

/* WORD as a shell reads it. */
static void
print_quoted(const char *word, FILE *out)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "%+,-./:=@_";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

/* The file that has an object's own symbols, as gprof wants one: the object's,
 * or its separate debug file.  NULL: there is none. */
static const char *
symbols_of(const struct prf_object *object)
{
	const char *from =
		object->image ? prf_image_info(object->image)->names_from : "";

	if (from[0] == '/')
		return from;
	return strcmp(from, ".symtab") == 0 ? object->path : NULL;
}

static void
print_command(const char *options, const char *syms, const char *image,
	      const char *gmon, const char *remark, FILE *out)
{
	fprintf(out, "  gprof %s", options);
	if (syms) {
		fputs(" -S ", out);
		print_quoted(syms, out);
	}
	fputc(' ', out);
	print_quoted(image, out);
	fputc(' ', out);
	print_quoted(gmon, out);
	fprintf(out, "    # %s\n", remark);
}

void
prf_summary_print_commands(const struct prf_object *program, const char *gmon,
			   const char *syms, const char *what, FILE *out)
{
	const char *image = symbols_of(program);
	bool has_file = program->kind == PRF_OBJECT_FILE && program->image;

	fputc('\n', out);
	if (image)
		print_command("-b -p", NULL, image, gmon, program->name, out);
	if (syms && has_file)
		print_command("-b -p", syms, program->path, gmon, what, out);
	if (!image && !(syms && has_file)) {
		fputs("  ", out);
		print_quoted(gmon, out);
		fprintf(out, "    # %s: no file that gprof could be given\n",
			program->name);
	}
}
