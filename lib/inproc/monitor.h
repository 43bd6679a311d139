/* monitor.h - a gmon.out of the running process, as monitor(3) and monstartup
 * have it for programs that were compiled for it. */
#ifndef PRF_INPROC_MONITOR_H
#define PRF_INPROC_MONITOR_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Counts ticks at the pcs from LOWPC up to HIGHPC, which lie in one object,
 * with a counter for each two bytes; and writes them to PATH, NULL for
 * "gmon.out", when the process ends: by exit or by returning from main; by a
 * call with LOWPC NULL, which does it at once; and by a signal that ends it, if
 * that had its default action at the time of this call.  PATH is relative to
 * the working directory at the time of the call.  An existing file is replaced
 * by a complete one; a symbolic link, FIFO or device stays, and is written to.
 * The addresses written are those of the object's file, so that gprof finds its
 * symbols.
 *
 * A child of fork continues with counters of its own, from 0, and writes them
 * to PATH.PID if it has had a tick; one of vfork, _Fork or a bare clone writes
 * nothing.  A second call writes what the first has counted, and begins anew.
 * prf_profil() and the others replace it, and what was counted until then is
 * written in the end.
 *
 * Nothing is written at _exit, exec and SIGKILL; at SIGPROF and real-time
 * signals, since other libraries take those that have no handler; in process 1
 * and its children at any signal but those of a crash; after an overflow of the
 * stack unless there is an alternate one; in a thread whose alternate stack is
 * smaller than AT_MINSIGSTKSZ (getauxval) and 4 KiB; and where the program sets a
 * handler for a signal later.
 *
 * Returns 0, or -1 and errno: EINVAL: not LOWPC < HIGHPC, or not in one object;
 * ENAMETOOLONG; ENOENT and EACCES of getcwd(3); ENOMEM; EBUSY and EAGAIN as for
 * prf_profil(); if it is to write, what that failed with.  Not
 * async-signal-safe, and only one thread may call it at a time. */
int prf_monitor(const void *lowpc, const void *highpc, const char *path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
