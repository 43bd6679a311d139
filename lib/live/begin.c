#include "live/begin.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/clock.h"
#include "live/inject.h"
#include "live/mapwatch.h"
#include "live/procfs.h"

void
prf_begin_note_fallback(struct prf_sampler_stats *stats,
			const struct prf_error *why)
{
	if (!stats->fallback_reason[0])
		snprintf(stats->fallback_reason, sizeof stats->fallback_reason,
			 "%.100s", why->text);
}

/* To the first trigger but EXCEPT. */
static void
give(struct prf_tracer *tracer, struct prf_task *task,
     const struct prf_trigger *except)
{
	struct prf_error why = {0};
	struct prf_regs regs;
	int rc = prf_arch.read(task->tid, &regs);

	for (size_t i = 0; rc != -ESRCH && i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

		if (trigger == except)
			continue;
		rc = trigger->ops->arm(trigger, task, &regs, &why);
		if (!rc) {
			task->trigger = trigger;
			tracer->stats->trigger[i].threads++;
			return;
		}
		if (rc != -ESRCH)
			prf_begin_note_fallback(tracer->stats, &why);
	}
	tracer->stats->unarmed += rc != -ESRCH;
}

void
prf_begin_task(struct prf_tracer *tracer, struct prf_task *task)
{
	give(tracer, task, NULL);
}

void
prf_begin_hand_over(struct prf_tracer *tracer, struct prf_task *task)
{
	struct prf_trigger *before = task->trigger;
	struct prf_error why;

	before->ops->forget(before, task);
	task->trigger = NULL;
	prf_error_set(&why, -EPERM, "it blocks the signal of %s",
		      before->ops->name);
	prf_begin_note_fallback(tracer->stats, &why);
	give(tracer, task, before);
}

/* Tells the sink which program begins. */
static int
tell_exec(struct prf_tracer *tracer, const struct prf_process *process)
{
	char link[64], path[4096];
	struct stat file = {0};

	snprintf(link, sizeof link, "/proc/%d/exe", process->pid);
	ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	stat(link, &file);
	uint64_t cpu_ns = 0;
	if (prf_clock_of_process(process->pid, &cpu_ns))
		cpu_ns = 0;
	PRF_AUTO(prf_auto_free)
	char *command = prf_process_command_read(process->pid);
	struct prf_exec exec = {
		.pid = process->pid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.cpu_ns = cpu_ns,
		.path = path,
		.command = command ? command : "",
		.dev = file.st_dev,
		.inode = file.st_ino,
		.addr_bytes = process->addr_bytes,
	};
	return tracer->sink->ops->exec(tracer->sink, &exec);
}

int
prf_begin_image(struct prf_tracer *tracer, const struct prf_task *task)
{
	struct prf_process *process = task->process;
	struct prf_regs regs;
	int rc = prf_arch.read(task->tid, &regs);

	if (rc)
		return rc == -ESRCH ? 0 : rc;
	prf_mapwatch_free(process->maps);
	process->maps = NULL;
	process->addr_bytes = regs.addr_bytes;
	process->syscall_insn = prf_inject_find_insn(process->pid);
	rc = prf_mapwatch_new(process->pid, &process->maps, tracer->err);
	if (!rc)
		rc = tell_exec(tracer, process);
	if (!rc)
		rc = prf_mapwatch_tell_all(process->maps, tracer->sink);
	return rc;
}
