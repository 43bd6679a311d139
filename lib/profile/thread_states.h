/* thread_states.h - what each thread did: how long it ran, waited for a processor
 * and was blocked; and in which calls it was blocked, and from where.
 *
 * It is made of a call tree that is kept by thread (owners.h). */
#ifndef PRF_PROFILE_THREAD_STATES_H
#define PRF_PROFILE_THREAD_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/sample.h"
#include "profile/call_functions.h"
#include "profile/count.h"
#include "profile/profile.h"

/* A thread blocked in one call, from one place. */
struct prf_thread_wait {
	/* The system call, or, where the thread was in none, as in a page
	 * fault, the function; numbers of functions. */
	size_t call;
	/* Who waits: the innermost function that is in another binary than the
	 * one that makes the call, which mostly is the C library; where no
	 * stack tells of such, that one.  PRF_CALL_NONE: it is not known. */
	size_t from;
	struct prf_count count;
};

/* A thread; the others of a program, whose PID and TID are 0; or all that is
 * nobody's, which has no PROGRAM. */
struct prf_thread_doing {
	pid_t pid, tid;
	const char *program, *name; /* the profile's; "": not known */
	int32_t rank;               /* of an MPI program; -1: none */
	struct prf_count all, states[PRF_N_SAMPLE_STATES];
	uint64_t process_ticks;        /* of all threads of its process, */
	size_t process_threads;        /* which are so many */
	struct prf_thread_wait *waits; /* the most ticks first */
	size_t n_waits;
};

/* All zero: none. */
struct prf_thread_states {
	/* By process, and then by thread the most ticks first. */
	struct prf_thread_doing *threads;
	size_t n;
	struct prf_count all;
	struct prf_call_functions functions; /* by their numbers */
	/* --- What they are made of. */
	struct prf_thread_wait *waits;
	size_t n_waits;
};

/* Of PROFILE, which must outlive it and not change meanwhile.  -ENOMEM. */
int prf_thread_states_of(const struct prf_profile *profile,
			 struct prf_thread_states *states) PRF_MUST_CHECK;
void prf_thread_states_clear(struct prf_thread_states *states);

/* Are both of one process, and of one program of it? */
bool prf_thread_states_same_process(const struct prf_thread_doing *a,
				    const struct prf_thread_doing *b);
/* Did any thread do anything but run? */
bool prf_thread_states_differ(const struct prf_thread_states *states);

#endif
