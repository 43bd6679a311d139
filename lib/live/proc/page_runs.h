/* page_runs.h - a piece of another process's memory, page by page: what is there, and
 * where it is to go.  Pages have any size, and the piece may begin and end within
 * one. */
#ifndef PRF_LIVE_PROC_PAGE_RUNS_H
#define PRF_LIVE_PROC_PAGE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Of a piece that is no longer, in pages that are not smaller. */
enum {
	PRF_PAGE_RUNS_MOST_BYTES = (1 << 20) + (64 << 10),
	PRF_PAGE_RUNS_LEAST_PAGE = 4096,
	PRF_PAGE_RUNS_MOST_PAGES =
		PRF_PAGE_RUNS_MOST_BYTES / PRF_PAGE_RUNS_LEAST_PAGE + 1,
	PRF_PAGE_RUNS_MOST = PRF_PAGE_RUNS_MOST_PAGES / 2 + 1,
};

/* Each is of pages in a row that are there. */
struct prf_page_runs {
	struct iovec there[PRF_PAGE_RUNS_MOST], here[PRF_PAGE_RUNS_MOST];
	size_t n;
	bool goes_on; /* the last one may go on */
};

/* How many pages the N_BYTES at ADDR are in. */
size_t prf_page_runs_pages(uint64_t page_bytes, uint64_t addr, size_t n_bytes);

/* Finds the runs of the N_BYTES at ADDR, whose pages have ENTRIES (pagemap.h), and
 * makes those bytes of TO that they do not have ABSENT. */
void prf_page_runs_find(struct prf_page_runs *runs, uint64_t page_bytes,
			const uint64_t *entries, uint64_t addr, char *to,
			size_t n_bytes, uint8_t absent);

/* How many of the N_BYTES at TO are good, from the first on, if the first N_READ of
 * RUNS are. */
size_t prf_page_runs_good(const struct prf_page_runs *runs, size_t n_read,
			  const char *to, size_t n_bytes);

#endif
