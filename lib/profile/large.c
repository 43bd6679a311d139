#include "profile/large.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* For N_ALL bytes, with what is there.  The kernel may refuse the advice: then
 * pages are small. */
static void *
new_pages(size_t n_all)
{
	size_t n_pages = (n_all - 1) / PRF_LARGE_PAGE_BYTES + 1;
	void *pages = aligned_alloc(PRF_LARGE_PAGE_BYTES,
				    n_pages * PRF_LARGE_PAGE_BYTES);

	if (pages)
		madvise(pages, n_pages * PRF_LARGE_PAGE_BYTES, MADV_HUGEPAGE);
	return pages;
}

/* *N_ALL: bytes of N elements; false: they are too many. */
static bool
multiply(size_t n, size_t n_bytes, size_t *n_all)
{
	return !__builtin_mul_overflow(n, n_bytes, n_all) &&
	       *n_all <= PTRDIFF_MAX - PRF_LARGE_PAGE_BYTES;
}

void *
prf_large_new(size_t n, size_t n_bytes)
{
	size_t n_all;

	if (!multiply(n, n_bytes, &n_all))
		return NULL;
	if (n_all < PRF_LARGE_PAGE_BYTES)
		return calloc(n, n_bytes);
	void *all = new_pages(n_all);
	if (all)
		memset(all, 0, n_all);
	return all;
}

void *
prf_large_grow(void *all, size_t n_old, size_t n, size_t n_bytes)
{
	size_t n_all;

	if (!multiply(n, n_bytes, &n_all))
		return NULL;
	if (n_all < PRF_LARGE_PAGE_BYTES)
		return reallocarray(all, n, n_bytes);
	void *grown = new_pages(n_all);
	if (!grown)
		return NULL;
	if (n_old)
		memcpy(grown, all, n_old * n_bytes);
	free(all);
	return grown;
}

void *
prf_large_reserve(void *all, size_t n, size_t *room, size_t n_bytes)
{
	size_t grown_room = 2 * n + 64;

	if (n < *room)
		return all;
	void *grown = prf_large_grow(all, *room, grown_room, n_bytes);
	if (grown)
		*room = grown_room;
	return grown;
}
