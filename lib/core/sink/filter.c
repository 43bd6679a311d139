#include "core/sink/filter.h"

#include <stdlib.h>

static struct prf_sink *
next_of(struct prf_sink *sink)
{
	return ((struct prf_filter *)sink)->next;
}

int
prf_filter_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_sink *next = next_of(sink);

	return next->ops->exec(next, exec);
}

int
prf_filter_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct prf_sink *next = next_of(sink);

	return next->ops->mapping(next, map);
}

int
prf_filter_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_sink *next = next_of(sink);

	return next->ops->sample(next, sample);
}

int
prf_filter_life(struct prf_sink *sink, const struct prf_life *life)
{
	return prf_sink_life(next_of(sink), life);
}

int
prf_filter_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return prf_sink_figure(next_of(sink), figure);
}

int
prf_filter_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct prf_sink *next = next_of(sink);

	return next->ops->finish(next, err);
}

void
prf_filter_free(struct prf_sink *sink)
{
	struct prf_sink *next = next_of(sink);

	next->ops->free(next);
	free(sink);
}
