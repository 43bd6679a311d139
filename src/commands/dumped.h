/* dumped.h - a process as a dump has it, and what is known of its threads beside
 * what was read of each. */
#ifndef PRF_SRC_COMMANDS_DUMPED_H
#define PRF_SRC_COMMANDS_DUMPED_H

#include <stdbool.h>

#include "live/dump/dump.h"
#include "src/commands/dump_stacks.h"

struct prf_dumped {
	struct prf_dump dump;
	struct prf_dump_stacks *stacks;
	char *command; /* NULL: not known */
};

void prf_dumped_clear(struct prf_dumped *dumped);

/* Of THREAD, one of DUMPED's, here and below.  NULL: it has none. */
const struct prf_dump_stack *
prf_dumped_stack(const struct prf_dumped *dumped,
		 const struct prf_dump_thread *thread);

/* The name of the system call that it is blocked in; NULL: in none, or in one
 * without a name. */
const char *prf_dumped_call(const struct prf_dumped *dumped,
			    const struct prf_dump_thread *thread);

/* Why it was REFUSED; static storage, good until the next call. */
const char *prf_dumped_why(const struct prf_dumped *dumped,
			   const struct prf_dump_thread *thread);

/* The thread that it waits for, *FOR_END or for the mutex which that has; NULL: it
 * is not known, or for none. */
const struct prf_dump_thread *
prf_dumped_awaited(const struct prf_dumped *dumped,
		   const struct prf_dump_thread *thread, bool *for_end);

/* Was it stopped already, by others than profrun? */
bool prf_dumped_is_stopped(const struct prf_dump_thread *thread);

/* Does its stack end where the copy of it does? */
bool prf_dumped_is_cut(const struct prf_dumped *dumped,
		       const struct prf_dump_thread *thread);

#endif
