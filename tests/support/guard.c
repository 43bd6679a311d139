#include "support/guard.h"

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct prf_guard
prf_guard_new(size_t max_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t n_pages = max_bytes / page_bytes + 1;
	struct prf_guard guard = {
		.max_bytes = n_pages * page_bytes,
		.map_bytes = (n_pages + 1) * page_bytes,
	};

	guard.map = mmap(NULL, guard.map_bytes, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_msg(guard.map != MAP_FAILED, "mmap: %m");
	ck_assert_int_eq(
		mprotect(guard.map, guard.max_bytes, PROT_READ | PROT_WRITE),
		0);
	guard.end = (uint8_t *)guard.map + guard.max_bytes;
	return guard;
}

uint8_t *
prf_guard_copy(struct prf_guard *guard, const void *bytes, size_t n_bytes)
{
	ck_assert_uint_le(n_bytes, guard->max_bytes);
	if (n_bytes)
		memcpy(guard->end - n_bytes, bytes, n_bytes);
	return guard->end - n_bytes;
}

void
prf_guard_free(struct prf_guard *guard)
{
	munmap(guard->map, guard->map_bytes);
}
