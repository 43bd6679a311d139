/* send_sample.h - what was seen of a thread goes to the sink, and is counted. */
#ifndef PRF_LIVE_STOPPED_SEND_SAMPLE_H
#define PRF_LIVE_STOPPED_SEND_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/arch.h"
#include "live/stopped/mapwatch.h"
#include "live/tasks.h"
#include "live/watch.h"

struct prf_stack_copy;

struct prf_seen {
	struct prf_regs regs; /* as far as a sample needs them: pc and
			       * syscall */
	uint64_t time_ns;
	struct prf_mapwatch_note note;
	/* The sink is told of mappings as they change: none has to be asked
	 * about. */
	bool is_verified;
	bool is_certain; /* all ticks are known to be there */
	const struct prf_stack_copy *stack; /* NULL: not asked for */
	size_t stack_bytes;
	const struct prf_kernel_functions *kernel; /* NULL: not known */
};

/* Are the TICKS of a thread with REGS for the profile? */
bool prf_send_sample_is_wanted(const struct prf_watch *watch,
			       const struct prf_regs *regs, uint32_t ticks);
/* TICKS that are not are counted as such. */
void prf_send_sample_leave_out(struct prf_watch *watch, uint32_t ticks);
void prf_send_sample(struct prf_watch *watch, const struct prf_task *task,
		     const struct prf_seen *seen, uint32_t ticks);

#endif
