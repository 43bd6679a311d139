#include "live/proc/page_runs.h"

#include <string.h>

#include "live/proc/pagemap.h"

size_t
prf_page_runs_pages(uint64_t page_bytes, uint64_t addr, size_t n_bytes)
{
	return (size_t)((addr % page_bytes + n_bytes + page_bytes - 1) /
			page_bytes);
}

static void
add(struct prf_page_runs *runs, uint64_t addr, char *to, size_t n_bytes)
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

void
prf_page_runs_find(struct prf_page_runs *runs, uint64_t page_bytes,
		   const uint64_t *entries, uint64_t addr, char *to,
		   size_t n_bytes, uint8_t absent)
{
	runs->n = 0;
	runs->goes_on = false;
	for (size_t at = 0; at < n_bytes; entries++) {
		size_t piece = page_bytes - (addr + at) % page_bytes;

		if (piece > n_bytes - at)
			piece = n_bytes - at;
		if (prf_pagemap_is_there(*entries)) {
			add(runs, addr + at, to + at, piece);
		} else {
			memset(to + at, absent, piece);
			runs->goes_on = false;
		}
		at += piece;
	}
}

size_t
prf_page_runs_good(const struct prf_page_runs *runs, size_t n_read,
		   const char *to, size_t n_bytes)
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
