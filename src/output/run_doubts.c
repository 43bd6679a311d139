#include "src/output/run_doubts.h"

#include <inttypes.h>
#include <stdio.h>

#include "live/proc/clock.h"
#include "profile/count.h"

/* The trigger that has brought the most ticks. */
static const struct prf_trigger_stats *
main_trigger(const struct prf_sampler_stats *stats)
{
	const struct prf_trigger_stats *most = stats->trigger;

	for (size_t i = 1; i < PRF_MAX_TRIGGERS; i++)
		if (stats->trigger[i].ticks > most->ticks)
			most = &stats->trigger[i];
	return most;
}

static void
explain_rate(const struct prf_sampler_stats *stats, char *why, size_t size)
{
	uint64_t tick_ns = prf_clock_tick_ns();
	const char *refused = stats->refused_trigger;
	const struct prf_trigger_stats *trigger = main_trigger(stats);

	if (!trigger->bound_by_tick)
		snprintf(why, size, "%s no thread as often",
			 trigger->without_stops ? "the kernel samples"
						: "profrun can stop");
	else
		snprintf(why, size, "the kernel's tick is %.0f Hz%s%s",
			 1e9 / (double)tick_ns, *refused ? "; " : "", refused);
}

/* (Time that is not in the profile, such as the ends of processes, says nothing
 * of the rate.) */
void
prf_run_doubts_rate(const struct prf_messages *messages,
		    const struct prf_options *options,
		    const struct prf_sampler_stats *stats)
{
	enum { FEW = 100, PERCENT = 75 };
	uint64_t samples = 0, ticks = 0;
	char why[256];

	for (size_t i = 0; i < PRF_MAX_TRIGGERS; i++) {
		samples += stats->trigger[i].samples;
		ticks += stats->trigger[i].ticks;
	}
	if (ticks < FEW || 100 * samples >= PERCENT * ticks)
		return;
	explain_rate(stats, why, sizeof why);
	prf_message_warn(messages,
			 "%" PRIu32 " Hz asked for, %.0f samples a CPU second: "
			 "%s",
			 options->rate_hz,
			 options->rate_hz * (double)samples / (double)ticks,
			 why);
}

void
prf_run_doubts_stops(const struct prf_messages *messages,
		     const struct prf_sampler_stats *stats)
{
	enum { MUCH_PERCENT = 5 };
	double percent = 100 * (double)stats->stops_ns / (double)stats->cpu_ns;

	if (!stats->cpu_ns || percent <= MUCH_PERCENT)
		return;
	prf_message_warn(messages,
			 "stops cost the program %.0f %% of its CPU time at "
			 "this rate: the profile leaves that out, a lower rate "
			 "avoids it",
			 percent);
}

void
prf_run_doubts_brief(const struct prf_messages *messages,
		     const struct prf_sampler_stats *stats)
{
	enum { MUCH_PERCENT = 5 };

	if (!stats->brief || 100 * stats->brief < MUCH_PERCENT * stats->ticks)
		return;
	prf_message_warn(messages,
			 "%.0f %% of the ticks cannot be believed: their "
			 "threads run too briefly to be stopped from outside, "
			 "and are found at the calls in which they wait",
			 100 * (double)stats->brief / (double)stats->ticks);
}

void
prf_run_doubts_calls(const struct prf_messages *messages,
		     const struct prf_sampler_stats *stats)
{
	if (stats->eintr_left)
		prf_message_warn(messages,
				 "%" PRIu64 " system call%s failed with EINTR "
				 "that would not have without profrun: what "
				 "the program has done may differ",
				 stats->eintr_left,
				 stats->eintr_left == 1 ? "" : "s");
}

void
prf_run_doubts_kernel(const struct prf_messages *messages,
		      const struct prf_options *options,
		      const struct prf_sampler_stats *stats)
{
	const char *refused = stats->refused_trigger;

	if (options->kernel && *refused && !main_trigger(stats)->without_stops)
		prf_message_warn(messages,
				 "--kernel: the kernel's functions are not "
				 "told: %s",
				 refused);
}

double
prf_run_doubts_in_step(const struct prf_sampler_stats *stats)
{
	uint64_t all_ns =
		stats->wall.threads_ns ? stats->wall.threads_ns : stats->cpu_ns;

	return prf_doubt_of(stats->in_step_ns, all_ns);
}
