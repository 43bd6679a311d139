/* stop.h - why a traced thread has stopped, from what waitpid(2) says. */
#ifndef PRF_LIVE_STOP_H
#define PRF_LIVE_STOP_H

#include <sys/types.h>

#include "core/attr.h"

/* Each kind, and how it is answered. */
enum prf_stop_kind {
	PRF_STOP_EXITED,  /* the thread ended: account for it, forget it */
	PRF_STOP_KILLED,  /* the same, by a signal */
	PRF_STOP_SIGNAL,  /* a signal is about to be delivered: ours is taken
			      * away, another is passed on */
	PRF_STOP_GROUP,   /* stopped by job control: LISTEN, never CONT */
	PRF_STOP_TRAP,    /* a new thread's first stop, or INTERRUPT's */
	PRF_STOP_BIRTH,   /* a thread or a process was made: its own first stop
			   * comes too, before or after */
	PRF_STOP_EXEC,    /* a new program: the old one's threads are gone */
	PRF_STOP_SYSCALL, /* at a system call's entry or exit */
	PRF_STOP_OTHER_EVENT, /* an event that was not asked for: go on */
	PRF_STOP_NONE,        /* a status that is no stop */
	PRF_N_STOP_KINDS,
};

struct prf_stop {
	pid_t tid;
	enum prf_stop_kind kind;
	int signal; /* SIGNAL, GROUP, KILLED: which */
	int wait_status;
};

/* Pure: tests give it numbers. */
struct prf_stop prf_stop_of_wait(pid_t tid, int wait_status);

/* Takes the stop that TID is in, as waitpid would, but never an end: a
 * thread that was just seen to have stopped may have been killed since.  TID
 * 0: of any child or traced thread.  Returns whose stop it was; 0: there is
 * none that was not taken yet. */
pid_t prf_stop_take(pid_t tid, int *wait_status);
/* The same of one thread, TID: 0; -EAGAIN: it has not stopped; -ESRCH: it has
 * ended.  (For the first of several threads the kernel reports neither its
 * end, as long as another lives, nor that another has become it by exec.) */
int prf_stop_try(pid_t tid, int *wait_status) PRF_MUST_CHECK;

#endif
