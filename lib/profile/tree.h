/* tree.h - who was whose child, among the programs of a run, and the ticks of
 * each.
 *
 * A program is a process from one exec to the next or to its end.  What has
 * ended without ticks is forgotten at once, and its children become its
 * parent's.  Of very many with ticks those with the fewest are folded into
 * their parents, so that the tree stays small. */
#ifndef PRF_PROFILE_TREE_H
#define PRF_PROFILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "core/attr.h"
#include "profile/count.h"
#include "space/program.h"

TAILQ_HEAD(prf_branches, prf_branch);

/* A program in its place. */
struct prf_branch {
	struct prf_branch *parent; /* NULL: it is the root, which is none */
	TAILQ_ENTRY(prf_branch) sibling;
	struct prf_branches children; /* the earliest first */
	struct prf_program *program;
	pid_t pid;
	bool ended;
	struct prf_count count; /* to be counted in by who has it */
	/* Programs that were here and are no more. */
	struct prf_count folded;
	uint64_t n_folded;
};

enum { PRF_TREE_MAX_ENDED = 4096 };

struct prf_tree {
	struct prf_branch root; /* parent of those whose parent is unknown */
	size_t n_ended;         /* branches that have; with ticks */
	uint64_t n_programs;    /* all that ended with ticks, folded or not */
};

void prf_tree_init(struct prf_tree *tree);
void prf_tree_clear(struct prf_tree *tree);

/* Process PID, as PROGRAM (which is held), a child of PARENT.  NULL: out of
 * memory. */
struct prf_branch *prf_tree_add(struct prf_branch *parent, pid_t pid,
				struct prf_program *program);
/* Nothing is counted in BRANCH any more, which is the tree's from now on. */
void prf_tree_end(struct prf_tree *tree, struct prf_branch *branch);

/* Adds all of OTHER, as branches that have ended.  -ENOMEM: perhaps a part. */
int prf_tree_merge(struct prf_tree *tree,
		   const struct prf_tree *other) PRF_MUST_CHECK;

/* The next of TREE after BRANCH: parents come before children, and the earlier
 * of siblings first; NULL is before the first and after the last. */
struct prf_branch *prf_tree_next(const struct prf_tree *tree,
				 const struct prf_branch *branch);
/* The ticks of all programs, folded or not. */
struct prf_count prf_tree_sum(const struct prf_tree *tree);

#endif
