#include "src/commands/selection.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/sink/filter.h"

struct selecting {
	struct prf_filter filter;
	struct prf_selection selection;
	uint64_t n_passed;
};

static bool
is_wanted(const struct prf_selection *selection,
	  const struct prf_sample *sample)
{
	return sample->time_ns >= selection->from_ns &&
	       sample->time_ns < selection->to_ns &&
	       (!selection->pid || sample->pid == selection->pid) &&
	       (!selection->tid || sample->tid == selection->tid);
}

static int
select_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct selecting *selecting = (struct selecting *)sink;

	if (!is_wanted(&selecting->selection, sample))
		return 0;
	selecting->n_passed++;
	return prf_filter_sample(sink, sample);
}

static const struct prf_sink_ops selection_ops = {
	.exec = prf_filter_exec,
	.mapping = prf_filter_mapping,
	.sample = select_sample,
	.life = prf_filter_life,
	.figure = prf_filter_figure,
	.finish = prf_filter_finish,
	.free = prf_filter_free,
};

int
prf_selection_sink_new(const struct prf_selection *selection,
		       struct prf_sink *inner, struct prf_sink **out,
		       struct prf_error *err)
{
	struct selecting *selecting = calloc(1, sizeof *selecting);

	if (!selecting)
		return prf_error_set(err, -ENOMEM, "out of memory");
	selecting->filter = (struct prf_filter){{&selection_ops}, inner};
	selecting->selection = *selection;
	*out = &selecting->filter.base;
	return 0;
}

uint64_t
prf_selection_sink_passed(const struct prf_sink *sink)
{
	return ((const struct selecting *)sink)->n_passed;
}
