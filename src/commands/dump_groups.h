/* dump_groups.h - which threads of a dump do the same: those of which the same is
 * said, and that have the same stack. */
#ifndef PRF_SRC_COMMANDS_DUMP_GROUPS_H
#define PRF_SRC_COMMANDS_DUMP_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "profile/hash_index.h"
#include "src/commands/dumped.h"

/* Threads, by their place in the dump. */
struct prf_dump_group {
	size_t first, last; /* the one behind each is in NEXT */
	size_t n;
};

enum { PRF_DUMP_NO_THREAD = -1 };

/* All zero: none. */
struct prf_dump_groups {
	struct prf_dump_group *all; /* in the order of their first threads */
	size_t n;
	ptrdiff_t *next; /* of each thread, or PRF_DUMP_NO_THREAD */
	struct prf_hash_index by_hash; /* their numbers, from 1 */
};

/* EACH: every thread is a group of its own.  -ENOMEM: perhaps a part. */
int prf_dump_groups_make(struct prf_dump_groups *groups,
			 const struct prf_dumped *dumped,
			 bool each) PRF_MUST_CHECK;
void prf_dump_groups_clear(struct prf_dump_groups *groups);

#endif
