#include "core/sink/event.h"

#include <errno.h>
#include <string.h>

/* --- How large it is */

static const size_t struct_bytes[] = {
	[PRF_EVENT_EXEC] = sizeof(struct prf_exec),
	[PRF_EVENT_MAPPING] = sizeof(struct prf_mapping),
	[PRF_EVENT_SAMPLE] = sizeof(struct prf_sample),
	[PRF_EVENT_LIFE] = sizeof(struct prf_life),
	[PRF_EVENT_FIGURE] = sizeof(struct prf_figure),
};

static size_t
text_bytes(const char *text)
{
	return strlen(text) + 1;
}

static size_t
aligned(size_t n_bytes)
{
	const size_t align = _Alignof(struct prf_event);

	return (n_bytes + align - 1) / align * align;
}

static size_t
kernel_bytes(const struct prf_kernel_functions *kernel)
{
	size_t n_bytes = kernel ? sizeof *kernel : 0;

	for (uint32_t i = 0; kernel && i < kernel->n; i++)
		n_bytes += sizeof *kernel->names + text_bytes(kernel->names[i]);
	return n_bytes;
}

/* The bytes of what WHAT points to. */
static size_t
tail_bytes(enum prf_event_kind kind, const void *what)
{
	const struct prf_exec *exec = what;
	const struct prf_mapping *map = what;
	const struct prf_sample *sample = what;
	const struct prf_life *life = what;
	const struct prf_figure *figure = what;

	switch (kind) {
	case PRF_EVENT_EXEC:
		return text_bytes(exec->path) + text_bytes(exec->command);
	case PRF_EVENT_MAPPING:
		return text_bytes(map->path) + map->build_id_bytes;
	case PRF_EVENT_SAMPLE:
		return sample->n_frames * sizeof *sample->frames +
		       aligned(sample->stack_copy_bytes) +
		       kernel_bytes(sample->kernel);
	case PRF_EVENT_LIFE:
		return text_bytes(life->name);
	case PRF_EVENT_FIGURE:
		return text_bytes(figure->name);
	}
	return 0;
}

size_t
prf_event_bytes(enum prf_event_kind kind, const void *what)
{
	return aligned(sizeof(struct prf_event) + struct_bytes[kind] +
		       tail_bytes(kind, what));
}

/* --- A copy */

/* Copies TEXT to *AT, which is moved behind it; returns the copy. */
static const char *
put_text(char **at, const char *text)
{
	char *copy = *at;

	*at = stpcpy(copy, text) + 1;
	return copy;
}

static void
put_exec(struct prf_exec *copy, const struct prf_exec *exec)
{
	char *tail = (char *)(copy + 1);

	*copy = *exec;
	copy->path = put_text(&tail, exec->path);
	copy->command = put_text(&tail, exec->command);
}

static void
put_mapping(struct prf_mapping *copy, const struct prf_mapping *map)
{
	char *tail = (char *)(copy + 1);

	*copy = *map;
	copy->path = put_text(&tail, map->path);
	if (map->build_id_bytes)
		memcpy(tail, map->build_id, map->build_id_bytes);
	copy->build_id = (uint8_t *)tail;
}

/* At AT, which is aligned. */
static const struct prf_kernel_functions *
put_kernel(void *at, const struct prf_kernel_functions *kernel)
{
	struct prf_kernel_functions *copy = at;
	const char **names = (const char **)(copy + 1);
	char *tail = (char *)(names + kernel->n);

	*copy = (struct prf_kernel_functions){kernel->n, names};
	for (uint32_t i = 0; i < kernel->n; i++)
		names[i] = put_text(&tail, kernel->names[i]);
	return copy;
}

/* Most samples have one frame, and there are many of them: copying a few words
 * is quick. */
static void
put_sample(struct prf_sample *copy, const struct prf_sample *sample)
{
	struct prf_frame *frames = (struct prf_frame *)(copy + 1);

	*copy = *sample;
	copy->frames = frames;
	frames[0] = sample->frames[0];
	if (sample->n_frames > 1)
		memcpy(frames + 1, sample->frames + 1,
		       (sample->n_frames - 1) * sizeof *frames);
	char *tail = (char *)(frames + sample->n_frames);
	if (sample->stack_copy_bytes > 0) {
		copy->stack_copy = memcpy(tail, sample->stack_copy,
					  sample->stack_copy_bytes);
		tail += aligned(sample->stack_copy_bytes);
	}
	if (sample->kernel)
		copy->kernel = put_kernel(tail, sample->kernel);
}

static void
put_life(struct prf_life *copy, const struct prf_life *life)
{
	char *tail = (char *)(copy + 1);

	*copy = *life;
	copy->name = put_text(&tail, life->name);
}

static void
put_figure(struct prf_figure *copy, const struct prf_figure *figure)
{
	char *tail = (char *)(copy + 1);

	*copy = *figure;
	copy->name = put_text(&tail, figure->name);
}

void
prf_event_put(void *at, size_t n_bytes, enum prf_event_kind kind,
	      const void *what)
{
	struct prf_event *event = at;
	void *copy = event + 1;

	*event = (struct prf_event){kind, n_bytes};
	switch (kind) {
	case PRF_EVENT_EXEC:
		put_exec(copy, what);
		break;
	case PRF_EVENT_MAPPING:
		put_mapping(copy, what);
		break;
	case PRF_EVENT_SAMPLE:
		put_sample(copy, what);
		break;
	case PRF_EVENT_LIFE:
		put_life(copy, what);
		break;
	case PRF_EVENT_FIGURE:
		put_figure(copy, what);
		break;
	}
}

/* --- Given */

int
prf_event_give(const struct prf_event *event, struct prf_sink *sink)
{
	const void *what = event + 1;

	switch (event->kind) {
	case PRF_EVENT_EXEC:
		return sink->ops->exec(sink, what);
	case PRF_EVENT_MAPPING:
		return sink->ops->mapping(sink, what);
	case PRF_EVENT_SAMPLE:
		return sink->ops->sample(sink, what);
	case PRF_EVENT_LIFE:
		return prf_sink_life(sink, what);
	case PRF_EVENT_FIGURE:
		return prf_sink_figure(sink, what);
	}
	return -EINVAL;
}
