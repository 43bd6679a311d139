#include "figures.h"

#include <stddef.h>

#define FIGURE(name, member)                                                   \
	{                                                                      \
		(name), offsetof(struct prf_sampler_stats, member)             \
	}

/* Each is a uint64_t.  man/pctrace.5 has the same list. */
static const struct {
	const char *name;
	size_t offset;
} rows[] = {
	FIGURE("ticks", ticks),
	FIGURE("samples", samples),
	FIGURE("ticks.late", late),
	FIGURE("ticks.stale_map", stale_map),
	FIGURE("ticks.lost.gone", gone),
	FIGURE("ticks.lost.unseen", unseen),
	FIGURE("ticks.lost.refused", refused),
	FIGURE("ticks.lost.in_kernel", in_kernel),
	FIGURE("ticks.paused", paused),
	FIGURE("stops.early", early),
	FIGURE("stops.foreign", foreign),
	FIGURE("calls.repaired", eintr_repaired),
	FIGURE("processes", processes),
	FIGURE("processes.left_alone", left_alone),
	FIGURE("processes.unreached", unreached),
	FIGURE("programs", programs),
	FIGURE("threads", threads),
	FIGURE("threads.unarmed", unarmed),
	FIGURE("cpu_ns", cpu_ns),
	FIGURE("cpu_unknown", cpu_unknown),
	FIGURE("user_us", user_us),
	FIGURE("system_us", system_us),
	FIGURE("wall_ns", wall_ns),
	FIGURE("own_cpu_ns", own_cpu_ns),
};

int
prf_figures_give(const struct prf_run *run, struct prf_sink *sink)
{
	const char *stats = (const char *)&run->stats;
	int first = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct prf_figure figure = {
			.name = rows[i].name,
			.value = *(
				const uint64_t *)(const void *)(stats +
								rows[i].offset),
		};
		int rc = prf_sink_figure(sink, &figure);

		if (!first)
			first = rc;
	}
	return first;
}
