/* timer.h - the kernel's CPU clocks and timers, by system call: what the C
 * library makes of them need not be async-signal-safe.
 *
 * Timers are gone after exec, and a child of fork has none. */
#ifndef PRF_INPROC_TIMER_H
#define PRF_INPROC_TIMER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* The CPU clock of a thread of this process. */
clockid_t prf_timer_clock(pid_t tid);

/* Nanoseconds, or -1 if the thread is gone. */
int64_t prf_timer_cpu_ns(clockid_t clock);

/* A timer on CLOCK that sends SIGNO, with VALUE as si_value, to the thread
 * TID; to whichever thread the kernel chooses if TID is 0, and that is the
 * running one (Linux 6.4) or the main one (before).  Its number, or a negative
 * errno value. */
int prf_timer_new(clockid_t clock, int signo, uint64_t value, pid_t tid);
void prf_timer_delete(int timer);

/* Expires when the clock is FIRST_NS, then every PERIOD_NS, or never again if
 * that is 0. */
int prf_timer_set_at(int timer, int64_t first_ns, int64_t period_ns);
/* Expires once, IN_NS from now. */
int prf_timer_set_in(int timer, int64_t in_ns);

/* Will it ever expire?  The timer of a thread that has ended will not. */
bool prf_timer_is_set(int timer);

#endif
