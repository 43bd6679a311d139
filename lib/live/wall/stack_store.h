/* stack_store.h - copies of stacks that are kept while their threads are blocked,
 * since what does not move need not be read again.  Pure. */
#ifndef PRF_LIVE_WALL_STACK_STORE_H
#define PRF_LIVE_WALL_STACK_STORE_H

#include <stdbool.h>
#include <stddef.h>

/* All together take no more than this. */
enum { PRF_STACK_STORE_MOST_BYTES = 32 << 20 };

/* All zero is an empty one. */
struct prf_stack_store {
	size_t room_bytes; /* of all that are kept */
};

/* One copy; all zero: none. */
struct prf_stored_stack {
	void *copy;
	size_t n_bytes, room_bytes;
};

/* Keeps COPY instead of what STORED had; false: there is no room, and it has
 * nothing now. */
bool prf_stack_store_keep(struct prf_stack_store *store,
			  struct prf_stored_stack *stored, const void *copy,
			  size_t n_bytes);
void prf_stack_store_drop(struct prf_stack_store *store,
			  struct prf_stored_stack *stored);

#endif
