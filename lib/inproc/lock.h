/* lock.h - the one lock of what the process does to itself.
 *
 * It is taken in handlers and in what they interrupt; so the thread that holds
 * it has all signals blocked, waits for nothing, allocates nothing and touches
 * no memory that is the program's except through safemem.h.  Who waits for it
 * sleeps: a thread of high priority must not spin for one of low priority. */
#ifndef PRF_INPROC_LOCK_H
#define PRF_INPROC_LOCK_H

#include <stdint.h>

/* Blocks all signals, also those that the C library keeps to itself, and takes
 * the lock.  Returns the mask to go back to. */
uint64_t prf_lock_enter(void);
void prf_lock_leave(uint64_t mask);

/* The same where all signals are blocked already: in a handler. */
void prf_lock_take(void);
void prf_lock_give(void);

/* In a child of fork: the thread that had it does not exist here. */
void prf_lock_reset(void);

#endif
