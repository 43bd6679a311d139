#include "inproc/lock.h"

#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, TAKEN, WANTED };

static uint32_t lock;

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

void
prf_lock_reset(void)
{
	__atomic_store_n(&lock, FREE, __ATOMIC_RELAXED);
}

/* The kernel's sets have 64 bits; the C library's own functions leave out the
 * signals that it uses. */
uint64_t
prf_lock_enter(void)
{
	uint64_t all = ~UINT64_C(0), mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof mask);
	prf_lock_take();
	return mask;
}

void
prf_lock_leave(uint64_t mask)
{
	prf_lock_give();
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
}
