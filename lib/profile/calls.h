/* calls.h - the call tree of a profile: by which calls the program came to where
 * its ticks fell.
 *
 * A node is a frame below the frame that called it, keyed by binary and vaddr:
 * that of the PC for the innermost, of the call for others.  Functions and
 * lines are made of these when they are read (call_graph.h).  The root is no
 * frame; its total is all that was counted here.
 *
 * The tree may be kept by owner (owners.h): then the outermost frames of one are
 * apart from those of others, and so is all that is below.
 *
 * Memory is bounded: of more than PRF_CALLS_BY_OWNER_MAX nodes half of the
 * threads are folded.  Of more than PRF_CALLS_MAX nodes those in one piece of a
 * function become one, and the tree is by function from then on.  Of more than
 * PRF_CALLS_BY_FUNCTION_MAX of these those with the fewest ticks are pruned: their
 * ticks stay where they were called from, under a node that has no binary, and
 * are counted.  The innermost frames of what was pruned below one caller are kept
 * there, so that what a function has itself stays its own. */
#ifndef PRF_PROFILE_CALLS_H
#define PRF_PROFILE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/sample.h"
#include "profile/arcs.h"
#include "profile/binary.h"
#include "profile/count.h"
#include "profile/hash_index.h"
#include "profile/large.h"
#include "profile/owners.h"

enum {
	PRF_CALLS_MAX = 1 << 20,
	PRF_CALLS_BY_FUNCTION_MAX = PRF_CALLS_MAX / 4 * 3,
	PRF_CALLS_KEPT = PRF_CALLS_MAX / 2, /* when these become more */
	PRF_CALLS_BY_OWNER_MAX = PRF_CALLS_MAX / 4,
};

/* By number, as they came; the root is 0, and its own parent. */
struct prf_call {
	uint64_t vaddr; /* the number of its name in one that counts by name */
	struct prf_binary *binary; /* the profile's; NULL: pruned */
	uint32_t parent;           /* who called it */
	uint32_t owner : 31;       /* its number; its callers have the same */
	uint32_t guessed : 1;      /* it was found without unwind information */
	uint32_t hash;             /* of the whole way to it */
	uint32_t number;
	uint32_t child,
		sibling;       /* the last that came; the one before; 0: none */
	struct prf_count self; /* of the samples that end here */
};

/* A stack that was counted, with its nodes: most of the next one is the same. */
struct prf_calls_path {
	pid_t pid, tid;
	enum prf_sample_state state;
	uint64_t n_changes;           /* of what was mapped, see prf_procs */
	size_t n, room;               /* those that have nodes */
	struct prf_calls_step *steps; /* the outermost first */
};

struct prf_calls_step {
	struct prf_frame frame;
	struct prf_arc_end end; /* where that is */
	uint32_t hash;          /* of the node */
	struct prf_call *call;
};

enum { PRF_CALLS_N_PATHS = 16 };

struct prf_calls {
	size_t n; /* nodes, without the root */
	/* It was too large to be kept by address: each end is where its piece
	 * of a function begins.  Lines and inlined calls are not known of it. */
	bool by_function;
	struct prf_owners owners;
	/* Ticks by why their stack ended; of stacks with a guessed frame. */
	uint64_t ended[PRF_N_STACK_ENDS];
	uint64_t guessed_ticks;
	/* Of stacks that were pruned, and how many nodes that took. */
	uint64_t pruned_ticks, n_pruned;
	size_t n_whole; /* how many nodes had the most when it was last pruned
			 * so that all innermost frames had room; 0: it was not */

	struct prf_hash_index index; /* of all nodes but the root */
	struct prf_call **chunks;    /* what the nodes are in */
	size_t n_chunks, chunks_room;
	struct prf_calls_path paths[PRF_CALLS_N_PATHS]; /* of threads */
};

struct prf_calls *prf_calls_new(void); /* NULL: out of memory */
/* The same for N nodes, which are found without more room. */
struct prf_calls *prf_calls_new_for(size_t n);
void prf_calls_free(struct prf_calls *calls); /* takes NULL */

/* Did any sample bring a stack?  CALLS may be NULL. */
bool prf_calls_has_stacks(const struct prf_calls *calls);

/* Is each end in CALLS (or NULL) an address of a sample?  If not it is a counter,
 * or that in which a function begins. */
bool prf_calls_are_exact(const struct prf_calls *calls);

/* How many nodes are in one piece of memory: they do not move. */
enum {
	PRF_CALLS_IN_CHUNK = PRF_LARGE_PAGE_BYTES / sizeof(struct prf_call),
};

/* The node with NUMBER, 0 to CALLS->n; the caller of a node has a lower one. */
static inline struct prf_call *
prf_calls_at(const struct prf_calls *calls, size_t number)
{
	return &calls->chunks[number / PRF_CALLS_IN_CHUNK]
			     [number % PRF_CALLS_IN_CHUNK];
}

static inline struct prf_call *
prf_calls_root(const struct prf_calls *calls)
{
	return prf_calls_at(calls, 0);
}

/* The node of END, perhaps GUESSED, below PARENT; a new one has no ticks.
 * NULL: out of memory.  Below the root it is nobody's. */
struct prf_call *prf_calls_enter(struct prf_calls *calls,
				 struct prf_call *parent,
				 const struct prf_arc_end *end, bool guessed);
/* The one of OWNER below the root. */
struct prf_call *prf_calls_begin(struct prf_calls *calls, uint32_t owner,
				 const struct prf_arc_end *end, bool guessed);
/* Before many nodes that are far from each other in memory are entered: asks for
 * that which is looked at first for END, as it is kept, below PARENT, and by the
 * hash that is returned, later, for the rest. */
uint32_t prf_calls_fetch_slot(const struct prf_calls *calls,
			      const struct prf_call *parent,
			      const struct prf_arc_end *end);
void prf_calls_fetch(const struct prf_calls *calls, uint32_t hash);
/* Which way SAMPLE's thread came last.  It has the outer frames that SAMPLE has,
 * too, and that mean the same, for while N_CHANGES is what it was nothing was
 * mapped anew; and room for all of SAMPLE's.  NULL: out of memory. */
struct prf_calls_path *prf_calls_path_of(struct prf_calls *calls,
					 const struct prf_sample *sample,
					 uint64_t n_changes);
/* Gives nodes to the steps of PATH up to step N, whose frames and ends are set;
 * OWNER is that of the outermost.  The nodes are far from each other in memory,
 * which is asked for all of them before the first is looked at.  -ENOMEM. */
int prf_calls_follow(struct prf_calls *calls, struct prf_calls_path *path,
		     size_t n, uint32_t owner) PRF_MUST_CHECK;
/* What an END of another tree is in the one it is added to; NULL binaries are
 * not asked for.  Returns 0 or a negative errno value. */
typedef int prf_calls_translate(void *arg, const struct prf_arc_end *end,
				struct prf_arc_end *own);

/* Adds all of OTHER; the sum is by function if one of both is.  -ENOMEM, or what
 * TRANSLATE failed with: perhaps a part. */
int prf_calls_add(struct prf_calls *calls, const struct prf_calls *other,
		  prf_calls_translate *translate, void *arg) PRF_MUST_CHECK;
/* The same; OWNERS: who those of OTHER are in CALLS, by their number. */
int prf_calls_add_as(struct prf_calls *calls, const struct prf_calls *other,
		     const uint32_t *owners, prf_calls_translate *translate,
		     void *arg) PRF_MUST_CHECK;
/* Takes all of EARLIER out again; its nodes stay.  -ERANGE: it is no part of
 * CALLS; -ENOMEM; or as TRANSLATE; perhaps a part was. */
int prf_calls_subtract(struct prf_calls *calls, const struct prf_calls *earlier,
		       prf_calls_translate *translate,
		       void *arg) PRF_MUST_CHECK;

/* Makes a new tree of CALLS, in which those threads that have the fewest ticks,
 * half of them, are others of their program.  -ENOMEM: it is as it was. */
int prf_calls_fold_owners(struct prf_calls **calls) PRF_MUST_CHECK;
/* Makes CALLS by function, if it is not yet: nodes whose ends are in the same
 * pieces become one.  -ENOMEM: it is as it was. */
int prf_calls_fold_functions(struct prf_calls *calls) PRF_MUST_CHECK;
/* Makes a new tree of CALLS, with those nodes that have the most ticks; nodes of
 * equal ticks are treated alike.  The ticks of the others are below who called
 * them, under a node that has no binary, in which the innermost frames that were
 * cut off are told apart.  Both are N_KEPT nodes at most: a quarter, or half of
 * that, and so on, has the most ticks, so that all innermost frames have room; if
 * there is none for them even below the root, that of the first.  -ENOMEM: it is
 * as it was. */
int prf_calls_prune(struct prf_calls **calls, size_t n_kept) PRF_MUST_CHECK;

/* Folds and prunes what has become too large.  -ENOMEM. */
int prf_calls_bound(struct prf_calls **calls) PRF_MUST_CHECK;

#endif
