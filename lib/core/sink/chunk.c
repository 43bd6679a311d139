#include "core/sink/chunk.h"

#include <stdlib.h>

struct prf_chunk *
prf_chunks_take(struct prf_chunks *chunks, size_t n_bytes)
{
	struct prf_chunk *chunk = chunks->spares;

	if (chunk && n_bytes <= chunk->n_bytes) {
		chunks->spares = chunk->next;
		chunks->n_spare--;
	} else {
		if (n_bytes < chunks->chunk_bytes)
			n_bytes = chunks->chunk_bytes;
		chunk = malloc(sizeof *chunk + n_bytes);
		if (!chunk)
			return NULL;
		chunk->n_bytes = n_bytes;
	}
	chunk->next = NULL;
	chunk->used = chunk->counted_bytes = 0;
	return chunk;
}

/* Larger chunks were made for a single event. */
bool
prf_chunks_keep(struct prf_chunks *chunks, struct prf_chunk *chunk)
{
	if (chunk->n_bytes > chunks->chunk_bytes ||
	    chunks->n_spare >= chunks->most_spare)
		return false;
	chunks->n_spare++;
	chunk->next = chunks->spares;
	chunks->spares = chunk;
	return true;
}

void
prf_chunks_clear(struct prf_chunks *chunks)
{
	struct prf_chunk *next;

	for (struct prf_chunk *chunk = chunks->spares; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	chunks->spares = NULL;
	chunks->n_spare = 0;
}

void
prf_chunk_give(const struct prf_chunk *chunk, struct prf_sink *sink,
	       struct prf_losses *losses)
{
	const char *at = (const char *)chunk->bytes, *end = at + chunk->used;

	while (at < end) {
		const struct prf_event *event = (const void *)at;

		prf_losses_count(losses, prf_event_ticks(event),
				 prf_event_give(event, sink));
		at += event->n_bytes;
	}
}
