#include "src/output/counters.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

enum show {
	TRACE_ONLY, /* the summary has it in words of its own, or not */
	VERBOSE,    /* with -v */
	IF_ANY,     /* with -v, unless it is 0 */
	LOST,       /* with -v, and in the summary's list of lost ticks */
};

struct row {
	const char *name; /* in a trace; NULL: it ends before this is known */
	bool of_profile;  /* lies in the profile's counters, not in the run's */
	size_t offset;    /* of a uint64_t there */
	enum show show;
	const char *unit, *help; /* together a phrase: "ticks", "that are..." */
};

#define RUN(name, member)                                                      \
	name, false, offsetof(struct prf_sampler_stats, member)
#define PROFILE(member)                                                        \
	NULL, true, offsetof(struct prf_profile_counters, member)

/* man/pctrace.5 has the same names. */
static const struct row rows[] = {
	{RUN("ticks", ticks), VERBOSE, "ticks", "in the profile"},
	{RUN("samples", samples), VERBOSE, "samples", "they came with"},
	{RUN("ticks.late", late), VERBOSE, "ticks", "that came late"},
	{RUN("ticks.blocked", wall.blocked), IF_ANY, "ticks",
	 "of threads that were blocked"},
	{RUN("ticks.waiting", wall.waiting), IF_ANY, "ticks",
	 "of threads waiting for a processor"},
	{RUN("ticks.together", wall.together), IF_ANY, "ticks",
	 "that came together"},
	{RUN("ticks.stale_map", stale_map), VERBOSE, "ticks",
	 "whose mapping was not verified"},
	{PROFILE(outside), VERBOSE, "ticks", "outside of all binaries"},
	{RUN("ticks.lost.gone", gone), LOST, "ticks",
	 "of threads that were gone"},
	{RUN("ticks.lost.unseen", unseen), LOST, "ticks",
	 "at the ends of threads"},
	{RUN("ticks.lost.refused", refused), LOST, "ticks", "refused"},
	{RUN("ticks.lost.in_kernel", in_kernel), LOST, "ticks",
	 "in the kernel, with --clock=user"},
	{PROFILE(saturated), LOST, "ticks", "in full counters"},
	{RUN("ticks.paused", paused), VERBOSE, "ticks",
	 "while counting was off"},
	{RUN("stops.early", early), VERBOSE, "stops", "before a tick was due"},
	{RUN("stops.foreign", foreign), VERBOSE, "stops",
	 "of the program's own"},
	{RUN("calls.repaired", eintr_repaired), VERBOSE, "system calls",
	 "kept from EINTR"},
	{RUN("processes", processes), VERBOSE, "processes", ""},
	{PROFILE(idle), VERBOSE, "processes", "without ticks"},
	{RUN("processes.left_alone", left_alone), IF_ANY, "processes",
	 "left to their debuggers"},
	{RUN("processes.unreached", unreached), VERBOSE, "descendants",
	 "that could not be attached to"},
	{RUN("programs", programs), TRACE_ONLY, "programs", "begun"},
	{PROFILE(programs), VERBOSE, "programs", "with ticks"},
	{RUN("threads", threads), VERBOSE, "threads", ""},
	{RUN("threads.unarmed", unarmed), VERBOSE, "threads",
	 "that could not be watched"},
	{RUN("threads.hidden", wall.hidden), IF_ANY, "threads",
	 "that hide where they are blocked"},
	{RUN("samples.unstopped", wall.samples), IF_ANY, "samples",
	 "of threads that were not stopped"},
	{RUN("cpu_unknown", cpu_unknown), IF_ANY, "threads",
	 "without a readable clock"},
	{RUN("cpu_ns", cpu_ns), TRACE_ONLY, "ns", "of CPU time"},
	{RUN("stops_ns", stops_ns), TRACE_ONLY, "ns",
	 "of CPU time that stops took besides"},
	{RUN("user_us", user_us), TRACE_ONLY, "us", "of user time"},
	{RUN("system_us", system_us), TRACE_ONLY, "us", "of system time"},
	{RUN("wall_ns", wall_ns), TRACE_ONLY, "ns", "from start to end"},
	{RUN("threads_ns", wall.threads_ns), TRACE_ONLY, "ns",
	 "that all threads lived"},
	{RUN("own_cpu_ns", own_cpu_ns), TRACE_ONLY, "ns",
	 "of CPU time of profrun itself"},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static uint64_t
value_of(const struct row *row, const struct prf_run *run,
	 const struct prf_profile_counters *profile)
{
	const void *base = row->of_profile ? (const void *)profile
					   : (const void *)&run->stats;
	const void *at = (const char *)base + row->offset;

	return *(const uint64_t *)at;
}

int
prf_counters_give(const struct prf_run *run, struct prf_sink *sink)
{
	int first = 0;

	for (const struct row *row = rows; row < rows + N_ROWS; row++) {
		if (!row->name)
			continue;
		const struct prf_figure figure = {
			.name = row->name,
			.value = value_of(row, run, NULL),
		};
		int rc = prf_sink_figure(sink, &figure);

		if (!first)
			first = rc;
	}
	return first;
}

void
prf_counters_losses(const struct prf_run *run,
		    const struct prf_profile_counters *profile,
		    struct prf_loss losses[PRF_MAX_LOSSES])
{
	size_t n = 0;

	for (const struct row *row = rows; row < rows + N_ROWS; row++)
		if (row->show == LOST && n < PRF_MAX_LOSSES - 1)
			losses[n++] = (struct prf_loss){
				row->help, value_of(row, run, profile)};
	losses[n] = (struct prf_loss){NULL, 0};
}

void
prf_counters_print(const struct prf_run *run,
		   const struct prf_profile_counters *profile, FILE *out)
{
	for (const struct row *row = rows; row < rows + N_ROWS; row++) {
		uint64_t value = value_of(row, run, profile);

		if (row->show == TRACE_ONLY || (row->show == IF_ANY && !value))
			continue;
		fprintf(out, "  %10" PRIu64 "  %s%s%s\n", value, row->unit,
			*row->help ? " " : "", row->help);
	}
}
