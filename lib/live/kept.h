/* kept.h - what a trigger keeps for a thread or for a process: a struct of its
 * own, which no other file knows, in a list of those that all triggers keep for
 * the same thread or process. */
#ifndef PRF_LIVE_KEPT_H
#define PRF_LIVE_KEPT_H

/* The first member of such a struct. */
struct prf_kept {
	struct prf_kept *next;
	const void *owner; /* the trigger */
	void (*free)(struct prf_kept *kept);
};

/* NULL: OWNER keeps nothing in LIST. */
struct prf_kept *prf_kept_find(struct prf_kept *list, const void *owner);
/* Puts KEPT, which has its owner and its free(), into *LIST. */
void prf_kept_add(struct prf_kept **list, struct prf_kept *kept);
/* Frees what OWNER keeps in *LIST, if anything. */
void prf_kept_drop(struct prf_kept **list, const void *owner);
/* Frees what all keep there. */
void prf_kept_clear(struct prf_kept **list);

#endif
