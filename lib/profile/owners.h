/* owners.h - whose calls they are: threads, each as a thread of one program, in
 * one state, by number.
 *
 * A process that becomes another program has other owners then.  There are at
 * most PRF_OWNERS_MAX: of more those threads with the fewest ticks are folded, each
 * in all of its states, and are "the others of their program" from then on, as are
 * all threads that are new.  Number 0 is nobody: it is not known whose they are. */
#ifndef PRF_PROFILE_OWNERS_H
#define PRF_PROFILE_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/sample.h"
#include "profile/named_counts.h"
#include "profile/pairs.h"

enum { PRF_OWNERS_MAX = 4096, PRF_OWNERS_NOBODY = 0 };

struct prf_owner {
	pid_t pid, tid; /* 0: others of their program */
	enum prf_sample_state state;
	uint32_t thread; /* as they came, from 0: owners that differ in their
			  * state alone have the same; not looked at in what is
			  * searched for */
	const char *program;              /* its path; "": not known */
	int32_t rank;                     /* of an MPI program; -1: none */
	char name[PRF_THREAD_NAME_BYTES]; /* the thread's; "": not known */
};

/* All zero: none but nobody. */
struct prf_owners {
	struct prf_owner *all; /* number 1 is the first */
	size_t n, room;
	size_t n_threads; /* threads that are no others, in whatever states */
	bool is_full;     /* some were folded: a new thread is so at once */
	/* To find them: path and rank are a program, numbers of process and
	 * thread an id; both are a thread, and that with its state a key, whose
	 * number is the owner's. */
	struct prf_named_counts paths;
	struct prf_pairs programs, ids, threads, keys;
};

void prf_owners_clear(struct prf_owners *owners);

/* *NUMBER: that of LIKE, or of the others of its program.  -ENOMEM. */
int prf_owners_intern(struct prf_owners *owners, const struct prf_owner *like,
		      uint32_t *number) PRF_MUST_CHECK;
/* LIKE, in whatever states it is there, has LIKE's name. */
void prf_owners_name(struct prf_owners *owners, const struct prf_owner *like);

/* NULL: it is nobody. */
static inline const struct prf_owner *
prf_owners_at(const struct prf_owners *owners, uint32_t number)
{
	return number ? &owners->all[number - 1] : NULL;
}

#endif
