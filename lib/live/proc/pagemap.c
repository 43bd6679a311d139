#include "live/proc/pagemap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int
prf_pagemap_open(pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/pagemap", tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

ssize_t
prf_pagemap_pread(int fd, uint64_t addr, uint64_t *entries, size_t n_pages)
{
	uint64_t page = addr / (uint64_t)sysconf(_SC_PAGESIZE);
	ssize_t n = pread(fd, entries, n_pages * sizeof *entries,
			  (off_t)(page * sizeof *entries));

	return n < 0 ? -errno : n / (ssize_t)sizeof *entries;
}

/* What is swapped out and write-protected by a userfaultfd may be a mere mark of
 * that, with no page behind it. */
bool
prf_pagemap_is_there(uint64_t entry)
{
	const uint64_t present = UINT64_C(1) << 63;
	const uint64_t swapped = UINT64_C(1) << 62;
	const uint64_t write_protected = UINT64_C(1) << 57;

	return (entry & present) ||
	       ((entry & swapped) && !(entry & write_protected));
}
