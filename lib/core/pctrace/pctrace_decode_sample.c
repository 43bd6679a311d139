/* The samples of a trace, each relative to those before it. */
#include "core/pctrace/pctrace_decode.h"

static uint64_t
take_recent(struct prf_varint_in *in, struct prf_pctrace_recent *recent,
	    unsigned which)
{
	uint64_t value =
		recent->values[which] + prf_varint_unfold(prf_varint_take(in));

	prf_pctrace_recent_use(recent, which, value);
	return value;
}

/* The number of a thread; the first one that is not in the table is new. */
static void
take_thread(struct prf_varint_in *in, struct prf_pctrace_state *state)
{
	uint32_t thread =
		(uint32_t)prf_varint_take_max(in, PRF_PCTRACE_MAX_THREADS - 1);

	if (thread == state->n_threads) {
		uint32_t pid = (uint32_t)prf_varint_take_max(in, UINT32_MAX);
		uint32_t tid = (uint32_t)prf_varint_take_max(in, UINT32_MAX);

		state->threads[thread] = (struct prf_pctrace_thread){
			(pid_t)pid, (pid_t)tid, state->time_ns};
		state->n_threads++;
	}
	state->thread = thread;
}

static bool
take_stack(struct prf_varint_in *in, struct prf_pctrace_stack *stack,
	   struct prf_frame pc)
{
	uint32_t n = (uint32_t)prf_varint_take_max(in, PRF_PCTRACE_MAX_FRAMES);
	uint64_t shared =
		prf_varint_take_max(in, 2 * PRF_PCTRACE_MAX_FRAMES + 1);
	bool has_kinds = shared & 1;

	shared >>= 1;
	if (in->bad || n < 2 || shared >= n || shared > stack->n)
		return false;
	stack->n = n;

	struct prf_frame *frames = prf_pctrace_stack_frames(stack);
	frames[0] = pc;
	for (uint32_t i = 1; i < n - shared; i++) {
		frames[i].addr = frames[i - 1].addr +
				 prf_varint_unfold(prf_varint_take(in));
		frames[i].kind = PRF_FRAME_RETURN;
		if (has_kinds)
			frames[i].kind = prf_varint_take_byte(in);
		if (in->bad || frames[i].kind > PRF_FRAME_GUESSED)
			return false;
	}
	return true;
}

/* One that cannot be is bad. */
static uint32_t
take_certain(struct prf_varint_in *in, uint8_t more, uint32_t ticks)
{
	bool all = more & PRF_PCTRACE_ALL_CERTAIN;
	bool some = more & PRF_PCTRACE_SOME_CERTAIN;

	in->bad |= all && some;
	return some  ? (uint32_t)prf_varint_take_max(in, ticks)
	       : all ? ticks
		     : 0;
}

static bool
take_more(struct prf_varint_in *in, struct prf_pctrace_state *state,
	  struct prf_sample *sample)
{
	uint8_t more = prf_varint_take_byte(in);

	sample->end = more >> PRF_PCTRACE_END_SHIFT;
	if (sample->end >= PRF_N_STACK_ENDS)
		return false;
	if (more & PRF_PCTRACE_HAS_SYSCALL)
		sample->syscall =
			(int32_t)(uint32_t)prf_varint_take_max(in, UINT32_MAX);
	sample->state = sample->syscall == PRF_NO_PROCESSOR
				? PRF_SAMPLE_RUNNABLE
			: more & PRF_PCTRACE_BLOCKED ? PRF_SAMPLE_BLOCKED
						     : PRF_SAMPLE_RUNNING;
	if (more & PRF_PCTRACE_HAS_STACK) {
		struct prf_pctrace_stack *stack =
			prf_pctrace_state_stack(state);

		if (!take_stack(in, stack, sample->frames[0]))
			return false;
		sample->n_frames = stack->n;
		sample->frames = prf_pctrace_stack_frames(stack);
	}
	sample->certain = take_certain(in, more, sample->ticks);
	return true;
}

bool
prf_pctrace_decode_sample(struct prf_pctrace_state *state, uint8_t type,
			  struct prf_varint_in *in, struct prf_sample *sample,
			  struct prf_frame *pc)
{
	if (type & PRF_PCTRACE_HAS_THREAD)
		take_thread(in, state);
	if (state->thread >= state->n_threads)
		return false;

	struct prf_pctrace_thread *thread = &state->threads[state->thread];
	thread->time_ns += take_recent(in, &state->steps,
				       type >> PRF_PCTRACE_STEP_SHIFT & 3);
	state->time_ns = thread->time_ns;
	*pc = (struct prf_frame){
		.addr = take_recent(in, &state->addrs,
				    type >> PRF_PCTRACE_ADDR_SHIFT & 3),
		.kind = PRF_FRAME_PC,
	};
	if (type & PRF_PCTRACE_HAS_TICKS)
		state->ticks = (uint32_t)prf_varint_take_max(in, UINT32_MAX);
	*sample = (struct prf_sample){
		.pid = thread->pid,
		.tid = thread->tid,
		.time_ns = thread->time_ns,
		.ticks = state->ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = pc,
	};
	if (type & PRF_PCTRACE_HAS_MORE && !take_more(in, state, sample))
		return false;
	return !in->bad && sample->ticks > 0;
}
