/* lock.h - the one lock of what the process does to itself.
 *
 * It is taken in handlers and in what they interrupt; so the thread that holds
 * it has all signals blocked, waits for nothing, allocates nothing and touches
 * no memory of the program except through safemem.h.  A thread that waits for
 * the lock sleeps: one of high priority must not spin for one of low
 * priority. */
#ifndef PRF_INPROC_LOCK_H
#define PRF_INPROC_LOCK_H

#include <stdint.h>

/* Blocks all signals, also those that the C library keeps to itself, and takes
 * the lock.  Returns the signal mask to restore. */
uint64_t prf_lock_enter(void);
void prf_lock_leave(uint64_t mask);

/* The same where all signals are blocked already: in a handler. */
void prf_lock_take(void);
void prf_lock_give(void);

/* Around fork: before it, all signals are blocked, and after it, in the parent
 * and in the child, the mask is what it was.  The lock is not held meanwhile, as
 * a fork can take long; but no handler asks for it in the child before that has
 * reset it: the thread that had it does not exist there. */
void prf_lock_before_fork(void);
void prf_lock_after_fork(void);
void prf_lock_reset(void);

#endif
