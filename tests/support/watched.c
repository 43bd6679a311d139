/* watched - runs a program with its descendants, or attaches to some, and tells
 * what became of them.
 *
 *	watched [-e] [-f all|exec|none] [-d MS] [-D MS] RATE_HZ PROGRAM [ARG...]
 *	watched [-e] [-f all|exec|none] [-d MS] [-D MS] -p PID[,PID...] RATE_HZ
 *
 * Prints on stderr a line for each event: "fork PID PARENT", "exec PID COMMAND",
 * "thread PID TID", "end PID TID TICKS", "exit PID WAIT_STATUS TICKS",
 * "leave PID TICKS", "note TEXT" for what cannot wait, and at the end "total
 * TICKS CPU_NS PROCESSES THREADS UNREACHED".  An event that breaks the waist's
 * promises is told as "wrong ...".  Ends as the program does; 99 if it failed,
 * 77 if ptrace is refused.  -e: every thread has to end with its name and CPU
 * time; else those that had ticks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/sampler.h"

enum { MAX_PID = 1 << 22 };

struct watcher {
	struct prf_sink base;
	bool every_thread;
	bool follows; /* programs that take others' places */
	unsigned ticks_of_thread[MAX_PID], ticks_of_process[MAX_PID];
	bool lives[MAX_PID], thread_lives[MAX_PID];
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

	watcher->lives[exec->pid] = watcher->thread_lives[exec->pid] = true;
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

	expect(watcher->lives[sample->pid] &&
		       watcher->thread_lives[sample->tid],
	       "sample", sample->tid);
	watcher->ticks_of_thread[sample->tid] += sample->ticks;
	watcher->ticks_of_process[sample->pid] += sample->ticks;
	return 0;
}

static void
on_fork(struct watcher *watcher, const struct prf_life *life)
{
	expect(!watcher->lives[life->pid], "fork", life->pid);
	watcher->lives[life->pid] = watcher->thread_lives[life->tid] = true;
	watcher->ticks_of_thread[life->tid] = 0;
	watcher->ticks_of_process[life->pid] = 0;
	fprintf(stderr, "fork %d %d\n", life->pid, life->parent);
}

static void
on_thread(struct watcher *watcher, const struct prf_life *life)
{
	expect(watcher->lives[life->pid] && !watcher->thread_lives[life->tid],
	       "thread", life->tid);
	watcher->thread_lives[life->tid] = true;
	watcher->ticks_of_thread[life->tid] = 0;
	fprintf(stderr, "thread %d %d\n", life->pid, life->tid);
}

static void
on_end(struct watcher *watcher, const struct prf_life *life)
{
	expect(watcher->lives[life->pid] && watcher->thread_lives[life->tid],
	       "end", life->tid);
	watcher->thread_lives[life->tid] = false;
	/* One that is let go as another program has no ticks as that. */
	if (watcher->every_thread ||
	    (watcher->follows && watcher->ticks_of_thread[life->tid]))
		expect(life->name[0] && life->cpu_ns, "name", life->tid);
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

static void
tell(void *arg, const char *line)
{
	(void)arg;
	fprintf(stderr, "note %s\n", line);
}

/* --- The command line */

enum { MAX_PIDS = 16 };

struct order {
	struct prf_sampler_config config;
	pid_t pids[MAX_PIDS];
	size_t n_pids;
};

static _Noreturn void
refuse(const char *why)
{
	fprintf(stderr, "watched: %s\n", why);
	exit(99);
}

static enum prf_follow
parse_follow(const char *word)
{
	static const char *const words[] = {
		[PRF_FOLLOW_ALL] = "all",
		[PRF_FOLLOW_EXEC] = "exec",
		[PRF_FOLLOW_NONE] = "none",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(word, words[i]))
			return (enum prf_follow)i;
	refuse("-f: all, exec or none");
}

static uint64_t
parse_ms(const char *word)
{
	return strtoull(word, NULL, 10) * 1000000;
}

static void
parse_pids(char *words, struct order *task)
{
	for (char *word = strtok(words, ","); word && task->n_pids < MAX_PIDS;
	     word = strtok(NULL, ","))
		task->pids[task->n_pids++] = (pid_t)atoi(word);
}

static struct order
parse(int argc, char **argv)
{
	struct order task = {.config.tell = tell};
	int option;

	while ((option = getopt(argc, argv, "+ef:d:D:p:")) != -1)
		switch (option) {
		case 'e':
			task.config.every_thread = true;
			break;
		case 'f':
			task.config.follow = parse_follow(optarg);
			break;
		case 'd':
			task.config.duration_ns = parse_ms(optarg);
			break;
		case 'D':
			task.config.delay_ns = parse_ms(optarg);
			break;
		case 'p':
			parse_pids(optarg, &task);
			break;
		default:
			exit(99);
		}
	if (optind >= argc || atoi(argv[optind]) < 1)
		refuse("no rate");
	if (!task.n_pids && optind + 1 >= argc)
		refuse("no program");
	task.config.period_ns = 1000000000u / (unsigned)atoi(argv[optind]);
	return task;
}

static void
tell_total(const struct prf_sampler_stats *stats)
{
	fprintf(stderr, "total %llu %llu %llu %llu %llu\n",
		(unsigned long long)stats->ticks,
		(unsigned long long)stats->cpu_ns,
		(unsigned long long)stats->processes,
		(unsigned long long)stats->threads,
		(unsigned long long)stats->unreached);
}

int
main(int argc, char **argv)
{
	static struct watcher watcher = {.base.ops = &ops};
	struct order task = parse(argc, argv);
	struct prf_error err = {0};
	struct prf_run run;

	watcher.every_thread = task.config.every_thread;
	watcher.follows = task.config.follow != PRF_FOLLOW_NONE;
	int rc = task.n_pids ? prf_sampler_attach(&task.config, task.pids,
						  task.n_pids, &watcher.base,
						  &run, &err)
			     : prf_sampler_run(&task.config, argv + optind + 1,
					       &watcher.base, &run, &err);

	if (!rc)
		tell_total(&run.stats);
	if (!rc && !task.n_pids && run.left)
		rc = prf_sampler_await(&run, &err);
	if (rc) {
		fprintf(stderr, "watched: %s\n", err.text);
		return err.code == -EPERM ? 77 : 99;
	}
	return WIFEXITED(run.wait_status) ? WEXITSTATUS(run.wait_status)
					  : 128 + WTERMSIG(run.wait_status);
}
