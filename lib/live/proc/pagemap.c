#include "live/proc/pagemap.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "live/proc/procfs.h"
#include "live/proc/reach.h"

int
prf_pagemap_open(pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/pagemap", tid);
	return prf_procfs_open_path(path);
}

ssize_t
prf_pagemap_pread(int fd, uint64_t addr, uint64_t *entries, size_t n_pages)
{
	uint64_t page = addr / (uint64_t)sysconf(_SC_PAGESIZE);

	prf_reach_begin();
	ssize_t n = pread(fd, entries, n_pages * sizeof *entries,
			  (off_t)(page * sizeof *entries));
	ssize_t n_read = n < 0 ? -errno : n / (ssize_t)sizeof *entries;
	prf_reach_end();
	return n_read;
}

bool
prf_pagemap_is_protected(uint64_t entry)
{
	return entry >> 57 & 1;
}

/* What is swapped out and protected may be a mere mark of that, with no page
 * behind it. */
bool
prf_pagemap_is_there(uint64_t entry)
{
	bool is_present = entry >> 63 & 1, is_swapped = entry >> 62 & 1;

	return is_present || (is_swapped && !prf_pagemap_is_protected(entry));
}
