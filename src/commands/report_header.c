#include "src/commands/report_header.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "view/gmon/gmon_layout.h"
#include "view/table/plain.h"
#include "view/table/stack_ends.h"

/* Of the lines, without what they begin with. */
enum { WIDTH = 66 };

static void
print_text(const char *subject, const char *text, FILE *out)
{
	fprintf(out, "  %-9s ", subject);
	prf_plain_print_cut(text, WIDTH, out);
	fputc('\n', out);
}

static void
print_file(const struct prf_report_file *file, FILE *out)
{
	fputs("  file      ", out);
	prf_plain_print(file->path, out);
	if (file->is_newest)
		fputs(", the newest profile here", out);
	fputc('\n', out);
}

static void
print_time(const char *subject, time_t time, const char *host, FILE *out)
{
	char text[32];
	struct tm tm;

	if (!time || !localtime_r(&time, &tm) ||
	    !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm))
		return;
	fprintf(out, "  %-9s %s", subject, text);
	if (host && *host) {
		fputs(" on ", out);
		prf_plain_print_cut(host, WIDTH / 2, out);
	}
	fputc('\n', out);
}

/* --- A trace */

static double
seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void
print_samples(const struct prf_figures *figures, FILE *out)
{
	double cpu_s = seconds(figures->cpu_ns);

	fprintf(out, "  samples   %" PRIu64, figures->samples);
	if (cpu_s > 0 && !figures->threads_ns)
		fprintf(out, " (%.1f per CPU second)",
			(double)figures->samples / cpu_s);
	if (figures->has_end)
		fprintf(out, ", %" PRIu64 " late, %" PRIu64 " lost",
			figures->late, figures->lost);
	fputc('\n', out);
}

/* More than the whole is chance, within twice its standard deviation. */
static void
print_coverage(const struct prf_figures *figures, FILE *out)
{
	uint64_t whole_ns =
		figures->threads_ns ? figures->threads_ns : figures->cpu_ns;

	if (!whole_ns || !figures->samples)
		return;
	double share = (double)figures->ticks * (double)figures->period_ns /
		       (double)whole_ns;
	if (share > 1 && share < 1 + 2 / sqrt((double)figures->samples))
		share = 1;
	fprintf(out, "  coverage  %.1f %% of the %s time\n", 100 * share,
		figures->threads_ns ? "wall" : "CPU");
}

/* The intervals below allow for it. */
static void
print_in_step(const struct prf_figures *figures, FILE *out)
{
	enum { LEAST_PERCENT = 1 };
	double percent = 100 * prf_figures_doubt(figures);

	if (percent >= LEAST_PERCENT)
		fprintf(out,
			"  in step   %.0f %% of the time is of threads in step "
			"with the kernel's tick\n",
			percent);
}

static void
print_selected(const struct prf_figures *figures,
	       const struct prf_profile *profile, FILE *out)
{
	if (profile->total.ticks != figures->ticks)
		fprintf(out, "  selected  %" PRIu64 " of %" PRIu64 " ticks\n",
			profile->total.ticks, figures->ticks);
}

static void
print_trace(const struct prf_figures *figures,
	    const struct prf_profile *profile, FILE *out)
{
	if (figures->command && *figures->command)
		print_text("command", figures->command, out);
	print_time("recorded", (time_t)(figures->realtime_ns / 1000000000),
		   figures->host, out);
	print_samples(figures, out);
	print_coverage(figures, out);
	print_in_step(figures, out);
	print_selected(figures, profile, out);
}

/* A trigger, or what else took samples, behind those that were printed. */
static void
print_trigger(const char *name, uint64_t ticks, uint64_t all_ticks, FILE *out)
{
	prf_plain_print(name, out);
	fprintf(out, " %.*f %%", ticks == all_ticks ? 0 : 1,
		100 * (double)ticks / (double)all_ticks);
}

/* Those without a stop; 0 also where the trace, of an older profrun, does not tell what
 * the others came from. */
static uint64_t
ticks_without_stop(const struct prf_figures *figures)
{
	bool is_all = figures->without_stop >= figures->ticks;

	return figures->n_triggers || is_all ? figures->without_stop : 0;
}

void
prf_report_header_triggers(const struct prf_figures *figures, FILE *out)
{
	uint64_t without_stop = ticks_without_stop(figures);
	uint64_t all_ticks = without_stop;
	const char *before = "  trigger   ";

	for (size_t i = 0; i < figures->n_triggers; i++)
		all_ticks += figures->triggers[i].ticks;
	for (size_t i = 0; i < figures->n_triggers; i++, before = ", ") {
		fputs(before, out);
		print_trigger(figures->triggers[i].name,
			      figures->triggers[i].ticks, all_ticks, out);
	}
	if (without_stop) {
		fputs(before, out);
		print_trigger("none", without_stop, all_ticks, out);
	}
	if (all_ticks)
		fputs(" of the ticks\n", out);
	else if (*figures->asked_trigger)
		print_text("trigger", figures->asked_trigger, out);
}

/* --- A gmon.out */

/* What the ticks of a CLOCK, which may be NULL, are of. */
static const char *
clock_time(const char *clock)
{
	static const char *const times[][2] = {
		{"cpu", " of CPU time"},
		{"user", " of user time"},
		{"wall", " of wall time"},
	};

	for (size_t i = 0; clock && i < sizeof times / sizeof *times; i++)
		if (strcmp(times[i][0], clock) == 0)
			return times[i][1];
	return "";
}

static void
print_gmon(const struct prf_report_file *file,
	   const struct prf_profile *profile, FILE *out)
{
	const struct prf_binary *program = prf_gmon_layout_program(profile);
	const struct prf_origin *origin = &profile->origin;
	struct stat st;

	if (origin->command)
		print_text("command", origin->command, out);
	if (program && *program->path)
		print_text("program", program->path, out);
	if (origin->begun_s)
		print_time("recorded", (time_t)origin->begun_s, NULL, out);
	else if (!stat(file->path, &st))
		print_time("written", st.st_mtime, NULL, out);
	if (file->names_from)
		print_text("names", file->names_from, out);
	/* A pprof file without samples has time alone, in its own unit. */
	if (profile->unit.rate_hz >= 1000000)
		fprintf(out, "  time      %.3f s\n",
			(double)profile->total.ticks / profile->unit.rate_hz);
	else
		fprintf(out, "  ticks     %" PRIu64 " at %" PRIu32 " Hz%s\n",
			profile->total.ticks, profile->unit.rate_hz,
			clock_time(profile->origin.clock));
}

int
prf_report_header_print(const struct prf_report_file *file,
			const struct prf_figures *figures,
			const struct prf_profile *profile,
			const struct prf_style *style, FILE *out)
{
	print_file(file, out);
	if (file->is_trace)
		print_trace(figures, profile, out);
	else
		print_gmon(file, profile, out);
	int rc = prf_stack_ends_print(profile, style, out);
	fputc('\n', out);
	return rc;
}

/* --- For programs */

uint64_t
prf_report_header_period_ns(const struct prf_profile *profile)
{
	uint32_t rate_hz = profile->unit.rate_hz;

	return 1000000000 / (rate_hz ? rate_hz : 100);
}

static void
put_known(struct prf_json *json, const char *name, bool is_known,
	  uint64_t number)
{
	if (is_known)
		prf_json_number(json, name, number);
	else
		prf_json_null(json, name);
}

static void
put_text(struct prf_json *json, const char *name, const char *text)
{
	prf_json_text(json, name, text && *text ? text : NULL);
}

/* What took samples, with its ticks; null where that is not known. */
static void
put_triggers(const struct prf_figures *figures, struct prf_json *json)
{
	if (!figures->n_triggers) {
		prf_json_null(json, "triggers");
		return;
	}
	prf_json_list(json, "triggers");
	for (size_t i = 0; i < figures->n_triggers; i++) {
		prf_json_object(json, NULL);
		prf_json_text(json, "name", figures->triggers[i].name);
		prf_json_number(json, "ticks", figures->triggers[i].ticks);
		prf_json_end(json);
	}
	prf_json_end(json);
}

void
prf_report_header_json(const struct prf_report_file *file,
		       const struct prf_figures *figures,
		       const struct prf_profile *profile, struct prf_json *json)
{
	const struct prf_binary *program =
		file->is_trace ? NULL : prf_gmon_layout_program(profile);
	const struct prf_origin *origin = &profile->origin;
	double period_ns = (double)prf_report_header_period_ns(profile);
	uint64_t begin_ns = figures->realtime_ns ? figures->realtime_ns
						 : origin->begun_s * 1000000000;

	prf_json_object(json, "run");
	prf_json_text(json, "file", file->path);
	prf_json_text(json, "kind",
		      file->is_trace   ? "trace"
		      : file->is_pprof ? "pprof"
				       : "gmon");
	put_text(json, "command",
		 figures->command ? figures->command : origin->command);
	put_text(json, "program", program ? program->path : NULL);
	put_text(json, "host", figures->host);
	put_text(json, "clock",
		 *figures->clock ? figures->clock : profile->origin.clock);
	put_known(json, "realtime_ns", begin_ns, begin_ns);
	prf_json_number(json, "rate_hz", profile->unit.rate_hz);
	put_known(json, "samples", file->is_trace, figures->samples);
	put_known(json, "late", figures->has_end, figures->late);
	put_known(json, "lost", figures->has_end, figures->lost);
	put_known(json, "cpu_ns", figures->has_end, figures->cpu_ns);
	prf_json_real(json, "in_step_percent", 100 * prf_figures_doubt(figures),
		      2);
	put_triggers(figures, json);
	prf_json_number(json, "ticks", profile->total.ticks);
	prf_json_real(json, "seconds",
		      (double)profile->total.ticks * period_ns / 1e9, 6);
	prf_json_end(json);
}
