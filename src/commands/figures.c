#include "src/commands/figures.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sink/filter.h"
#include "profile/count.h"

/* Names of pctrace(5), or how they begin, and where they are added. */
static const struct {
	const char *name;
	size_t offset;
} rows[] = {
	{"ticks.late", offsetof(struct prf_figures, late)},
	{"ticks.lost.", offsetof(struct prf_figures, lost)},
	{"cpu_ns", offsetof(struct prf_figures, cpu_ns)},
	{"wall_ns", offsetof(struct prf_figures, wall_ns)},
	{"in_step_ns", offsetof(struct prf_figures, in_step_ns)},
	{"threads_ns", offsetof(struct prf_figures, threads_ns)},
	{"ticks.blocked", offsetof(struct prf_figures, without_stop)},
	{"ticks.waiting", offsetof(struct prf_figures, without_stop)},
};

int
prf_figures_begin(struct prf_figures *figures,
		  const struct prf_pctrace_info *info, struct prf_error *err)
{
	prf_figures_clear(figures);
	figures->command = strdup(info->command);
	figures->host = strdup(info->host);
	snprintf(figures->clock, sizeof figures->clock, "%s", info->clock);
	if (info->trigger && strcmp(info->trigger, "auto") != 0)
		snprintf(figures->asked_trigger, sizeof figures->asked_trigger,
			 "%s", info->trigger);
	figures->realtime_ns = info->realtime_ns;
	figures->period_ns = info->period_ns;
	return figures->command && figures->host
		       ? 0
		       : prf_error_set(err, -ENOMEM, "out of memory");
}

void
prf_figures_clear(struct prf_figures *figures)
{
	free(figures->command);
	free(figures->host);
	*figures = (struct prf_figures){0};
}

double
prf_figures_doubt(const struct prf_figures *figures)
{
	return prf_doubt_of(figures->in_step_ns, figures->threads_ns
							 ? figures->threads_ns
							 : figures->cpu_ns);
}

struct taking {
	struct prf_filter filter; /* the first member */
	struct prf_figures *figures;
};

static bool
is_called(const char *name, const char *row)
{
	size_t n = strlen(row);

	return row[n - 1] == '.' ? strncmp(name, row, n) == 0
				 : strcmp(name, row) == 0;
}

/* "ticks.by.timer" are those that the trigger timer has brought. */
static void
take_trigger(struct prf_figures *figures, const struct prf_figure *figure)
{
	static const char before[] = "ticks.by.";
	size_t n = sizeof before - 1, at = figures->n_triggers;

	if (strncmp(figure->name, before, n) != 0 || !figure->value ||
	    at == PRF_FIGURES_TRIGGERS)
		return;
	struct prf_figures_trigger *trigger = &figures->triggers[at];
	snprintf(trigger->name, sizeof trigger->name, "%s", figure->name + n);
	trigger->ticks = figure->value;
	figures->n_triggers++;
}

static int
take_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct prf_figures *figures = ((struct taking *)sink)->figures;

	figures->has_end = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (is_called(figure->name, rows[i].name))
			*(uint64_t *)(void *)((char *)figures +
					      rows[i].offset) += figure->value;
	take_trigger(figures, figure);
	return prf_filter_figure(sink, figure);
}

static int
take_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_figures *figures = ((struct taking *)sink)->figures;

	figures->samples++;
	figures->ticks += sample->ticks;
	return prf_filter_sample(sink, sample);
}

static const struct prf_sink_ops ops = {
	.exec = prf_filter_exec,
	.mapping = prf_filter_mapping,
	.sample = take_sample,
	.life = prf_filter_life,
	.figure = take_figure,
	.finish = prf_filter_finish,
	.free = prf_filter_free,
};

int
prf_figures_sink_new(struct prf_figures *figures, struct prf_sink *inner,
		     struct prf_sink **out, struct prf_error *err)
{
	struct taking *taking = calloc(1, sizeof *taking);

	if (!taking)
		return prf_error_set(err, -ENOMEM, "out of memory");
	taking->filter = (struct prf_filter){{&ops}, inner};
	taking->figures = figures;
	*out = &taking->filter.base;
	return 0;
}
