/* unseen.h - CPU time that has no ticks, by program: processes and threads that
 * live for less than a tick may never be met by one.
 *
 * What some processes of a program have too little, others may have too much; so
 * time and ticks of all of them are added up, and compared at the end. */
#ifndef PRF_LIVE_UNSEEN_H
#define PRF_LIVE_UNSEEN_H

#include <stdint.h>

#include "core/sample.h"

/* The last one stands for all programs that there was no room for; it has no
 * name. */
enum { PRF_UNSEEN_PROGRAMS = 32 };

struct prf_unseen_program {
	char name[PRF_THREAD_NAME_BYTES];
	uint64_t n_processes; /* that have ended; 0: there is no such row */
	uint64_t cpu_ns, ticks;
};

struct prf_unseen {
	struct prf_unseen_program programs[PRF_UNSEEN_PROGRAMS];
};

/* A process called NAME has ended that had TICKS and has run for CPU_NS. */
void prf_unseen_add(struct prf_unseen *unseen, const char *name,
		    uint64_t cpu_ns, uint64_t ticks);

/* How much of its time has no tick, where one stands for PERIOD_NS; 0 if that
 * may be chance. */
uint64_t prf_unseen_ns(const struct prf_unseen_program *program,
		       uint64_t period_ns);

#endif
