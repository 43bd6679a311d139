#include "src/output/counters.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum show {
	TRACE_ONLY, /* the summary has it in words of its own, or not */
	ALWAYS,     /* with -v */
	IF_ANY,     /* with -v, unless it is 0 */
	LOST,       /* the same, and in the summary's list of lost ticks */
};

struct row {
	const char *name; /* in a trace; NULL: it ends before this is known */
	bool of_profile;  /* lies in the profile's counters, not in the run's */
	size_t offset;    /* of a uint64_t there */
	enum show show;
	const char *unit, *help; /* together a phrase: "tick", "that came late";
				  * the unit is of one */
};

#define RUN(name, member)                                                      \
	name, false, offsetof(struct prf_sampler_stats, member)
#define PROFILE(member)                                                        \
	NULL, true, offsetof(struct prf_profile_counters, member)

/* man/pctrace.5 has the same names. */
static const struct row rows[] = {
	{RUN("ticks", ticks), ALWAYS, "tick", "in the profile"},
	{RUN("samples", samples), ALWAYS, "sample", "they came with"},
	{RUN("ticks.late", late), IF_ANY, "tick", "that came late"},
	{RUN("ticks.in_calls", in_calls), IF_ANY, "tick", "in system calls"},
	{RUN("ticks.in_faults", in_faults), IF_ANY, "tick", "in page faults"},
	{RUN("ticks.unsampled", unsampled), IF_ANY, "tick",
	 "in switches to threads, and in their ends"},
	{RUN("ticks.blocked", wall.blocked), IF_ANY, "tick",
	 "of threads that were blocked"},
	{RUN("ticks.waiting", wall.waiting), IF_ANY, "tick",
	 "of threads waiting for a processor"},
	{RUN("ticks.together", wall.together), IF_ANY, "tick",
	 "that came together"},
	{RUN("ticks.brief", brief), IF_ANY, "tick",
	 "stopped from outside, of threads that run only briefly"},
	{RUN("ticks.stale_map", stale_map), IF_ANY, "tick",
	 "whose mapping was not verified"},
	{RUN("ticks.stackless", stackless), IF_ANY, "tick",
	 "whose stacks were lost"},
	{PROFILE(outside), IF_ANY, "tick", "outside of all binaries"},
	{RUN("ticks.lost.gone", gone), LOST, "tick",
	 "of threads that were gone"},
	{RUN("ticks.lost.unseen", unseen), LOST, "tick",
	 "at the ends of threads"},
	{RUN("ticks.lost.stopped", wall.stopped), LOST, "tick",
	 "while stopped for samples"},
	{RUN("ticks.lost.no_room", no_room), LOST, "tick",
	 "that the kernel had no room for"},
	{RUN("ticks.lost.refused", refused), LOST, "tick", "refused"},
	{RUN("ticks.lost.in_kernel", in_kernel), LOST, "tick",
	 "in the kernel, with --clock=user"},
	{PROFILE(saturated), LOST, "tick", "in full counters"},
	{RUN("ticks.paused", paused), IF_ANY, "tick", "while counting was off"},
	{RUN("stops.early", early), IF_ANY, "stop", "before a tick was due"},
	{RUN("stops.foreign", foreign), IF_ANY, "stop", "of the program's own"},
	{RUN("calls.repaired", eintr_repaired), IF_ANY, "system call",
	 "kept from EINTR"},
	{RUN("calls.not_repaired", eintr_left), IF_ANY, "system call",
	 "that failed with EINTR by a stop"},
	{RUN("processes", processes), IF_ANY, "process", ""},
	{PROFILE(idle), IF_ANY, "process", "without ticks"},
	{RUN("processes.left_alone", left_alone), IF_ANY, "process",
	 "left to their debuggers"},
	{RUN("processes.unreached", unreached), IF_ANY, "descendant",
	 "that could not be attached to"},
	{RUN("programs", programs), TRACE_ONLY, "program", "begun"},
	{PROFILE(programs), IF_ANY, "program", "with ticks"},
	{RUN("threads", threads), IF_ANY, "thread", ""},
	{RUN("threads.unarmed", unarmed), IF_ANY, "thread",
	 "that could not be watched"},
	{RUN("threads.hidden", wall.hidden), IF_ANY, "thread",
	 "that hide where they are blocked"},
	{RUN("samples.unstopped", wall.samples), IF_ANY, "sample",
	 "of threads that were not stopped"},
	{RUN("stacks.torn", wall.torn), IF_ANY, "stack",
	 "of threads that went on meanwhile"},
	{RUN("cpu_unknown", cpu_unknown), IF_ANY, "thread",
	 "without a readable clock"},
	{RUN("cpu_ns", cpu_ns), TRACE_ONLY, "ns", "of CPU time"},
	{RUN("in_step_ns", in_step_ns), TRACE_ONLY, "ns",
	 "of CPU time of threads in step with the kernel's tick"},
	{RUN("stops_ns", stops_ns), TRACE_ONLY, "ns",
	 "of CPU time that stops took besides"},
	{RUN("user_us", user_us), TRACE_ONLY, "us", "of user time"},
	{RUN("system_us", system_us), TRACE_ONLY, "us", "of system time"},
	{RUN("wall_ns", wall_ns), TRACE_ONLY, "ns", "from start to end"},
	{RUN("paused_ns", paused_ns), TRACE_ONLY, "ns",
	 "of that, while counting was off"},
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

/* For each trigger with ticks "ticks.by.NAME": pctrace(5). */
static int
give_triggers(const struct prf_sampler_stats *stats, struct prf_sink *sink)
{
	int first = 0;

	for (size_t i = 0; i < PRF_MAX_TRIGGERS && stats->trigger[i].name;
	     i++) {
		char name[64];
		const struct prf_figure figure = {
			.name = name,
			.value = stats->trigger[i].ticks,
		};

		if (!figure.value)
			continue;
		snprintf(name, sizeof name, "ticks.by.%s",
			 stats->trigger[i].name);
		int rc = prf_sink_figure(sink, &figure);
		first = first ? first : rc;
	}
	return first;
}

int
prf_counters_give(const struct prf_run *run, struct prf_sink *sink)
{
	int first = give_triggers(&run->stats, sink);

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

uint64_t
prf_counters_lost(const struct prf_run *run)
{
	uint64_t sum = 0;

	for (const struct row *row = rows; row < rows + N_ROWS; row++)
		if (row->show == LOST && row->name)
			sum += value_of(row, run, NULL);
	return sum;
}

static const char *
plural(const char *unit, uint64_t n)
{
	bool hisses = unit[strlen(unit) - 1] == 's';

	return n == 1 ? "" : hisses ? "es" : "s";
}

void
prf_counters_print(const struct prf_run *run,
		   const struct prf_profile_counters *profile, FILE *out)
{
	for (const struct row *row = rows; row < rows + N_ROWS; row++) {
		uint64_t value = value_of(row, run, profile);

		if (row->show == TRACE_ONLY || (row->show != ALWAYS && !value))
			continue;
		fprintf(out, "  %10" PRIu64 "  %s%s%s%s\n", value, row->unit,
			plural(row->unit, value), *row->help ? " " : "",
			row->help);
	}
}
