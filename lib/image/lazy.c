#include "image/lazy.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK_BYTES = 4096 };

int
prf_lazy_open(struct prf_lazy *lazy, int fd, uint64_t off, uint64_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*lazy = (struct prf_lazy){.fd = fd, .off = off};
	if (memory == MAP_FAILED)
		return -ENOMEM;
	lazy->data = (Elf_Data){
		.d_buf = memory,
		.d_type = ELF_T_BYTE,
		.d_version = EV_CURRENT,
		.d_size = size,
	};
	lazy->has_block = calloc(size / BLOCK_BYTES / 8 + 1, 1);
	if (lazy->has_block)
		return 0;
	prf_lazy_close(lazy);
	return -ENOMEM;
}

void
prf_lazy_close(struct prf_lazy *lazy)
{
	if (lazy->data.d_buf)
		munmap(lazy->data.d_buf, lazy->data.d_size);
	free(lazy->has_block);
	*lazy = (struct prf_lazy){0};
}

static bool
has(const struct prf_lazy *lazy, uint64_t block)
{
	return lazy->has_block[block / 8] >> block % 8 & 1;
}

/* Reads the bytes in [at, end). */
static bool
read_bytes(struct prf_lazy *lazy, uint64_t at, uint64_t end)
{
	char *to = lazy->data.d_buf;

	while (at < end) {
		ssize_t n = pread(lazy->fd, to + at, end - at,
				  (off_t)(lazy->off + at));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += (uint64_t)n;
	}
	return true;
}

/* Reads the blocks in [from, to), of which there are none yet. */
static bool
read_blocks(struct prf_lazy *lazy, uint64_t from, uint64_t to)
{
	uint64_t end = to * BLOCK_BYTES;

	if (end > lazy->data.d_size)
		end = lazy->data.d_size;
	if (!read_bytes(lazy, from * BLOCK_BYTES, end))
		return false;
	for (uint64_t block = from; block < to; block++)
		lazy->has_block[block / 8] |= (uint8_t)(1 << block % 8);
	return true;
}

bool
prf_lazy_need(struct prf_lazy *lazy, uint64_t at, uint64_t n)
{
	if (at > lazy->data.d_size || n > lazy->data.d_size - at)
		return false;
	uint64_t end = n > 0 ? (at + n - 1) / BLOCK_BYTES + 1 : 0;
	for (uint64_t block = at / BLOCK_BYTES; block < end; block++) {
		uint64_t from = block;

		while (block < end && !has(lazy, block))
			block++;
		if (block > from && !read_blocks(lazy, from, block))
			return false;
	}
	return true;
}
