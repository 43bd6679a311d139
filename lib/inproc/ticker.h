/* ticker.h - makes each thread of this process tick.
 *
 * Each thread has a timer on its own CPU clock, whose signal goes to itself
 * alone.  The kernel (from 5.9 on) raises it as the thread returns to user
 * mode: no system call is cut short by it, and threads that sleep are left
 * alone.
 *
 * There is no notice of new threads.  One more timer, the scout, runs on the
 * CPU clock of the process.  Each tick of a thread puts it off; it expires when
 * the process has used CPU time that those ticks do not explain.  Then the
 * clocks are compared, and if threads are missing, they are looked for and get
 * clocks, counting from their birth.  What is still unexplained was used by
 * threads that have ended, and is unseen (cputime.h).  So the ticks of a process
 * add up to its CPU time, however short its threads live.
 *
 * From Linux 6.4 on the scout goes to the thread that runs; but if that one
 * blocks the signal, to any that does not, which is woken, and before 6.4 to
 * the main thread.  So where the scout has looked in vain, for all time is of
 * threads that no tick can reach, it waits twice as long before it comes again.
 * Ticks look, too, and wake nobody.
 *
 * All functions but on_signal are to be called with the lock. */
#ifndef PRF_INPROC_TICKER_H
#define PRF_INPROC_TICKER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Who is told; called in a handler, with the lock.  False: stop. */
struct prf_ticker_client {
	bool (*tick)(uint64_t pc, uint64_t ticks);
	void (*unseen)(uint64_t ticks);
};

/* 0, or a negative errno value and nothing has changed: -EBUSY if the signal
 * has another handler, -EAGAIN without a timer.  Started twice is once, but
 * settles with the client before. */
int prf_ticker_start(const struct prf_ticker_client *client);
void prf_ticker_stop(void);
/* In a child of fork: the timers are the parent's.  It is off, wherever in
 * starting or stopping it the parent was. */
void prf_ticker_forget(void);

bool prf_ticker_is_on(void);
/* False: the program has taken the signal for itself. */
bool prf_ticker_has_handler(void);
int prf_ticker_signal(void);
/* 0, or -EINVAL: no signal for ticks. */
int prf_ticker_set_signal(int signo);
/* Looks at the clocks now, and tells what is unseen. */
void prf_ticker_settle(void);
/* Ticks that had not reached their threads then. */
uint64_t prf_ticker_held(void);
uint32_t prf_ticker_n_threads(void);
int64_t prf_ticker_tick_ns(void);

/* The handler.  What is not of the timers of this start is ignored. */
void prf_ticker_on_signal(int signo, siginfo_t *info, void *context);
/* What the timer of the calling thread sends as si_value, 0 if it has none. */
uint64_t prf_ticker_value(void);
/* What the scout sends. */
uint64_t prf_ticker_scout_value(void);

#endif
