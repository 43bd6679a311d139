#include "unwind/stack_needs.h"

enum { PAGE_BYTES = 4096, SPARED = 32 };

/* What a slot has. */
struct need {
	uint32_t pid;
	uint16_t n_spared; /* stacks in a row to which half would have done */
	uint16_t pages;
};

static struct need
need_of(const struct prf_stack_needs *needs, pid_t pid)
{
	uint64_t slot = atomic_load_explicit(
		&needs->slots[(uint32_t)pid % PRF_STACK_NEEDS_SLOTS],
		memory_order_relaxed);
	const struct need need = {
		.pid = (uint32_t)(slot >> 32),
		.n_spared = (uint16_t)(slot >> 16),
		.pages = (uint16_t)slot,
	};
	const struct need none = {
		.pid = (uint32_t)pid,
		.pages = PRF_STACK_NEEDS_LEAST / PAGE_BYTES,
	};

	return need.pid == (uint32_t)pid && need.pages ? need : none;
}

uint32_t
prf_stack_needs_bytes(const struct prf_stack_needs *needs, pid_t pid)
{
	return need_of(needs, pid).pages * (uint32_t)PAGE_BYTES;
}

static void
note_more(struct need *need, uint32_t had_bytes)
{
	uint32_t bytes = had_bytes < PRF_STACK_NEEDS_MOST / 2
				 ? had_bytes * 2
				 : PRF_STACK_NEEDS_MOST;

	if (bytes / PAGE_BYTES > need->pages)
		need->pages = (uint16_t)(bytes / PAGE_BYTES);
	need->n_spared = 0;
}

static void
note_less(struct need *need)
{
	if (need->pages <= PRF_STACK_NEEDS_LEAST / PAGE_BYTES ||
	    ++need->n_spared < SPARED)
		return;
	need->pages /= 2;
	need->n_spared = 0;
}

void
prf_stack_needs_tell(struct prf_stack_needs *needs, pid_t pid,
		     uint32_t had_bytes, uint32_t used_bytes)
{
	struct need need = need_of(needs, pid);

	if (used_bytes > had_bytes)
		note_more(&need, had_bytes);
	else if (used_bytes / PAGE_BYTES >= need.pages / 2)
		need.n_spared = 0;
	else
		note_less(&need);
	atomic_store_explicit(
		&needs->slots[(uint32_t)pid % PRF_STACK_NEEDS_SLOTS],
		(uint64_t)need.pid << 32 | (uint64_t)need.n_spared << 16 |
			need.pages,
		memory_order_relaxed);
}

uint8_t
prf_stack_needs_short(const struct prf_stack_needs *needs, pid_t tid)
{
	return atomic_load_explicit(
		&needs->n_short[(uint32_t)tid % PRF_STACK_NEEDS_THREADS],
		memory_order_relaxed);
}

void
prf_stack_needs_tell_short(struct prf_stack_needs *needs, pid_t tid)
{
	atomic_fetch_add_explicit(
		&needs->n_short[(uint32_t)tid % PRF_STACK_NEEDS_THREADS], 1,
		memory_order_relaxed);
}
