#include "live/life/begin.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/syscalls.h"
#include "live/proc/clock.h"
#include "live/life/debuggers.h"
#include "live/stopped/inject.h"
#include "live/stopped/mapwatch.h"
#include "live/proc/exec_strings.h"
#include "live/proc/memory.h"
#include "live/proc/procfs.h"
#include "live/proc/rank.h"
#include "live/proc/reach.h"
#include "live/proc/schedstat.h"
#include "live/proc/status.h"
#include "live/wall/wall.h"

void
prf_begin_note_fallback(struct prf_sampler_stats *stats,
			const struct prf_error *why)
{
	if (!stats->fallback_reason[0])
		snprintf(stats->fallback_reason, sizeof stats->fallback_reason,
			 "%.100s", why->text);
}

static void
note_blocked(struct prf_sampler_stats *stats, const struct prf_trigger *trigger)
{
	struct prf_error why;

	prf_error_set(&why, -EPERM, "it blocks the signal of %s",
		      trigger->ops->name);
	prf_begin_note_fallback(stats, &why);
}

/* Would PROCESS take a signal of TRIGGER's for one of its own? */
static bool
is_taken(const struct prf_trigger *trigger, const struct prf_process *process,
	 struct prf_error *why)
{
	const struct prf_thread_status blocks_all = {.signals_blocked =
							     UINT64_MAX};

	if (!process->takes_signals ||
	    !trigger->ops->cannot_stop(trigger, &blocks_all))
		return false;
	prf_error_set(why, -EPERM, "valgrind takes every signal");
	return true;
}

static bool
is_blocked(const struct prf_trigger *trigger, const struct prf_task *task)
{
	const struct prf_thread_status status = {
		.signals_blocked = task->signals_blocked,
	};

	return trigger->ops->cannot_stop(trigger, &status);
}

/* How many triggers at the end are not for TASK: those that are for threads alone
 * that block the signal of one before. */
static size_t
n_spare(const struct prf_watch *watch, const struct prf_task *task)
{
	for (size_t i = 0; i + watch->n_spare < watch->n_triggers; i++)
		if (is_blocked(watch->triggers[i], task))
			return 0;
	return watch->n_spare;
}

/* Gives TASK to the first trigger that can have it. */
static int
arm(struct prf_watch *watch, struct prf_task *task,
    const struct prf_stopped *by)
{
	struct prf_error why = {0};
	size_t n = watch->n_triggers - n_spare(watch, task);
	int rc = -ENOTSUP;

	for (size_t i = 0; rc != -ESRCH && i < n; i++) {
		struct prf_trigger *trigger = watch->triggers[i];

		if (is_blocked(trigger, task)) {
			note_blocked(watch->stats, trigger);
			continue;
		}
		rc = is_taken(trigger, task->process, &why)
			     ? -EPERM
			     : trigger->ops->arm(trigger, task, by, &why);
		if (!rc) {
			task->trigger = trigger;
			watch->stats->trigger[i].threads++;
			return 0;
		}
		if (rc == -EAGAIN)
			task->waits_for_stop = task->process->waits_for_stop =
				true;
		else if (rc != -ESRCH)
			prf_begin_note_fallback(watch->stats, &why);
	}
	watch->stats->unarmed += rc != -ESRCH;
	return rc;
}

/* What TASK runs from now on is a trigger's, and owed for where that cannot stop
 * it.  (A thread that was just made has run nothing; and 0 would say that it is
 * not known.) */
static void
note_start(struct prf_task *task)
{
	uint64_t cpu_ns = 0;

	if (!task->creator &&
	    prf_schedstat_read_cpu(task->process->pid, task->tid, &cpu_ns))
		return;
	task->checked_cpu_ns = task->mask_cpu_ns = cpu_ns ? cpu_ns : 1;
	task->checked_ticks = task->mask_ticks = task->ticks;
}

int
prf_begin_arm(struct prf_watch *watch, struct prf_task *task,
	      const struct prf_stopped *by)
{
	prf_wall_begin(watch->wall, task);
	note_start(task);
	return arm(watch, task, by);
}

/* Which signals does TASK block? */
static int
note_mask(struct prf_task *task)
{
	struct prf_thread_status status;
	int rc = prf_status_read_thread(task->process->pid, task->tid, &status);

	if (!rc)
		task->signals_blocked = status.signals_blocked;
	return rc;
}

void
prf_begin_program(struct prf_watch *watch, struct prf_task *task)
{
	(void)note_mask(task);
	prf_begin_task(watch, task);
}

void
prf_begin_task(struct prf_watch *watch, struct prf_task *task)
{
	struct prf_stopped by = prf_stopped_of(task);

	/* A thread that is dying will not run. */
	if (prf_arch.read(task->tid, &by.regs) != -ESRCH)
		prf_begin_arm(watch, task, &by);
}

/* The thread by whose id PROCESS's memory and files are read: the first,
 * whose id is the process's; if that had ended before we came, another. */
static pid_t
find_speaker(const struct prf_process *process)
{
	const struct prf_task *task = process->tasks;

	while (task && task->tid != process->pid)
		task = task->sibling;
	return task || !process->tasks ? process->pid : process->tasks->tid;
}

/* The file that LINK leads to, as far as it is known here: its file system, which
 * may not answer any more, is not asked. */
static void
note_file(struct prf_exec *exec, const char *link)
{
	struct statx file = {0};

	prf_reach_begin();
	statx(AT_FDCWD, link, AT_STATX_DONT_SYNC, STATX_INO, &file);
	prf_reach_end();
	exec->dev = makedev(file.stx_dev_major, file.stx_dev_minor);
	exec->inode = file.stx_ino;
}

/* Tells the sink which program begins. */
static int
tell_exec(struct prf_watch *watch, struct prf_process *process, pid_t speaker)
{
	char link[64], path[4096];

	snprintf(link, sizeof link, "/proc/%d/exe", speaker);
	ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	process->lets_children_go = prf_debuggers_has(path);
	process->takes_signals = prf_debuggers_is_valgrind(path);
	struct prf_process_status status;
	bool is_known = !prf_status_read_process(speaker, &status);
	PRF_AUTO(prf_auto_free)
	char *command = prf_exec_strings_command(speaker);
	struct prf_exec exec = {
		.pid = process->pid,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.cpu_ns = prf_processes_usage(process).cpu_ns,
		.path = path,
		.command = command ? command : "",
		.addr_bytes = process->addr_bytes,
		.machine = prf_syscall_machine(process->addr_bytes),
		.rank = watch->config->ranks ? prf_rank_of(speaker) : -1,
		.uid = is_known ? status.uid : PRF_NO_USER,
	};

	note_file(&exec, link);
	return watch->sink->ops->exec(watch->sink, &exec);
}

static void
mention_maps(struct prf_watch *watch, struct prf_process *process)
{
	char line[128];

	if (process->told_of_maps || !process->maps ||
	    !prf_mapwatch_has_too_many(process->maps))
		return;
	process->told_of_maps = true;
	snprintf(line, sizeof line,
		 "process %d: there are too many mappings; of some code it "
		 "may not be known what it is",
		 process->pid);
	if (watch->config->tell)
		watch->config->tell(watch->config->tell_arg, line);
}

/* Finds out what program PROCESS runs and what is mapped in it, and tells
 * the sink. */
static int
begin_watch(struct prf_watch *watch, struct prf_process *process)
{
	pid_t speaker = find_speaker(process);

	prf_mapwatch_free(process->maps);
	process->maps = NULL;
	prf_memory_free(process->memory);
	process->memory = NULL;
	process->syscall_insn = prf_inject_find_insn(speaker);
	int rc = prf_mapwatch_new(process->pid, &process->maps, watch->err);
	if (!rc && speaker != process->pid)
		prf_mapwatch_reopen(process->maps, speaker);
	if (!rc)
		rc = tell_exec(watch, process, speaker);
	if (!rc)
		rc = prf_mapwatch_tell_all(process->maps, watch->sink);
	if (!rc)
		mention_maps(watch, process);
	return rc;
}

void
prf_begin_mention_maps(struct prf_watch *watch)
{
	for (struct prf_process *process = watch->processes.first; process;
	     process = process->next)
		mention_maps(watch, process);
}

int
prf_begin_image(struct prf_watch *watch, const struct prf_task *task)
{
	struct prf_regs regs;
	int rc = prf_arch.read(task->tid, &regs);

	if (rc)
		return rc == -ESRCH ? 0 : rc;
	task->process->addr_bytes = regs.addr_bytes;
	return begin_watch(watch, task->process);
}

/* The pointer size of PID's program, as the kernel has told that of the program's
 * headers (the file itself may be where nobody answers); if that cannot be read,
 * ours. */
static uint8_t
addr_bytes_of(pid_t pid)
{
	uint64_t header_bytes;

	if (!prf_procfs_find_auxv(pid, 8, AT_PHENT, &header_bytes) &&
	    header_bytes == sizeof(Elf64_Phdr))
		return 8;
	if (!prf_procfs_find_auxv(pid, 4, AT_PHENT, &header_bytes) &&
	    header_bytes == sizeof(Elf32_Phdr))
		return 4;
	return sizeof(void *);
}

int
prf_begin_attached(struct prf_watch *watch, struct prf_process *process)
{
	process->addr_bytes = addr_bytes_of(find_speaker(process));
	return begin_watch(watch, process);
}

/* Does TASK, which has run for a while, block the signal of TRIGGER? (A
 * thread that has just begun may do so for a moment.) */
static bool
cannot_stop(const struct prf_trigger *trigger, const struct prf_task *task,
	    struct prf_error *why)
{
	struct prf_thread_status status;

	if (prf_status_read_thread(task->process->pid, task->tid, &status) ||
	    !trigger->ops->cannot_stop(trigger, &status))
		return false;
	prf_error_set(why, -EPERM, "it blocks the signal of its timer");
	return true;
}

/* Gives TASK to a trigger that comes before the one that has it. */
static void
improve(struct prf_watch *watch, struct prf_task *task,
	const struct prf_stopped *by)
{
	struct prf_trigger *now = task->trigger;
	struct prf_error why;

	for (size_t i = 0; watch->triggers[i] != now && i < watch->n_triggers;
	     i++) {
		struct prf_trigger *better = watch->triggers[i];
		int rc = is_taken(better, task->process, &why) ||
					 cannot_stop(better, task, &why)
				 ? -EPERM
				 : better->ops->arm(better, task, by, &why);

		if (rc == -ESRCH)
			return;
		if (rc) {
			prf_begin_note_fallback(watch->stats, &why);
			continue;
		}
		if (now) {
			prf_watch_lose(watch, &watch->stats->unseen,
				       now->ops->unseen(now, task));
			now->ops->forget(now, task);
		}
		task->trigger = better;
		note_start(task);
		watch->stats->trigger[i].threads++;
		return;
	}
}

static bool
improve_waiting(struct prf_watch *watch, struct prf_task *task,
		const struct prf_stopped *by)
{
	if (!task->waits_for_stop)
		return false;
	task->waits_for_stop = false;
	improve(watch, task, by);
	return true;
}

void
prf_begin_improve(struct prf_watch *watch, struct prf_task *stopped)
{
	enum { AT_ONCE = 32 }; /* the stopped thread has to wait for them */
	struct prf_stopped by = prf_stopped_of(stopped);
	struct prf_task *task = stopped->process->tasks;

	/* One without a stack is a worker of the kernel's: it makes no call. */
	if (prf_arch.read(stopped->tid, &by.regs) || !by.regs.sp)
		return;
	unsigned n = improve_waiting(watch, stopped, &by);
	for (; task && n < AT_ONCE; task = task->sibling)
		n += improve_waiting(watch, task, &by);
	stopped->process->waits_for_stop = task != NULL;
}
