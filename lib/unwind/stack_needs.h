/* stack_needs.h - how much is to be copied of a stack that lies in memory which goes
 * on much farther than it does: as much as those of its process have needed of late.
 * And which threads have deeper stacks than the kernel copies by itself.
 *
 * The one who makes frames tells what a stack has needed, the one who copies asks:
 * one thread each. */
#ifndef PRF_UNWIND_STACK_NEEDS_H
#define PRF_UNWIND_STACK_NEEDS_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	PRF_STACK_NEEDS_LEAST = 64 << 10, /* few have more */
	PRF_STACK_NEEDS_MOST = 1 << 20,
	PRF_STACK_NEEDS_SLOTS = 64,
	PRF_STACK_NEEDS_THREADS = 1 << 16,
};

/* All zero: nothing is known. */
struct prf_stack_needs {
	/* By the process; a later one takes the slot of an earlier one. */
	_Atomic uint64_t slots[PRF_STACK_NEEDS_SLOTS];
	/* By the thread; those with one slot are counted together, which at worst
	 * gives one of them more than it needs. */
	_Atomic uint8_t n_short[PRF_STACK_NEEDS_THREADS];
};

/* How many bytes are to be copied of one of process PID. */
uint32_t prf_stack_needs_bytes(const struct prf_stack_needs *needs, pid_t pid);

/* A stack of PID, of which HAD_BYTES were copied, has needed USED_BYTES; more than
 * it had: the copy ended before it.  Then the next ones have twice as much; less
 * again after some that did not need it. */
void prf_stack_needs_tell(struct prf_stack_needs *needs, pid_t pid,
			  uint32_t had_bytes, uint32_t used_bytes);

/* A stack of thread TID went on behind all that the kernel was asked to copy. */
void prf_stack_needs_tell_short(struct prf_stack_needs *needs, pid_t tid);
/* How many of its stacks did, and of those of threads that had its number before:
 * modulo 256, since what matters is whether there are some more. */
uint8_t prf_stack_needs_short(const struct prf_stack_needs *needs, pid_t tid);

#endif
