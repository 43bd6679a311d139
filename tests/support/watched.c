/* watched - runs a program with all its descendants, and tells what became of
 * them.
 *
 *	watched RATE_HZ PROGRAM [ARG...]
 *
 * Prints on stderr a line for each event: "fork PID PARENT", "exec PID COMMAND",
 * "thread PID TID", "end PID TID TICKS", "exit PID WAIT_STATUS TICKS",
 * "leave PID TICKS", and at the end "total TICKS CPU_NS".  An event that breaks
 * the waist's promises is told as "wrong ...".  Ends as the program does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "live/sampler.h"

enum { MAX_PID = 1 << 22 };

struct watcher {
	struct prf_sink base;
	unsigned ticks_of_thread[MAX_PID], ticks_of_process[MAX_PID];
	bool lives[MAX_PID];
};

static void
expect(bool right, const char *what, pid_t pid)
{
	if (!right)
		fprintf(stderr, "wrong %s %d\n", what, pid);
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct watcher *watcher = (struct watcher *)sink;

	watcher->lives[exec->pid] = true;
	fprintf(stderr, "exec %d %s\n", exec->pid, exec->command);
	return 0;
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct watcher *watcher = (struct watcher *)sink;

	expect(watcher->lives[map->pid], "mapping", map->pid);
	return 0;
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct watcher *watcher = (struct watcher *)sink;

	expect(watcher->lives[sample->pid], "sample", sample->pid);
	watcher->ticks_of_thread[sample->tid] += sample->ticks;
	watcher->ticks_of_process[sample->pid] += sample->ticks;
	return 0;
}

static void
on_fork(struct watcher *watcher, const struct prf_life *life)
{
	expect(!watcher->lives[life->pid], "fork", life->pid);
	watcher->lives[life->pid] = true;
	watcher->ticks_of_thread[life->tid] = 0;
	watcher->ticks_of_process[life->pid] = 0;
	fprintf(stderr, "fork %d %d\n", life->pid, life->parent);
}

static void
on_thread(struct watcher *watcher, const struct prf_life *life)
{
	expect(watcher->lives[life->pid], "thread", life->tid);
	watcher->ticks_of_thread[life->tid] = 0;
	fprintf(stderr, "thread %d %d\n", life->pid, life->tid);
}

static void
on_end(struct watcher *watcher, const struct prf_life *life)
{
	expect(watcher->lives[life->pid], "end", life->tid);
	fprintf(stderr, "end %d %d %u\n", life->pid, life->tid,
		watcher->ticks_of_thread[life->tid]);
}

static void
on_exit_(struct watcher *watcher, const struct prf_life *life)
{
	expect(watcher->lives[life->pid], "exit", life->pid);
	watcher->lives[life->pid] = false;
	fprintf(stderr, "exit %d %d %u\n", life->pid, life->wait_status,
		watcher->ticks_of_process[life->pid]);
}

static void
on_leave(struct watcher *watcher, const struct prf_life *life)
{
	expect(watcher->lives[life->pid], "leave", life->pid);
	watcher->lives[life->pid] = false;
	fprintf(stderr, "leave %d %u\n", life->pid,
		watcher->ticks_of_process[life->pid]);
}

static void (*const lives[PRF_N_LIFE_KINDS])(struct watcher *,
					     const struct prf_life *) = {
	[PRF_LIFE_FORK] = on_fork,   [PRF_LIFE_THREAD] = on_thread,
	[PRF_LIFE_END] = on_end,     [PRF_LIFE_EXIT] = on_exit_,
	[PRF_LIFE_LEAVE] = on_leave,
};

static int
on_life(struct prf_sink *sink, const struct prf_life *life)
{
	lives[life->kind]((struct watcher *)sink, life);
	return 0;
}

static const struct prf_sink_ops ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.life = on_life,
};

int
main(int argc, char **argv)
{
	static struct watcher watcher = {.base.ops = &ops};
	struct prf_sampler_config config = {0};
	struct prf_error err = {0};
	struct prf_run run;

	if (argc < 3 || atoi(argv[1]) < 1)
		return 99;
	config.period_ns = 1000000000u / (unsigned)atoi(argv[1]);
	if (prf_sampler_run(&config, argv + 2, &watcher.base, &run, &err)) {
		fprintf(stderr, "watched: %s\n", err.text);
		return err.code == -EPERM ? 77 : 99;
	}
	fprintf(stderr, "total %llu %llu\n",
		(unsigned long long)run.stats.ticks,
		(unsigned long long)run.stats.cpu_ns);
	return WIFEXITED(run.wait_status) ? WEXITSTATUS(run.wait_status)
					  : 128 + WTERMSIG(run.wait_status);
}
