/* The samples of a trace, each relative to those before it. */
#include "core/pctrace/pctrace_writer.h"

#include <errno.h>

#include "core/pctrace/varint.h"

/* A distance that takes more than four bytes does not become a recent
 * number. */
#define NEAR_BOUND (UINT64_C(1) << 27)

/* Enough for all of a sample but its stack. */
enum { FIXED_BYTES = 2 + 10 * PRF_VARINT_MAX_BYTES };

static uint64_t
distance(uint64_t a, uint64_t b)
{
	uint64_t difference = a - b;

	return difference >> 63 ? 0 - difference : difference;
}

/* The recent number to which VALUE is to be relative; the last if none is
 * near. */
static unsigned
nearest(const struct prf_pctrace_recent *recent, uint64_t value)
{
	unsigned best = 0;
	uint64_t least = distance(value, recent->values[0]);

	for (unsigned i = 1; i < PRF_PCTRACE_N_RECENT; i++) {
		uint64_t other = distance(value, recent->values[i]);

		if (other < least) {
			least = other;
			best = i;
		}
	}
	return least < NEAR_BOUND ? best : PRF_PCTRACE_N_RECENT - 1;
}

/* VALUE, relative to number WHICH of those in RECENT. */
static uint8_t *
put_recent(uint8_t *at, struct prf_pctrace_recent *recent, unsigned which,
	   uint64_t value)
{
	uint64_t difference = value - recent->values[which];

	prf_pctrace_recent_use(recent, which, value);
	return prf_varint_put(at, prf_varint_fold(difference));
}

static bool
is_thread(const struct prf_pctrace_thread *thread,
	  const struct prf_sample *sample)
{
	return thread->tid == sample->tid && thread->pid == sample->pid;
}

/* The index of the thread in the table, or the one that it is to have. */
static uint16_t *
find_slot(struct prf_pctrace_writer *writer, const struct prf_sample *sample)
{
	const struct prf_pctrace_thread *threads = writer->state.threads;
	uint32_t hash = ((uint32_t)sample->tid * UINT32_C(0x9e3779b1)) >> 8;

	for (;; hash++) {
		uint16_t *slot =
			&writer->slots[hash % PRF_PCTRACE_WRITER_N_SLOTS];

		if (!*slot || is_thread(&threads[*slot - 1], sample))
			return slot;
	}
}

static uint8_t *
put_thread(uint8_t *at, struct prf_pctrace_writer *writer,
	   const struct prf_sample *sample)
{
	struct prf_pctrace_state *state = &writer->state;
	uint16_t *slot = find_slot(writer, sample);

	if (*slot) {
		state->thread = *slot - 1;
		return prf_varint_put(at, state->thread);
	}
	state->thread = state->n_threads++;
	*slot = (uint16_t)state->n_threads;
	state->threads[state->thread] = (struct prf_pctrace_thread){
		sample->pid, sample->tid, state->time_ns};
	at = prf_varint_put(at, state->thread);
	at = prf_varint_put(at, (uint32_t)sample->pid);
	return prf_varint_put(at, (uint32_t)sample->tid);
}

static bool
same_frame(struct prf_frame a, struct prf_frame b)
{
	return a.addr == b.addr && a.kind == b.kind;
}

/* How many outer frames, without the PC, are the same as in STACK. */
static uint32_t
n_shared_frames(struct prf_pctrace_stack *stack,
		const struct prf_sample *sample)
{
	const struct prf_frame *before = prf_pctrace_stack_frames(stack);
	uint32_t n = 0;

	while (n < stack->n && n + 1 < sample->n_frames &&
	       same_frame(before[stack->n - 1 - n],
			  sample->frames[sample->n_frames - 1 - n]))
		n++;
	return n;
}

/* How many frames; how many of them, the outermost, are as before, and
 * whether all others are plain return addresses; those others. */
static uint8_t *
put_stack(uint8_t *at, struct prf_pctrace_stack *stack,
	  const struct prf_sample *sample)
{
	const struct prf_frame *frames = sample->frames;
	uint32_t n_shared = n_shared_frames(stack, sample);
	uint32_t n_new = sample->n_frames - n_shared;
	bool has_kinds = false;

	for (uint32_t i = 1; i < n_new; i++)
		has_kinds |= frames[i].kind != PRF_FRAME_RETURN;
	at = prf_varint_put(at, sample->n_frames);
	at = prf_varint_put(at, (uint64_t)n_shared << 1 | has_kinds);
	for (uint32_t i = 1; i < n_new; i++) {
		at = prf_varint_put(at, prf_varint_fold(frames[i].addr -
							frames[i - 1].addr));
		if (has_kinds)
			*at++ = (uint8_t)frames[i].kind;
	}
	stack->n = sample->n_frames;
	memcpy(prf_pctrace_stack_frames(stack), frames, n_new * sizeof *frames);
	return at;
}

/* What a sample has that few samples have. */
static uint8_t
more_of(const struct prf_sample *sample)
{
	uint8_t more = (uint8_t)(sample->end << PRF_PCTRACE_END_SHIFT);

	if (sample->syscall != PRF_NO_SYSCALL)
		more |= PRF_PCTRACE_HAS_SYSCALL;
	if (sample->n_frames > 1)
		more |= PRF_PCTRACE_HAS_STACK;
	if (sample->state == PRF_SAMPLE_BLOCKED)
		more |= PRF_PCTRACE_BLOCKED;
	if (sample->certain == sample->ticks)
		more |= PRF_PCTRACE_ALL_CERTAIN;
	else if (sample->certain)
		more |= PRF_PCTRACE_SOME_CERTAIN;
	return more;
}

static uint8_t *
put_more(uint8_t *at, struct prf_pctrace_state *state, uint8_t more,
	 const struct prf_sample *sample)
{
	*at++ = more;
	if (more & PRF_PCTRACE_HAS_SYSCALL)
		at = prf_varint_put(at, (uint32_t)sample->syscall);
	if (more & PRF_PCTRACE_HAS_STACK)
		at = put_stack(at, prf_pctrace_state_stack(state), sample);
	if (more & PRF_PCTRACE_SOME_CERTAIN)
		at = prf_varint_put(at, sample->certain);
	return at;
}

static uint8_t *
put_sample(uint8_t *at, struct prf_pctrace_writer *writer,
	   const struct prf_sample *sample)
{
	struct prf_pctrace_state *state = &writer->state;
	uint8_t *type = at++;
	uint8_t more = more_of(sample);

	*type = PRF_PCTRACE_SAMPLE;
	if (state->n_threads == 0 ||
	    !is_thread(&state->threads[state->thread], sample)) {
		*type |= PRF_PCTRACE_HAS_THREAD;
		at = put_thread(at, writer, sample);
	}

	struct prf_pctrace_thread *thread = &state->threads[state->thread];
	uint64_t step = sample->time_ns - thread->time_ns;
	unsigned which = nearest(&state->steps, step);
	*type |= (uint8_t)(which << PRF_PCTRACE_STEP_SHIFT);
	at = put_recent(at, &state->steps, which, step);
	thread->time_ns = state->time_ns = sample->time_ns;

	which = nearest(&state->addrs, sample->frames[0].addr);
	*type |= (uint8_t)(which << PRF_PCTRACE_ADDR_SHIFT);
	at = put_recent(at, &state->addrs, which, sample->frames[0].addr);

	if (sample->ticks != state->ticks) {
		*type |= PRF_PCTRACE_HAS_TICKS;
		at = prf_varint_put(at, sample->ticks);
		state->ticks = sample->ticks;
	}
	if (!more)
		return at;
	*type |= PRF_PCTRACE_HAS_MORE;
	return put_more(at, state, more, sample);
}

/* --- Where in the kernel it was */

/* Of the functions, the innermost if there are too many. */
static uint32_t
n_kernel(const struct prf_sample *sample)
{
	uint32_t n = sample->kernel ? sample->kernel->n : 0;

	return n < PRF_PCTRACE_MAX_KERNEL ? n : PRF_PCTRACE_MAX_KERNEL;
}

static size_t
kernel_bytes(const struct prf_sample *sample)
{
	return n_kernel(sample) * (size_t)(PRF_PCTRACE_MAX_KERNEL_NAME_BYTES +
					   PRF_VARINT_MAX_BYTES) +
	       FIXED_BYTES;
}

/* How many functions; how many of them, the outermost, are those of the record
 * before; the others, from the outside in. */
static uint8_t *
put_functions(uint8_t *at, struct prf_pctrace_kernel *before,
	      const char *const *names, uint32_t n)
{
	uint32_t n_shared = 0;

	while (n_shared < n && n_shared < before->n &&
	       !strncmp(before->names[n_shared], names[n - 1 - n_shared],
			PRF_PCTRACE_MAX_KERNEL_NAME_BYTES))
		n_shared++;
	at = prf_varint_put(at, n);
	at = prf_varint_put(at, n_shared);
	for (before->n = n_shared; before->n < n; before->n++) {
		const char *name = names[n - 1 - before->n];
		char *kept = before->names[before->n];
		size_t n_bytes =
			strnlen(name, PRF_PCTRACE_MAX_KERNEL_NAME_BYTES);

		memcpy(kept, name, n_bytes);
		kept[n_bytes] = '\0';
		at = prf_varint_put(at, n_bytes);
		memcpy(at, name, n_bytes);
		at += n_bytes;
	}
	before->n = n;
	return at;
}

/* A record, whose length is known when it has been written. */
static uint8_t *
put_kernel(uint8_t *at, struct prf_pctrace_writer *writer,
	   const struct prf_sample *sample)
{
	uint8_t *body = at + 1 + PRF_VARINT_MAX_BYTES;
	const uint8_t *end =
		put_functions(body, &writer->state.kernel,
			      sample->kernel->names, n_kernel(sample));
	size_t n_bytes = (size_t)(end - body);

	*at++ = PRF_PCTRACE_KERNEL;
	at = prf_varint_put(at, n_bytes);
	memmove(at, body, n_bytes);
	writer->events++;
	return at + n_bytes;
}

/* --- The sample */

/* The reader takes frames of a kind that it does not know for damage. */
static bool
has_known_frames(const struct prf_sample *sample)
{
	for (uint32_t i = 0; i < sample->n_frames; i++)
		if (sample->frames[i].kind > PRF_FRAME_GUESSED)
			return false;
	return true;
}

int
prf_pctrace_writer_sample(struct prf_sink *sink,
			  const struct prf_sample *sample)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;

	if (sample->ticks == 0 || sample->certain > sample->ticks ||
	    sample->n_frames == 0 || sample->frames[0].kind != PRF_FRAME_PC ||
	    sample->end >= PRF_N_STACK_ENDS ||
	    (sample->state == PRF_SAMPLE_RUNNABLE) !=
		    (sample->syscall == PRF_NO_PROCESSOR))
		return -EINVAL;
	if (sample->n_frames > PRF_PCTRACE_MAX_FRAMES)
		return -E2BIG;
	if (!has_known_frames(sample))
		return -EINVAL;

	size_t n_bytes = FIXED_BYTES +
			 sample->n_frames * (size_t)(PRF_VARINT_MAX_BYTES + 1) +
			 kernel_bytes(sample);
	if (writer->state.n_threads == PRF_PCTRACE_MAX_THREADS) {
		int rc = prf_pctrace_writer_end_block(writer);
		if (rc)
			return rc;
	}
	int rc = prf_pctrace_writer_room(writer, sample->time_ns, n_bytes);
	if (rc)
		return rc;
	uint8_t *at = writer->payload + writer->n_bytes;
	if (n_kernel(sample))
		at = put_kernel(at, writer, sample);
	const uint8_t *end = put_sample(at, writer, sample);
	writer->n_bytes = (size_t)(end - writer->payload);
	writer->events++;
	writer->ticks += sample->ticks;
	return 0;
}
