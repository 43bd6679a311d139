#include "recorder.h"

#include <stdlib.h>
#include <string.h>

static int
record_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	(void)exec;
	((struct prf_recorder *)sink)->n_execs++;
	return 0;
}

static int
record_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct prf_recorder *recorder = (struct prf_recorder *)sink;
	size_t i = recorder->n_mappings;

	if (i == PRF_RECORDER_MAX)
		return -1;
	recorder->mappings[i] = *map;
	recorder->mappings[i].path = strdup(map->path);
	recorder->n_mappings++;
	return 0;
}

static int
record_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct prf_recorder *recorder = (struct prf_recorder *)sink;

	if (recorder->answer)
		return recorder->answer;
	if (recorder->n_samples < PRF_RECORDER_MAX)
		recorder->tids[recorder->n_samples] = sample->tid;
	recorder->n_samples++;
	recorder->ticks += sample->ticks;
	if (sample->syscall != PRF_NO_SYSCALL)
		recorder->ticks_in_calls += sample->ticks;
	return 0;
}

static int
record_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_recorder *recorder = (struct prf_recorder *)sink;

	recorder->n_lives[life->kind]++;
	recorder->last_life = *life;
	recorder->last_life.name = "";
	return 0;
}

static int
record_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	return 0;
}

/* It is the test's. */
static void
record_free(struct prf_sink *sink)
{
	(void)sink;
}

static const struct prf_sink_ops recorder_ops = {
	.exec = record_exec,
	.mapping = record_mapping,
	.sample = record_sample,
	.life = record_life,
	.finish = record_finish,
	.free = record_free,
};

void
prf_recorder_begin(struct prf_recorder *recorder)
{
	memset(recorder, 0, sizeof *recorder);
	recorder->base.ops = &recorder_ops;
}

void
prf_recorder_end(struct prf_recorder *recorder)
{
	for (size_t i = 0; i < recorder->n_mappings; i++)
		free((char *)recorder->mappings[i].path);
}

const struct prf_mapping *
prf_recorder_at(const struct prf_recorder *recorder, uint64_t addr)
{
	for (size_t i = recorder->n_mappings; i-- > 0;) {
		const struct prf_mapping *map = &recorder->mappings[i];

		if (addr >= map->addr && addr - map->addr < map->size)
			return map->kind == PRF_MAPPING_NONE ? NULL : map;
	}
	return NULL;
}
