#include "core/tee.h"

#include <errno.h>
#include <stdlib.h>

struct branch {
	struct prf_sink *sink;
	struct prf_losses losses;
	int answer; /* to the last event */
};

struct tee {
	struct prf_sink base;
	size_t n_branches;
	struct branch branches[];
};

static struct branch *
tee_end(struct tee *tee)
{
	return tee->branches + tee->n_branches;
}

static int
tee_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct tee *tee = (struct tee *)sink;

	for (struct branch *to = tee->branches; to < tee_end(tee); to++)
		to->answer = prf_losses_count(
			&to->losses, 0, to->sink->ops->exec(to->sink, exec));
	return tee->branches[0].answer;
}

static int
tee_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct tee *tee = (struct tee *)sink;

	for (struct branch *to = tee->branches; to < tee_end(tee); to++)
		to->answer = prf_losses_count(
			&to->losses, 0, to->sink->ops->mapping(to->sink, map));
	return tee->branches[0].answer;
}

static int
tee_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct tee *tee = (struct tee *)sink;

	for (struct branch *to = tee->branches; to < tee_end(tee); to++)
		to->answer = prf_losses_count(
			&to->losses, sample->ticks,
			to->sink->ops->sample(to->sink, sample));
	return tee->branches[0].answer;
}

static int
tee_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct tee *tee = (struct tee *)sink;

	for (struct branch *to = tee->branches; to < tee_end(tee); to++)
		to->answer = prf_losses_count(&to->losses, 0,
					      prf_sink_life(to->sink, life));
	return tee->branches[0].answer;
}

static int
tee_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct tee *tee = (struct tee *)sink;

	for (struct branch *to = tee->branches; to < tee_end(tee); to++)
		to->answer = prf_losses_count(
			&to->losses, 0, prf_sink_figure(to->sink, figure));
	return tee->branches[0].answer;
}

static int
tee_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct tee *tee = (struct tee *)sink;
	int rc = 0;

	for (size_t i = 0; i < tee->n_branches; i++) {
		struct prf_sink *to = tee->branches[i].sink;
		int own = to->ops->finish(to, rc ? NULL : err);

		if (!rc)
			rc = own;
	}
	return rc;
}

static void
tee_free(struct prf_sink *sink)
{
	struct tee *tee = (struct tee *)sink;

	for (size_t i = 0; i < tee->n_branches; i++)
		tee->branches[i].sink->ops->free(tee->branches[i].sink);
	free(tee);
}

static const struct prf_sink_ops tee_ops = {
	.exec = tee_exec,
	.mapping = tee_mapping,
	.sample = tee_sample,
	.life = tee_life,
	.figure = tee_figure,
	.finish = tee_finish,
	.free = tee_free,
};

int
prf_tee_sink_new(struct prf_sink *const *sinks, size_t n_sinks,
		 struct prf_sink **out, struct prf_error *err)
{
	struct tee *tee =
		calloc(1, sizeof *tee + n_sinks * sizeof *tee->branches);

	if (!tee)
		return prf_error_set(err, -ENOMEM, "out of memory");
	tee->base.ops = &tee_ops;
	tee->n_branches = n_sinks;
	for (size_t i = 0; i < n_sinks; i++)
		tee->branches[i].sink = sinks[i];
	*out = &tee->base;
	return 0;
}

struct prf_losses
prf_tee_sink_losses(const struct prf_sink *sink, size_t index)
{
	return ((const struct tee *)sink)->branches[index].losses;
}
