#include "live/stopped/send_sample.h"

/* Tells the sink of the code that a sample of PROCESS speaks of. */
static int
tell_mappings(struct prf_watch *watch, struct prf_process *process,
	      const struct prf_seen *seen, bool *verified)
{
	int rc = prf_mapwatch_tell(process->maps, &seen->note, watch->sink,
				   verified);

	return rc || !seen->stack
		       ? rc
		       : prf_mapwatch_tell_rest(process->maps, watch->sink);
}

void
prf_send_sample(struct prf_watch *watch, const struct prf_task *task,
		const struct prf_seen *seen, uint32_t ticks)
{
	const struct prf_regs *regs = &seen->regs;
	struct prf_sampler_stats *stats = watch->stats;
	struct prf_frame frame = {regs->pc, PRF_FRAME_PC};
	bool verified;

	struct prf_sample sample = {
		.pid = task->process->pid,
		.tid = task->tid,
		.time_ns = seen->time_ns,
		.ticks = ticks,
		.certain = seen->is_certain ? ticks : 0,
		.syscall = regs->syscall,
		.n_frames = 1,
		.frames = &frame,
		.stack_copy = seen->stack,
		.stack_copy_bytes = seen->stack_bytes,
		.kernel = seen->kernel,
	};
	if (tell_mappings(watch, task->process, seen, &verified) ||
	    prf_watch_send(watch, &sample)) {
		stats->refused += ticks;
		return;
	}
	if (!verified && !seen->is_verified)
		stats->stale_map += ticks;
	stats->ticks += ticks;
	stats->samples++;
	stats->late += ticks - 1;
	if (regs->syscall == PRF_PAGE_FAULT)
		stats->in_faults += ticks;
	else if (regs->syscall == PRF_ENDING || regs->syscall == PRF_SWITCHING)
		stats->unsampled += ticks;
	else if (regs->syscall != PRF_NO_SYSCALL)
		stats->in_calls += ticks;
}

bool
prf_send_sample_is_wanted(const struct prf_watch *watch,
			  const struct prf_regs *regs, uint32_t ticks)
{
	bool in_kernel = regs->syscall != PRF_NO_SYSCALL;

	return ticks && !watch->paused &&
	       !(in_kernel && watch->config->clock == PRF_CLOCK_USER);
}

void
prf_send_sample_leave_out(struct prf_watch *watch, uint32_t ticks)
{
	struct prf_sampler_stats *stats = watch->stats;

	if (!ticks)
		stats->early++;
	else
		*(watch->paused ? &stats->paused : &stats->in_kernel) += ticks;
}
