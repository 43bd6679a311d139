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
#include "live/wall.h"

void
prf_begin_note_fallback(struct prf_sampler_stats *stats,
			const struct prf_error *why)
{
	if (!stats->fallback_reason[0])
		snprintf(stats->fallback_reason, sizeof stats->fallback_reason,
			 "%.100s", why->text);
}

void
prf_begin_task(struct prf_tracer *tracer, struct prf_task *task)
{
	struct prf_error why = {0};
	struct prf_regs regs;
	int rc = prf_arch.read(task->tid, &regs);

	prf_wall_begin(tracer->wall, task);
	for (size_t i = 0; rc != -ESRCH && i < tracer->n_triggers; i++) {
		struct prf_trigger *trigger = tracer->triggers[i];

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
