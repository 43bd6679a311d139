#include "sift.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct sift {
	struct prf_sink base;
	struct prf_sieve sieve;
	struct prf_sink *inner;
};

static struct prf_sink *
inner_of(struct prf_sink *sink)
{
	return ((struct sift *)sink)->inner;
}

static int
pass_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	return inner_of(sink)->ops->exec(inner_of(sink), exec);
}

static int
pass_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	return inner_of(sink)->ops->mapping(inner_of(sink), map);
}

static bool
is_wanted(const struct prf_sieve *sieve, const struct prf_sample *sample)
{
	return sample->time_ns >= sieve->from_ns &&
	       sample->time_ns < sieve->to_ns &&
	       (!sieve->pid || sample->pid == sieve->pid) &&
	       (!sieve->tid || sample->tid == sieve->tid);
}

static int
sift_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	const struct sift *sift = (struct sift *)sink;

	return is_wanted(&sift->sieve, sample)
		       ? sift->inner->ops->sample(sift->inner, sample)
		       : 0;
}

static int
pass_life(struct prf_sink *sink, const struct prf_life *life)
{
	return prf_sink_life(inner_of(sink), life);
}

static int
pass_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	return prf_sink_figure(inner_of(sink), figure);
}

static int
pass_finish(struct prf_sink *sink, struct prf_error *err)
{
	return inner_of(sink)->ops->finish(inner_of(sink), err);
}

static void
free_sift(struct prf_sink *sink)
{
	inner_of(sink)->ops->free(inner_of(sink));
	free(sink);
}

static const struct prf_sink_ops sift_ops = {
	.exec = pass_exec,
	.mapping = pass_mapping,
	.sample = sift_sample,
	.life = pass_life,
	.figure = pass_figure,
	.finish = pass_finish,
	.free = free_sift,
};

int
prf_sift_sink_new(const struct prf_sieve *sieve, struct prf_sink *inner,
		  struct prf_sink **out, struct prf_error *err)
{
	struct sift *sift = calloc(1, sizeof *sift);

	if (!sift)
		return prf_error_set(err, -ENOMEM, "out of memory");
	sift->base.ops = &sift_ops;
	sift->sieve = *sieve;
	sift->inner = inner;
	*out = &sift->base;
	return 0;
}
