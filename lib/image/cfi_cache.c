#include "image/cfi_cache.h"

#include <stdlib.h>
#include <string.h>

/* Slots for answers grow with what is asked for, up to half of the memory. */
enum { ANSWERS_MIN = 256 };

void
prf_cfi_cache_free(struct prf_cfi_cache *cache)
{
	prf_cfi_rows_free(&cache->rows);
	free(cache->answers);
	*cache = (struct prf_cfi_cache){.max_bytes = cache->max_bytes};
}

size_t
prf_cfi_cache_bytes(const struct prf_cfi_cache *cache)
{
	return cache->n_answers * sizeof *cache->answers + cache->rows.n_bytes;
}

static void
forget_all(struct prf_cfi_cache *cache)
{
	if (cache->answers)
		memset(cache->answers, 0,
		       cache->n_answers * sizeof *cache->answers);
	prf_cfi_rows_free(&cache->rows);
	cache->n_cleared++;
}

/* Makes more slots, when as many answers were given as there are.  Without memory
 * the old ones have to do. */
static void
grow(struct prf_cfi_cache *cache)
{
	size_t n = cache->n_answers ? cache->n_answers * 4 : ANSWERS_MIN;
	struct prf_cfi_cache old = *cache;

	if (cache->n_given < cache->n_answers ||
	    n * sizeof *cache->answers > cache->max_bytes / 2)
		return;
	struct prf_cfi_answer *answers = calloc(n, sizeof *answers);
	if (!answers)
		return;
	cache->answers = answers;
	cache->n_answers = n;
	cache->n_given = 0;
	for (size_t i = 0; i < old.n_answers; i++)
		if (old.answers[i].file)
			*prf_cfi_cache_slot(cache, old.answers[i].file,
					    old.answers[i].vaddr) =
				old.answers[i];
	free(old.answers);
}

/* Stores ROW; NULL: there is no room or memory. */
static const struct prf_cfi_row *
store(struct prf_cfi_cache *cache, const struct prf_cfi_row *row)
{
	size_t n_bytes = prf_cfi_rows_need(&cache->rows, row);

	if (prf_cfi_cache_bytes(cache) + n_bytes > cache->max_bytes)
		forget_all(cache);
	n_bytes = prf_cfi_rows_need(&cache->rows, row);
	if (prf_cfi_cache_bytes(cache) + n_bytes > cache->max_bytes)
		return NULL;
	return prf_cfi_rows_add(&cache->rows, row);
}

const struct prf_cfi_row *
prf_cfi_cache_add(struct prf_cfi_cache *cache, uint32_t file, uint64_t vaddr,
		  const struct prf_cfi_row *row)
{
	const struct prf_cfi_row *stored = NULL;

	grow(cache);
	if (row) {
		stored = store(cache, row);
		if (!stored)
			return row;
	}
	if (cache->answers) {
		*prf_cfi_cache_slot(cache, file, vaddr) =
			(struct prf_cfi_answer){vaddr, stored, file};
		cache->n_given++;
	}
	return stored;
}
