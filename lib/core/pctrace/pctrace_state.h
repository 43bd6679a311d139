/* pctrace_state.h - the earlier values that a sample of a trace is relative to.
 *
 * Writer and reader keep the same state, and begin it anew in each block, so
 * that each can be read without those before. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_STATE_H
#define PRF_CORE_PCTRACE_PCTRACE_STATE_H

#include <stdint.h>
#include <string.h>

#include "pctrace_format.h"
#include "core/sample.h"

/* Recent numbers, the last one used first.  A number is stored as its distance
 * from one of them, which it replaces; then it is the first. */
enum { PRF_PCTRACE_N_RECENT = 4 };
struct prf_pctrace_recent {
	uint64_t values[PRF_PCTRACE_N_RECENT];
};

static inline void
prf_pctrace_recent_use(struct prf_pctrace_recent *recent, unsigned which,
		       uint64_t value)
{
	uint64_t *values = recent->values;

	for (; which > 0; which--)
		values[which] = values[which - 1];
	values[0] = value;
}

struct prf_pctrace_thread {
	pid_t pid, tid;
	uint64_t time_ns; /* of its last sample */
};

/* The frames of a stack, innermost first, at the end of the room, so
 * that the next can keep its outer frames where they are. */
struct prf_pctrace_stack {
	uint32_t n;
	struct prf_frame *end; /* of its room */
};

static inline struct prf_frame *
prf_pctrace_stack_frames(struct prf_pctrace_stack *stack)
{
	return stack->end - stack->n;
}

/* The functions of the kernel that a sample had last, outermost first. */
struct prf_pctrace_kernel {
	uint32_t n;
	char names[PRF_PCTRACE_MAX_KERNEL]
		  [PRF_PCTRACE_MAX_KERNEL_NAME_BYTES + 1];
};

struct prf_pctrace_state {
	uint64_t time_ns; /* of the event before */
	struct prf_pctrace_recent addrs, steps;
	uint32_t thread; /* of the sample before */
	uint32_t ticks;  /* the same */
	uint32_t n_threads;
	struct prf_pctrace_thread threads[PRF_PCTRACE_MAX_THREADS];
	/* The last stack of each thread, those of equal numbers modulo
	 * PRF_PCTRACE_N_STACKS together. */
	struct prf_pctrace_stack stacks[PRF_PCTRACE_N_STACKS];
	struct prf_pctrace_kernel kernel;
	/* Memory that is paid when touched. */
	struct prf_frame rooms[PRF_PCTRACE_N_STACKS][PRF_PCTRACE_MAX_FRAMES];
};

/* The last stack of the thread of the sample at hand. */
static inline struct prf_pctrace_stack *
prf_pctrace_state_stack(struct prf_pctrace_state *state)
{
	return &state->stacks[state->thread % PRF_PCTRACE_N_STACKS];
}

static inline void
prf_pctrace_state_begin(struct prf_pctrace_state *state, uint64_t time_ns)
{
	state->time_ns = time_ns;
	memset(&state->addrs, 0, sizeof state->addrs);
	memset(&state->steps, 0, sizeof state->steps);
	state->thread = 0;
	state->ticks = 1;
	state->n_threads = 0;
	for (unsigned i = 0; i < PRF_PCTRACE_N_STACKS; i++)
		state->stacks[i] = (struct prf_pctrace_stack){
			.end = state->rooms[i] + PRF_PCTRACE_MAX_FRAMES,
		};
	state->kernel.n = 0;
}

#endif
