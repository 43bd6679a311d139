#include "live/ring/ring_take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "image/kallsyms.h"
#include "live/arch.h"
#include "live/proc/clock.h"
#include "live/proc/stat.h"
#include "live/ring/call_number.h"
#include "live/ring/call_site.h"
#include "live/stopped/copy_stack.h"
#include "live/stopped/mapwatch.h"
#include "live/stopped/send_sample.h"

struct prf_ring_taker {
	struct prf_watch *watch;
	/* The kernel's times are of its own clock, others of this process's. */
	uint64_t namespace_ns;
	struct prf_call_sites sites;
	/* Functions of the kernel, of the sample at hand. */
	const char *kernel_names[PRF_RING_KERNEL_CALLS];
	struct prf_kernel_functions kernel;
};

struct prf_ring_taker *
prf_ring_taker_new(struct prf_watch *watch)
{
	struct prf_ring_taker *taker = calloc(1, sizeof *taker);

	if (taker) {
		taker->watch = watch;
		taker->namespace_ns = prf_clock_namespace_ns();
	}
	return taker;
}

void
prf_ring_taker_free(struct prf_ring_taker *taker)
{
	free(taker);
}

/* (If the sink cannot take it now, it is told by the next sample there.) */
static void
take_mapping(const struct prf_ring_taker *taker, const struct prf_task *task,
	     const struct prf_ring_mapping *mapping)
{
	struct prf_mapwatch_note note = {
		.addr = mapping->addr,
		.kind = PRF_MAPWATCH_OTHER,
		.map =
			{
				.addr = mapping->addr,
				.size = mapping->size,
				.file_off = mapping->file_off,
				.dev = makedev(mapping->major, mapping->minor),
				.inode = mapping->inode,
				.is_shared = mapping->is_shared,
			},
	};
	bool verified;

	if (!mapping->is_executable || !task->process->maps)
		return;
	if (strcmp(mapping->name, "//anon") != 0)
		snprintf(note.name, sizeof note.name, "%s", mapping->name);
	(void)!prf_mapwatch_tell(task->process->maps, &note, taker->watch->sink,
				 &verified);
}

/* In the kernel, but in no system call, a thread is in a page fault or in an
 * interrupt, which the registers do not tell.  If it had none of the first since
 * they were last counted, it was one of the other.  (It is counted after the
 * samples before that were taken: several have one count.) */
static bool
was_page_fault(struct prf_task *task, uint64_t time_ns)
{
	uint64_t n_faults;

	if (time_ns <= task->faults_at_ns)
		return task->has_faulted;
	task->faults_at_ns = prf_clock_ns(CLOCK_MONOTONIC);
	if (prf_stat_read_faults(task->process->pid, task->tid, &n_faults))
		return task->has_faulted = true;
	task->has_faulted = n_faults != task->n_faults;
	task->n_faults = n_faults;
	return task->has_faulted;
}

static struct prf_trigger_stats *
stats_of(const struct prf_watch *watch, const struct prf_task *task)
{
	size_t i = 0;

	while (i + 1 < watch->n_triggers && watch->triggers[i] != task->trigger)
		i++;
	return &watch->stats->trigger[i];
}

/* Where nothing was told of the PC, the thread may have been watched only since
 * then: the kernel is asked, unless the process has ended. */
static void
locate(const struct prf_task *task, struct prf_seen *seen)
{
	struct prf_mapwatch *maps = task->process->maps;
	struct prf_procmap map;

	seen->note.addr = seen->regs.pc;
	seen->note.kind = PRF_MAPWATCH_SAME;
	seen->is_verified = true;
	if (!prf_mapwatch_told(maps, seen->regs.pc, &map))
		prf_mapwatch_ask(maps, task->tid, seen->regs.pc, &seen->note);
}

static void
take_stack(const struct prf_ring_taker *taker,
	   const struct prf_ring_sample *sample, struct prf_seen *seen)
{
	const struct prf_noted_stack noted = {
		.registers = sample->registers,
		.is_32_bit = sample->abi == PRF_RING_ABI_32,
		.sp = seen->regs.sp,
		.stack = sample->stack,
		.n_bytes = sample->stack_bytes,
		.is_full = sample->is_stack_full,
	};

	seen->stack = prf_copier_copy_noted(taker->watch->copier, &noted,
					    &seen->stack_bytes);
}

/* Functions that have no name, which are those of other modules than when the
 * names were read, are left out: all of them, and nothing is known. */
static void
take_kernel(struct prf_ring_taker *taker, const struct prf_ring_sample *sample,
	    struct prf_seen *seen)
{
	const struct prf_kallsyms *symbols = taker->watch->config->kernel;
	uint32_t n = 0;

	for (uint32_t i = 0; symbols && i < sample->n_kernel; i++) {
		const char *name =
			prf_kallsyms_at(symbols, sample->kernel[i] - (i > 0));

		if (name)
			taker->kernel_names[n++] = name;
	}
	taker->kernel = (struct prf_kernel_functions){n, taker->kernel_names};
	seen->kernel = n ? &taker->kernel : NULL;
}

static void
count(const struct prf_watch *watch, struct prf_task *task, uint32_t ticks)
{
	struct prf_trigger_stats *stats = stats_of(watch, task);

	stats->ticks += ticks;
	stats->samples++;
	task->ticks += ticks;
	task->process->ticks += ticks;
}

static void
take_sample(struct prf_ring_taker *taker, struct prf_task *task,
	    const struct prf_ring_sample *sample, uint32_t ticks)
{
	struct prf_watch *watch = taker->watch;
	struct prf_seen seen = {.time_ns =
					sample->time_ns + taker->namespace_ns};

	count(watch, task, ticks);
	if (sample->abi == PRF_RING_NO_REGISTERS || !task->process->maps) {
		prf_watch_lose(watch, &watch->stats->gone, ticks);
		return;
	}
	prf_arch.view_noted(sample->registers, sample->abi == PRF_RING_ABI_32,
			    sample->in_kernel, &seen.regs);
	if (!prf_send_sample_is_wanted(watch, &seen.regs, ticks)) {
		prf_send_sample_leave_out(watch, ticks);
		return;
	}
	locate(task, &seen);
	if (seen.regs.syscall == PRF_SOME_SYSCALL)
		seen.regs.syscall = prf_call_number(&taker->sites, task, sample,
						    seen.regs.pc);
	if (seen.regs.syscall == PRF_PAGE_FAULT &&
	    !was_page_fault(task, seen.time_ns))
		seen.regs.syscall = PRF_NO_SYSCALL;
	if (sample->stack && watch->copier)
		take_stack(taker, sample, &seen);
	if (sample->n_kernel)
		take_kernel(taker, sample, &seen);
	prf_send_sample(watch, task, &seen, ticks);
}

/* In PLACE, of the kernel's, as its exact CPU time tells. */
static void
take_unsampled(const struct prf_ring_taker *taker, struct prf_task *task,
	       int32_t place, uint32_t ticks)
{
	struct prf_watch *watch = taker->watch;
	const struct prf_seen seen = {
		.regs = {.syscall = place},
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.note = {.kind = PRF_MAPWATCH_SAME},
		.is_verified = true,
		.is_certain = true,
	};

	count(watch, task, ticks);
	if (!task->process->maps)
		prf_watch_lose(watch, &watch->stats->gone, ticks);
	else if (!prf_send_sample_is_wanted(watch, &seen.regs, ticks))
		prf_send_sample_leave_out(watch, ticks);
	else
		prf_send_sample(watch, task, &seen, ticks);
}

/* Numbers are those of the kernel's own machine. */
static int32_t
number_of_exec(const struct prf_task *task)
{
	return task->process->addr_bytes == sizeof(void *) ? SYS_execve
							   : PRF_SOME_SYSCALL;
}

void
prf_ring_take(void *arg, struct prf_task *task,
	      const struct prf_ring_record *record, uint32_t ticks)
{
	struct prf_ring_taker *taker = arg;

	switch (record->kind) {
	case PRF_RING_MAPPING:
		take_mapping(taker, task, &record->mapping);
		return;
	case PRF_RING_SAMPLE:
		take_sample(taker, task, &record->sample, ticks);
		return;
	case PRF_RING_LOST:
		prf_watch_lose(taker->watch, &taker->watch->stats->no_room,
			       ticks);
		return;
	case PRF_RING_SWITCHING:
		take_unsampled(taker, task, PRF_SWITCHING, ticks);
		return;
	case PRF_RING_ENDING:
		take_unsampled(taker, task, PRF_ENDING, ticks);
		return;
	case PRF_RING_EXEC:
		take_unsampled(taker, task, number_of_exec(task), ticks);
		return;
	case PRF_RING_OTHER:
		return;
	}
}
