#include "inproc/lock.h"

#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, TAKEN, WANTED };

static uint32_t lock;

/* The calling thread's signal mask while it forks. */
static __thread uint64_t mask_before_fork
	__attribute__((tls_model("initial-exec")));

void
prf_lock_take(void)
{
	uint32_t expected = FREE;

	if (__atomic_compare_exchange_n(&lock, &expected, TAKEN, 0,
					__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(&lock, WANTED, __ATOMIC_ACQUIRE) != FREE)
		syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, WANTED, NULL);
}

void
prf_lock_give(void)
{
	if (__atomic_exchange_n(&lock, FREE, __ATOMIC_RELEASE) == WANTED)
		syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1);
}

/* The kernel's sets have 64 bits; the C library's own functions leave out the
 * signals that it uses.  Returns the mask before. */
static uint64_t
set_blocked(uint64_t signals)
{
	uint64_t before = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &signals, &before,
		sizeof before);
	return before;
}

uint64_t
prf_lock_enter(void)
{
	uint64_t mask = set_blocked(~UINT64_C(0));

	prf_lock_take();
	return mask;
}

void
prf_lock_leave(uint64_t mask)
{
	prf_lock_give();
	set_blocked(mask);
}

/* ThreadSanitizer puts off signals until the next atomic operation: what it has
 * must come here, where the lock can be had, and not in the child. */
void
prf_lock_before_fork(void)
{
	mask_before_fork = prf_lock_enter();
	prf_lock_give();
}

void
prf_lock_after_fork(void)
{
	set_blocked(mask_before_fork);
}

void
prf_lock_reset(void)
{
	__atomic_store_n(&lock, FREE, __ATOMIC_RELAXED);
}
