/* calls.h - the call tree of a profile: by which calls the program came to where
 * its ticks fell.
 *
 * A node is a frame below the frame that called it, keyed by binary and vaddr:
 * that of the PC for the innermost, of the call for others.  Functions and
 * lines are made of these when they are read (call_graph.h).  The root is no
 * frame; its total is all that was counted here.
 *
 * Memory is bounded: of more than PRF_CALLS_MAX nodes those with the fewest
 * ticks are pruned; their ticks stay where they were called from, under a node
 * that has no binary, and are counted. */
#ifndef PRF_PROFILE_CALLS_H
#define PRF_PROFILE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/sample.h"
#include "profile/binary.h"
#include "profile/count.h"

enum { PRF_CALLS_MAX = 1 << 20 };

struct prf_call {
	struct prf_call *parent; /* who called it; NULL: it is the root */
	struct prf_call *children, *sibling;
	struct prf_binary *binary; /* the profile's; NULL: pruned */
	uint64_t vaddr; /* the number of its name in one that counts by name */
	bool guessed;   /* it was found without unwind information */
	struct prf_count self; /* of the samples that end here */
};

#endif
