/* cfi_cache.h - rows of CFI that were made before, of all files of a run, in
 * bounded memory.
 *
 * An answer that was given lately is found again by its file and vaddr; another
 * one may have taken its slot.  When the memory is used up, all is forgotten: what
 * is still needed is soon made again. */
#ifndef PRF_IMAGE_CFI_CACHE_H
#define PRF_IMAGE_CFI_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "image/cfi_row.h"
#include "image/cfi_rows.h"

/* What a run may take. */
enum { PRF_CFI_CACHE_BYTES = 1 << 20 };

struct prf_cfi_answer {
	uint64_t vaddr;
	const struct prf_cfi_row *row; /* NULL: there is none */
	uint32_t file;                 /* 0: no answer */
};

/* All zero but for MAX_BYTES is empty.  Not for two threads at once. */
struct prf_cfi_cache {
	size_t max_bytes;
	struct prf_cfi_answer *answers; /* by hash */
	size_t n_answers;               /* slots: a power of 2, or 0 */
	size_t n_given;                 /* answers since it last grew */
	struct prf_cfi_rows rows;
	uint32_t n_files;
	uint64_t n_cleared; /* how often all was forgotten */
};

void prf_cfi_cache_free(struct prf_cfi_cache *cache);

/* A number for one more file, of which no answer is known. */
static inline uint32_t
prf_cfi_cache_add_file(struct prf_cfi_cache *cache)
{
	return ++cache->n_files;
}

static inline struct prf_cfi_answer *
prf_cfi_cache_slot(const struct prf_cfi_cache *cache, uint32_t file,
		   uint64_t vaddr)
{
	uint64_t hash =
		(vaddr + ((uint64_t)file << 40)) * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->answers[hash >> 32 & (cache->n_answers - 1)];
}

/* The answer for VADDR in FILE; NULL: it is not known. */
static inline const struct prf_cfi_answer *
prf_cfi_cache_find(const struct prf_cfi_cache *cache, uint32_t file,
		   uint64_t vaddr)
{
	if (!cache->answers)
		return NULL;
	const struct prf_cfi_answer *answer =
		prf_cfi_cache_slot(cache, file, vaddr);
	return answer->vaddr == vaddr && answer->file == file ? answer : NULL;
}

/* Notes that ROW (NULL: none) is the answer for VADDR in FILE, and copies it, with
 * its expressions.  Returns the copy, which lasts until something else is added;
 * or ROW itself, if there is no room or memory for it. */
const struct prf_cfi_row *prf_cfi_cache_add(struct prf_cfi_cache *cache,
					    uint32_t file, uint64_t vaddr,
					    const struct prf_cfi_row *row);

/* The memory that it takes. */
size_t prf_cfi_cache_bytes(const struct prf_cfi_cache *cache);

#endif
