/* pagemap.h - /proc/PID/pagemap: which pages of a process's memory are there.
 *
 * To read one that is not may take for ever: somebody has to bring it, and that
 * may be a file system in user space, or the program itself (userfaultfd). */
#ifndef PRF_LIVE_PROC_PAGEMAP_H
#define PRF_LIVE_PROC_PAGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* The file, to be read often: a descriptor, or a negative errno value.  TID is
 * any thread of the process that lives.  After an exec it shows nothing. */
int prf_pagemap_open(pid_t tid);

/* The entries of the N_PAGES from that of ADDR on.  Returns how many were read
 * (beyond user memory there are none), or a negative errno value. */
ssize_t prf_pagemap_pread(int fd, uint64_t addr, uint64_t *entries,
			  size_t n_pages) PRF_MUST_CHECK;

/* Can the page of ENTRY be read with no more than a wait for the kernel's own
 * swap space? */
bool prf_pagemap_is_there(uint64_t entry);

/* Does a userfaultfd have to allow that it is written? */
bool prf_pagemap_is_protected(uint64_t entry);

#endif
