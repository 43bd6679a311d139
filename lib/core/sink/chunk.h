/* chunk.h - events one behind the other in pieces of memory, which are used
 * again.  Not installed. */
#ifndef PRF_CORE_SINK_CHUNK_H
#define PRF_CORE_SINK_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "event.h"
#include "core/losses.h"

struct prf_chunk {
	struct prf_chunk *next;
	size_t n_bytes, used;
	size_t counted_bytes; /* of what its owner counts as taken room */
	max_align_t bytes[];
};

/* Chunks that are not in use. */
struct prf_chunks {
	size_t chunk_bytes; /* of each: for any usual event */
	size_t n_spare, most_spare;
	struct prf_chunk *spares;
};

/* An empty chunk with space for N_BYTES; NULL: out of memory. */
struct prf_chunk *prf_chunks_take(struct prf_chunks *chunks, size_t n_bytes);
/* Puts CHUNK among those that are not in use.  False: there are enough of them,
 * and the caller is to free() CHUNK. */
bool prf_chunks_keep(struct prf_chunks *chunks,
		     struct prf_chunk *chunk) PRF_MUST_CHECK;
void prf_chunks_clear(struct prf_chunks *chunks);

/* Is there space for N_BYTES?  CHUNK may be NULL: there is none. */
static inline bool
prf_chunk_has_space(const struct prf_chunk *chunk, size_t n_bytes)
{
	return chunk && n_bytes <= chunk->n_bytes - chunk->used;
}

/* Adds an event of N_BYTES (see event.h), for which there is space. */
static inline void
prf_chunk_put(struct prf_chunk *chunk, size_t n_bytes, enum prf_event_kind kind,
	      const void *what)
{
	prf_event_put((char *)chunk->bytes + chunk->used, n_bytes, kind, what);
	chunk->used += n_bytes;
}

/* Gives all events to SINK, in order; LOSSES counts what it refuses. */
void prf_chunk_give(const struct prf_chunk *chunk, struct prf_sink *sink,
		    struct prf_losses *losses);

#endif
