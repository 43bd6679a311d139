/* large.h - memory for tables that may become large: it is in large pages where
 * the kernel has some.  The first use of a page costs a fault, which is dear in a
 * virtual machine, and a table that is looked at in no order misses fewer
 * translations of addresses.
 *
 * It is free()d as any other. */
#ifndef PRF_PROFILE_LARGE_H
#define PRF_PROFILE_LARGE_H

#include <stddef.h>

/* What the usual machines have: less is in small pages. */
enum { PRF_LARGE_PAGE_BYTES = 2 << 20 };

/* As calloc(3).  NULL: out of memory. */
void *prf_large_new(size_t n, size_t n_bytes);

/* As reallocarray(3), of ALL with N_OLD elements that are in use, from none on,
 * to more.  NULL: out of memory, and ALL is as it was. */
void *prf_large_grow(void *all, size_t n_old, size_t n, size_t n_bytes);

/* ALL, which has *ROOM elements, with room for number N: *ROOM is then more.  NULL:
 * out of memory, and both are as they were. */
void *prf_large_reserve(void *all, size_t n, size_t *room, size_t n_bytes);

#endif
