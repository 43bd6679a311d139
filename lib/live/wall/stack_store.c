#include "live/wall/stack_store.h"

#include <stdlib.h>
#include <string.h>

void
prf_stack_store_drop(struct prf_stack_store *store,
		     struct prf_stored_stack *stored)
{
	store->room_bytes -= stored->room_bytes;
	free(stored->copy);
	*stored = (struct prf_stored_stack){0};
}

/* A thread that is blocked again and again in the same place needs as much
 * again; one that has needed much once does not keep it. */
static bool
is_suited(const struct prf_stored_stack *stored, size_t n_bytes)
{
	return n_bytes <= stored->room_bytes &&
	       n_bytes >= stored->room_bytes / 2;
}

bool
prf_stack_store_keep(struct prf_stack_store *store,
		     struct prf_stored_stack *stored, const void *copy,
		     size_t n_bytes)
{
	if (!is_suited(stored, n_bytes)) {
		prf_stack_store_drop(store, stored);
		if (n_bytes > PRF_STACK_STORE_MOST_BYTES - store->room_bytes)
			return false;
		stored->copy = malloc(n_bytes);
		if (!stored->copy)
			return false;
		stored->room_bytes = n_bytes;
		store->room_bytes += n_bytes;
	}
	memcpy(stored->copy, copy, n_bytes);
	stored->n_bytes = n_bytes;
	return true;
}
