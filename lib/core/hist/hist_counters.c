#include "core/hist/hist_counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static size_t
n_blocks(size_t n_bins)
{
	return n_bins / PRF_HIST_COUNTERS_IN_BLOCK + 1;
}

/* MAP_NORESERVE: a huge text, little of which is run, is not refused for memory
 * that it will not use. */
int
prf_hist_counters_init(struct prf_hist_counters *counters, size_t n_bins,
		       struct prf_error *err)
{
	*counters = (struct prf_hist_counters){.n_bins = n_bins};
	void *bins = mmap(NULL, n_bins * sizeof *counters->bins,
			  PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bins == MAP_FAILED)
		return prf_error_set(err, -ENOMEM, "%zu counters: %m", n_bins);
	counters->bins = bins;
	counters->touched = calloc(n_blocks(n_bins), sizeof *counters->touched);
	if (!counters->touched)
		return prf_error_set(err, -ENOMEM, "%zu counters: %m", n_bins);
	return 0;
}

void
prf_hist_counters_fini(struct prf_hist_counters *counters)
{
	if (counters->bins)
		munmap(counters->bins,
		       counters->n_bins * sizeof *counters->bins);
	free(counters->touched);
	*counters = (struct prf_hist_counters){0};
}

size_t
prf_hist_counters_next(const struct prf_hist_counters *counters, size_t at)
{
	size_t block = at / PRF_HIST_COUNTERS_IN_BLOCK;
	const uint8_t *touched = memchr(counters->touched + block, true,
					n_blocks(counters->n_bins) - block);

	if (!touched)
		return counters->n_bins;
	size_t first = (size_t)(touched - counters->touched) *
		       PRF_HIST_COUNTERS_IN_BLOCK;
	return first > at ? first : at;
}
