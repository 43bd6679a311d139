#include "live/proc/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "live/proc/descriptor.h"
#include "live/proc/pagemap.h"
#include "live/proc/reach.h"

/* Pages are not smaller than this. */
enum {
	LEAST_PAGE_BYTES = 4096,
	MOST_PAGES = PRF_MEMORY_MOST_BYTES / LEAST_PAGE_BYTES + 1,
	MOST_RUNS = MOST_PAGES / 2 + 1,
};

struct prf_memory {
	uint64_t page_bytes;
	int pagemap_fd; /* -1: it is not open */
};

struct prf_memory *
prf_memory_new(void)
{
	struct prf_memory *memory = malloc(sizeof *memory);

	if (memory)
		*memory = (struct prf_memory){
			.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
			.pagemap_fd = -1,
		};
	return memory;
}

static void
close_pagemap(struct prf_memory *memory)
{
	if (memory->pagemap_fd >= 0)
		close(memory->pagemap_fd);
	memory->pagemap_fd = -1;
}

void
prf_memory_free(struct prf_memory *memory)
{
	if (!memory)
		return;
	close_pagemap(memory);
	free(memory);
}

static ssize_t
read_entries(struct prf_memory *memory, pid_t tid, uint64_t addr,
	     uint64_t *entries, size_t n_pages)
{
	if (memory->pagemap_fd < 0)
		memory->pagemap_fd = prf_pagemap_open(tid);
	if (memory->pagemap_fd < 0)
		return 0;
	ssize_t n =
		prf_pagemap_pread(memory->pagemap_fd, addr, entries, n_pages);
	if (prf_descriptor_is_one_too_many(memory->pagemap_fd))
		close_pagemap(memory);
	return n;
}

/* Pages in a row that are there: where they are, and where they go. */
struct runs {
	struct iovec there[MOST_RUNS], here[MOST_RUNS];
	size_t n;
	bool goes_on; /* the last run may go on */
};

static void
add_to_runs(struct runs *runs, uint64_t addr, char *to, size_t n_bytes)
{
	if (runs->goes_on) {
		runs->there[runs->n - 1].iov_len += n_bytes;
		runs->here[runs->n - 1].iov_len += n_bytes;
		return;
	}
	runs->there[runs->n] = (struct iovec){(void *)(uintptr_t)addr, n_bytes};
	runs->here[runs->n] = (struct iovec){to, n_bytes};
	runs->n++;
	runs->goes_on = true;
}

/* Finds the RUNS of the N_BYTES at ADDR, and clears the rest of TO. */
static void
find_runs(struct runs *runs, uint64_t page_bytes, const uint64_t *entries,
	  uint64_t addr, char *to, size_t n_bytes)
{
	runs->n = 0;
	runs->goes_on = false;
	for (size_t at = 0; at < n_bytes; entries++) {
		size_t piece = page_bytes - (addr + at) % page_bytes;

		if (piece > n_bytes - at)
			piece = n_bytes - at;
		if (prf_pagemap_is_there(*entries)) {
			add_to_runs(runs, addr + at, to + at, piece);
		} else {
			memset(to + at, 0, piece);
			runs->goes_on = false;
		}
		at += piece;
	}
}

/* How many of N_BYTES at TO are good if the first N_READ of RUNS are. */
static size_t
good_bytes(const struct runs *runs, size_t n_read, const char *to,
	   size_t n_bytes)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct iovec *here = &runs->here[i];

		if (n_read < here->iov_len)
			return (size_t)((const char *)here->iov_base - to) +
			       n_read;
		n_read -= here->iov_len;
	}
	return n_bytes;
}

size_t
prf_memory_read(struct prf_memory *memory, pid_t tid, uint64_t addr, void *to,
		size_t n_bytes)
{
	uint64_t entries[MOST_PAGES];
	struct runs runs;

	if (n_bytes > PRF_MEMORY_MOST_BYTES)
		n_bytes = PRF_MEMORY_MOST_BYTES;
	uint64_t skipped = addr % memory->page_bytes;
	size_t n_pages = (skipped + n_bytes + memory->page_bytes - 1) /
			 memory->page_bytes;
	ssize_t n = read_entries(memory, tid, addr, entries, n_pages);
	if (n <= 0)
		return 0;
	if ((size_t)n < n_pages)
		n_bytes = (size_t)n * memory->page_bytes - skipped;
	find_runs(&runs, memory->page_bytes, entries, addr, to, n_bytes);
	if (!runs.n)
		return 0;
	prf_reach_begin();
	ssize_t n_read =
		process_vm_readv(tid, runs.here, runs.n, runs.there, runs.n, 0);
	prf_reach_end();
	return good_bytes(&runs, n_read < 0 ? 0 : (size_t)n_read, to, n_bytes);
}
