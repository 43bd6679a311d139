#include "core/queued.h"

#include <stdio.h>
#include <string.h>

#include "support/suite.h"

struct recorder recorder;
struct prf_sink *queue;

int
queued_note(char kind, long a, const char *b)
{
	pthread_mutex_lock(&recorder.gate);
	recorder.used += (size_t)snprintf(recorder.text + recorder.used,
					  sizeof recorder.text - recorder.used,
					  "%c%ld%s ", kind, a, b);
	pthread_mutex_unlock(&recorder.gate);
	return recorder.refuse;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	(void)sink;
	return queued_note('e', exec->pid, exec->path) ||
	       queued_note('c', exec->pid, exec->command);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	return queued_note('m', (long)map->addr, map->path);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	return queued_note('s', (long)sample->frames[sample->n_frames - 1].addr,
			   "");
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	(void)sink;
	return queued_note('l', life->tid, life->name);
}

static int
on_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	(void)sink;
	return queued_note('f', (long)figure->value, figure->name);
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	recorder.finished = true;
	return 0;
}

static void
on_free(struct prf_sink *sink)
{
	(void)sink;
	recorder.freed = true;
}

const struct prf_sink_ops queued_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.figure = on_figure,
	.finish = on_finish,
	.free = on_free,
};

void
queued_begin(queued_queue *new_queue, size_t room_bytes)
{
	struct prf_error err;

	recorder = (struct recorder){
		.base.ops = &queued_ops,
		.gate = PTHREAD_MUTEX_INITIALIZER,
	};
	ck_assert_int_eq(new_queue(&recorder.base, room_bytes, &queue, &err),
			 0);
}

int
queued_give_sample(uint64_t addr)
{
	const struct prf_frame frames[2] = {
		{1, PRF_FRAME_PC},
		{addr, PRF_FRAME_RETURN},
	};
	const struct prf_sample sample = {
		.ticks = 3,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 2,
		.frames = frames,
	};

	return queue->ops->sample(queue, &sample);
}

void
queued_give_mapping(uint64_t addr)
{
	char path[] = "/lib";
	const struct prf_mapping map = {
		.addr = addr,
		.size = 1,
		.path = path,
	};

	ck_assert_int_eq(queue->ops->mapping(queue, &map), 0);
	/* It was lent for the call alone. */
	memset(path, 'x', sizeof path);
}
