/* A trace: what is played is written, and played again: the events are the
 * same. */
#include <stdlib.h>

#include "core/pctrace.h"
#include "fuzz/as_trace.h"
#include "fuzz/fuzz.h"

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* A sink that adds up all it is given, and hands it on. */
struct adder {
	struct prf_sink base;
	struct prf_sink *next; /* or NULL */
	uint64_t sum, n_events;
};

static void
add(struct adder *adder, uint64_t number)
{
	adder->sum = (adder->sum ^ number) * UINT64_C(0x9e3779b97f4a7c15);
}

static void
add_string(struct adder *adder, const char *string)
{
	for (; *string; string++)
		add(adder, (uint8_t)*string);
	add(adder, 0);
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct adder *adder = (struct adder *)sink;

	must(exec->addr_bytes == 4 || exec->addr_bytes == 8);
	adder->n_events++;
	add(adder, (uint32_t)exec->pid);
	add(adder, exec->time_ns);
	add(adder, exec->cpu_ns);
	add_string(adder, exec->path);
	add_string(adder, exec->command);
	add(adder, exec->machine);
	if (adder->next)
		must(!adder->next->ops->exec(adder->next, exec));
	return 0;
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct adder *adder = (struct adder *)sink;

	must(map->size > 0 && map->addr + (map->size - 1) >= map->addr);
	must(map->kind <= PRF_MAPPING_NONE);
	adder->n_events++;
	add(adder, map->time_ns);
	add(adder, map->addr);
	add(adder, map->size);
	add_string(adder, map->path);
	for (unsigned i = 0; i < map->build_id_bytes; i++)
		add(adder, map->build_id[i]);
	if (adder->next)
		must(!adder->next->ops->mapping(adder->next, map));
	return 0;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct adder *adder = (struct adder *)sink;

	must(sample->ticks > 0 && sample->n_frames > 0);
	must(sample->frames[0].kind == PRF_FRAME_PC);
	adder->n_events++;
	add(adder, (uint32_t)sample->pid);
	add(adder, (uint32_t)sample->tid);
	add(adder, sample->time_ns);
	add(adder, sample->ticks);
	add(adder, (uint32_t)sample->syscall);
	add(adder, sample->end);
	for (uint32_t i = 0; i < sample->n_frames; i++) {
		add(adder, sample->frames[i].addr);
		add(adder, sample->frames[i].kind);
	}
	if (adder->next)
		must(!adder->next->ops->sample(adder->next, sample));
	return 0;
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct adder *adder = (struct adder *)sink;

	must(life->kind < PRF_N_LIFE_KINDS);
	adder->n_events++;
	add(adder, life->time_ns);
	add(adder, life->cpu_ns);
	add_string(adder, life->name);
	if (adder->next)
		must(!prf_sink_life(adder->next, life));
	return 0;
}

static int
on_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct adder *adder = (struct adder *)sink;

	adder->n_events++;
	add_string(adder, figure->name);
	add(adder, figure->value);
	if (adder->next)
		must(!prf_sink_figure(adder->next, figure));
	return 0;
}

static const struct prf_sink_ops adder_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.figure = on_figure,
};

static struct adder
play(FILE *in, struct prf_sink *next)
{
	struct adder adder = {.base.ops = &adder_ops, .next = next};
	struct prf_pctrace *trace = NULL;
	struct prf_pctrace_report report;
	struct prf_error err = {0};

	if (prf_pctrace_open(in, &trace, &err)) {
		must(err.code < 0 && err.text[0]);
		return adder;
	}
	must(!prf_pctrace_play(trace, &adder.base, &report, &err));
	must(report.events == adder.n_events);
	must(report.n_damaged == 0 || report.damage.text[0]);
	prf_pctrace_close(trace);
	return adder;
}

static void
play_twice(const void *bytes, size_t n_bytes)
{
	const struct prf_pctrace_info info = {.recorder = "fuzz"};
	char *copy = NULL;
	size_t n_copy = 0;
	FILE *in = fmemopen((void *)bytes, n_bytes, "r");
	FILE *out = open_memstream(&copy, &n_copy);
	struct prf_sink *sink = NULL;
	struct prf_error err;

	must(in && out && !prf_pctrace_sink_new(out, &info, &sink, &err));
	struct adder first = play(in, sink);
	must(!sink->ops->finish(sink, &err));
	sink->ops->free(sink);
	fclose(in);
	must(!fclose(out));

	in = fmemopen(copy, n_copy, "r");
	struct adder second = play(in, NULL);
	must(first.n_events == second.n_events && first.sum == second.sum);
	fclose(in);
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	size_t n_trace;
	uint8_t *trace = prf_as_trace(bytes, n_bytes, &n_trace);

	if (trace)
		play_twice(trace, n_trace);
	free(trace);
	return 0;
}
