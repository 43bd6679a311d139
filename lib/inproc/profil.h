/* profil.h - profil(2), sprofil(2) and pcsample(2) for the calling process.
 *
 * A tick is 1/sysconf(_SC_CLK_TCK) s of CPU time, user and system, of a thread;
 * each thread has its own clock.  It is charged to the pc at which that thread
 * continues in user mode.  There is one state for the process: a call replaces
 * what any of the calls before it has begun, in one step, and once it has
 * returned the buffer before is not touched again.
 *
 * After fork profiling is on in both processes, with a copy of everything;
 * buffers in shared memory are shared.  After exec it is off.  A buffer that
 * cannot be written (any more) turns profiling off, and nothing else happens.
 *
 * A signal, prf_profil_signal(), tells a thread that it has used a tick.
 *
 * All of these are thread-safe, and all but prf_sprofil() are
 * async-signal-safe.  None is to be called in a child of vfork, _Fork or a bare
 * clone, where the timers and the lock are still taken for the child's own.
 * None is a cancellation point.  They return what the
 * manual pages say, -1 with errno where those have errors. */
#ifndef PRF_INPROC_PROFIL_H
#define PRF_INPROC_PROFIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#include "profil_state.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct prf_dialect;
struct prf_region;

/* profil(2) as DIALECT has it.  BUF has BUFSIZ_BYTES of 16-bit counters, which
 * are added to and never cleared; OFFSET is the first pc; SCALE 0, by some
 * dialects also 1, turns profiling off.  Returns 0.
 *
 * EINVAL: a scale that the dialect does not have.  EFAULT, by a dialect that
 * demands it: a page of BUF is not there, or its first or last byte cannot be
 * written.  EBUSY: the
 * program has a handler of its own for the signal.  EAGAIN: no timer.  After an
 * error everything is as it was. */
int prf_profil(const struct prf_dialect *dialect, void *buf,
	       size_t bufsiz_bytes, size_t offset, unsigned scale);

/* A flag of prf_sprofil(), to be combined with PRF_TABLE_USHORT, _UINT or
 * _UINT64: regions may overlap and come in any order, as on IRIX. */
#define PRF_SPROFIL_LENIENT 0x10000u

/* sprofil(2): the N regions of LIST, with one width of counters.  N of 0 turns
 * profiling off, and so does a list whose entries are all ignored.  TV, unless
 * NULL, receives the length of a tick.  Returns 0.
 *
 * E2BIG: N is negative or above prf_sprofil_max().  EFAULT: LIST cannot be read
 * or TV not be written.  EINVAL: FLAGS, whatever N is, and all that table.h
 * lists.  ENOMEM; EBUSY and EAGAIN as above.  After an error everything is as it was, TV too. */
int prf_sprofil(const struct prf_region *list, int n, struct timeval *tv,
		unsigned flags);

/* A region as HP-UX has it, whose sizes and scales have 32 bits. */
struct prf_hpux_region {
	void *base;
	unsigned size_bytes;
	void *offset;
	unsigned scale;
};

/* The same for a list as HP-UX has it, and with its three flags alone. */
int prf_sprofil_hpux(const struct prf_hpux_region *list, int n,
		     struct timeval *tv, unsigned flags);

/* The value of sysconf(_SC_PROFIL_MAX) on other systems. */
long prf_sprofil_max(void);

/* pcsample(2): the pc of each tick goes to SAMPLES, one after the other, until
 * there are N; N of 0 stops.  Returns how many the call before has stored, 0
 * if there was none, or if one of the other calls came between.  EINVAL: N is
 * negative; EBUSY and EAGAIN as above.  After an error all is as it was. */
long prf_pcsample(uintptr_t *samples, long n);

/* Reads the clocks and checks the handler, so that the state is that of now; if
 * the program has set another handler, profiling is off from here on. */
void prf_profil_state(struct prf_profil_state *state);

/* Makes SIGNO the signal of ticks; 0 changes nothing.  Returns the one before.
 * At first it is SIGURG, which does nothing where it is not expected: if
 * another process sends it, or the program has gone back to SIG_DFL, it is
 * ignored.  A handler that the program sets later is called for ticks, until
 * prf_profil_state() has seen it.  EINVAL: SIGNO cannot be used for this.
 * EBUSY: profiling is on. */
int prf_profil_signal(int signo);

/* ALTERNATE of 1: from the next call that turns profiling on, ticks are taken on
 * the alternate signal stack of each thread that has one, and all of these have
 * room for it (prf_profil(3) says how much).  0, as at first: on the stack that
 * the thread is using.  Else nothing changes.  Returns what it was. */
int prf_profil_stack(int alternate);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
