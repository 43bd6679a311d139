#include "live/proc/memory.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "live/proc/descriptor.h"
#include "live/proc/page_runs.h"
#include "live/proc/pagemap.h"
#include "live/proc/reach.h"

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

size_t
prf_memory_read(struct prf_memory *memory, pid_t tid, uint64_t addr, void *to,
		size_t n_bytes, uint8_t absent)
{
	uint64_t entries[PRF_PAGE_RUNS_MOST_PAGES];
	struct prf_page_runs runs;

	if (n_bytes > PRF_MEMORY_MOST_BYTES)
		n_bytes = PRF_MEMORY_MOST_BYTES;
	size_t n_pages = prf_page_runs_pages(memory->page_bytes, addr, n_bytes);
	ssize_t n = read_entries(memory, tid, addr, entries, n_pages);
	if (n <= 0)
		return 0;
	if ((size_t)n < n_pages)
		n_bytes = (size_t)n * memory->page_bytes -
			  addr % memory->page_bytes;
	prf_page_runs_find(&runs, memory->page_bytes, entries, addr, to,
			   n_bytes, absent);
	if (!runs.n)
		return 0;
	prf_reach_begin();
	ssize_t n_read =
		process_vm_readv(tid, runs.here, runs.n, runs.there, runs.n, 0);
	prf_reach_end();
	return prf_page_runs_good(&runs, n_read < 0 ? 0 : (size_t)n_read, to,
				  n_bytes);
}
