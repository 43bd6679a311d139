/* ticker.h - makes each thread of this process tick.
 *
 * Each thread has a timer on its own CPU clock, whose signal goes to itself
 * alone.  The kernel (from 5.9 on) raises it as the thread returns to user
 * mode: no system call is cut short by it, and threads that sleep are left
 * alone.
 *
 * Nothing reports new threads.  One more timer, the scout, runs on the CPU
 * clock of the process.  Each tick of a thread postpones it; it expires when
 * the process has used CPU time that those ticks do not explain.  Then the
 * clocks are compared, and if threads are missing, they are searched for and
 * get clocks, counting from their birth.  What is still unexplained was used by
 * threads that have ended, and is unseen (cputime.h).  So the ticks of a
 * process add up to its CPU time, however short its threads live.
 *
 * From Linux 6.4 on the scout's signal goes to the running thread; but if that
 * one blocks it, to any thread that does not, which is woken, and before 6.4 to
 * the main thread.  So where the scout has found nothing, since all time is of
 * threads that no tick can reach, it waits twice as long before it comes again.
 * The clocks are compared at ticks, too, which wakes nobody.
 *
 * All functions but on_signal are to be called with the lock. */
#ifndef PRF_INPROC_TICKER_H
#define PRF_INPROC_TICKER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The client, which gets the ticks; called in a handler, with the lock.  False:
 * stop. */
struct prf_ticker_client {
	bool (*tick)(uint64_t pc, uint64_t ticks);
	void (*unseen)(uint64_t ticks);
};

/* 0, or a negative errno value, and then nothing has changed: -EBUSY if the
 * signal has another handler, -EAGAIN without a timer.  If ticks were on
 * already, they continue, and the earlier client gets its ticks first. */
int prf_ticker_start(const struct prf_ticker_client *client);
void prf_ticker_stop(void);
/* Before a stop: the calling thread, which continues at PC, gets the ticks that
 * it has used, and that would have come too late.  If it blocks the signal they
 * are none of its; BLOCKED is its signal mask. */
void prf_ticker_tell_due(uint64_t blocked, uint64_t pc);
/* To be called in a child of fork: the timers are the parent's.  The ticker is
 * off, however far the parent was in starting or stopping it. */
void prf_ticker_forget(void);

bool prf_ticker_is_on(void);
/* False: the program has taken the signal for itself. */
bool prf_ticker_has_handler(void);
int prf_ticker_signal(void);
/* 0, or -EINVAL: no signal for ticks. */
int prf_ticker_set_signal(int signo);
/* Are ticks, from the next start on, taken on alternate signal stacks? */
bool prf_ticker_on_stack(void);
void prf_ticker_set_on_stack(bool on_stack);
/* Compares the clocks now, and gives the client what is unseen. */
void prf_ticker_settle(void);
/* Ticks that had not reached their threads at that moment. */
uint64_t prf_ticker_held(void);
uint32_t prf_ticker_n_threads(void);
int64_t prf_ticker_tick_ns(void);

/* The handler.  Signals that are not of the timers of this start are
 * ignored. */
void prf_ticker_on_signal(int signo, siginfo_t *info, void *context);
/* What the timer of the calling thread sends as si_value, 0 if it has none. */
uint64_t prf_ticker_value(void);
/* What the scout sends. */
uint64_t prf_ticker_scout_value(void);

#endif
