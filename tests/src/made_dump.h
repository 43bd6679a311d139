/* made_dump.h - a dump of a process that there never was: 42, "made". */
#ifndef PRF_TESTS_MADE_DUMP_H
#define PRF_TESTS_MADE_DUMP_H

#include <stddef.h>
#include <stdint.h>

#include "src/commands/dumped.h"

enum { PRF_MADE_DUMP_PID = 42 };

/* DUMPED, with room for so many threads. */
void prf_made_dump_begin(struct prf_dumped *dumped, size_t n_threads);
/* One thread more: 43 "worker" and so on, with what THREAD has beside these. */
void prf_made_dump_add(struct prf_dumped *dumped,
		       const struct prf_dump_thread *thread);
/* The stack of the last one: code that nothing is known of. */
void prf_made_dump_stack(struct prf_dumped *dumped, enum prf_stack_end end,
			 const uint64_t *addrs, size_t n);
/* There are no more threads. */
void prf_made_dump_end(struct prf_dumped *dumped);

#endif
