#include "mainprogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Is PID the first process, from now on perhaps? */
static bool
is_first(struct prf_mainprogram *main, pid_t pid)
{
	if (!main->pid)
		main->pid = pid;
	return main->pid == pid && !main->has_ended;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_mainprogram *main = (struct prf_mainprogram *)sink;

	if (!is_first(main, exec->pid))
		return 0;
	char *path = strdup(exec->path);
	if (!path)
		return -ENOMEM;
	free(main->path);
	main->path = path;
	main->inode = exec->inode;
	return 0;
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	(void)sink;
	(void)map;
	return 0;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	(void)sink;
	(void)sample;
	return 0;
}

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_mainprogram *main = (struct prf_mainprogram *)sink;

	if (is_first(main, life->pid) &&
	    (life->kind == PRF_LIFE_EXIT || life->kind == PRF_LIFE_LEAVE))
		main->has_ended = true;
	return 0;
}

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	(void)sink;
	(void)err;
	return 0;
}

static void
on_free(struct prf_sink *sink)
{
	(void)sink;
}

static const struct prf_sink_ops ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
	.finish = on_finish,
	.free = on_free,
};

void
prf_mainprogram_begin(struct prf_mainprogram *main)
{
	*main = (struct prf_mainprogram){.base.ops = &ops};
}

void
prf_mainprogram_clear(struct prf_mainprogram *main)
{
	free(main->path);
	prf_mainprogram_begin(main);
}

bool
prf_mainprogram_is(const struct prf_mainprogram *main,
		   const struct prf_program *program)
{
	return strcmp(main->path ? main->path : "", program->path) == 0 &&
	       main->inode == program->inode;
}
