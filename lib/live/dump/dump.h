/* dump.h - what all threads of a process do at this moment: states, system
 * calls and stacks, once.
 *
 * A thread that is blocked is not stopped: where it is is read, then its stack,
 * and then it is looked whether it has moved meanwhile.  One that runs is
 * stopped for as long as it takes to copy its registers and its stack; of one that
 * another program has stopped and traces, or that waits for what no stop interrupts,
 * not all registers are known.  No thread is made to call anything, and no system
 * call of any fails. */
#ifndef PRF_LIVE_DUMP_DUMP_H
#define PRF_LIVE_DUMP_DUMP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "live/dump/awaited.h"
#include "live/proc/status.h"

enum prf_dump_how {
	PRF_DUMP_BLOCKED, /* it was read where it stood, in a system call, and not
			   * stopped, unless job control had stopped it and its
			   * registers alone tell the call */
	PRF_DUMP_STOPPED, /* it was stopped for a moment */
	PRF_DUMP_ENDED,   /* it has ended, or did so meanwhile */
	PRF_DUMP_REFUSED, /* it moves, and may not be stopped: CODE says why */
	PRF_DUMP_WORKER,  /* it is the kernel's, and has no code of its own */
};

struct prf_dump_thread {
	pid_t tid;
	char name[PRF_THREAD_NAME_BYTES];
	char state; /* the kernel's letter: R, S, D, T, t, Z */
	enum prf_dump_how how;
	int code; /* REFUSED: a negative errno value; -ETIMEDOUT: it has not
		   * stopped in time */
	int32_t syscall; /* that it is blocked in, or PRF_NO_SYSCALL */
	char call[PRF_AWAITED_BYTES]; /* what that waits for; "": not known */
	/* It waits for a word of memory to be another than AWAITED (0: it does
	 * not), two words before BEHIND.  What these mean depends on who waits:
	 * the one can be a thread whose end is awaited, the other the one that
	 * has a mutex of the C library. */
	pid_t awaited, behind;
	bool is_shared;      /* that word: it may be the kernel that changes it,
			      * as when a thread ends */
	uint64_t cpu_ns;     /* that it has run; 0: not known */
	uint64_t stopped_ns; /* for how long it stood for us; 0: it did not */
	size_t cut_bytes;    /* so much of its stack was copied, and it goes on
			      * behind that; 0: all of it was */
};

struct prf_dump {
	pid_t pid;
	struct prf_process_status status;
	pid_t tracer;     /* the process that traces it; 0: none does */
	uint16_t machine; /* by which system calls have their numbers */
	struct prf_dump_thread *threads; /* ascending by tid */
	size_t n_threads;
};

/* Reads all threads of PID (any of its threads stands for it) into *DUMP.  SINK
 * is told of its program and of what is mapped, and gets a sample with a copy of
 * its stack for each thread that has one.  -ESRCH, -EPERM: ERR has the reason
 * and the remedy; -ENOMEM; or what SINK has returned. */
int prf_dump_take(pid_t pid, struct prf_sink *sink, struct prf_dump *dump,
		  struct prf_error *err) PRF_MUST_CHECK;
void prf_dump_clear(struct prf_dump *dump);

#endif
