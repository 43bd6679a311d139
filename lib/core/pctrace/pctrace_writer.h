/* pctrace_writer.h - the sink that writes a trace, from the inside: blocks,
 * and the records in them. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_WRITER_H
#define PRF_CORE_PCTRACE_PCTRACE_WRITER_H

#include "crc32.h"
#include "core/pctrace.h"
#include "pctrace_past.h"
#include "pctrace_state.h"

enum { PRF_PCTRACE_WRITER_N_SLOTS = 2 * PRF_PCTRACE_MAX_THREADS };

struct prf_pctrace_writer {
	struct prf_sink base;
	FILE *file;
	int failed; /* the file could not be written: why */
	struct prf_crc32 crc;
	/* In the blocks before, and in this one. */
	uint64_t events_before, ticks_before;
	uint64_t events, ticks;
	uint64_t begin_ns; /* of this block */
	struct prf_pctrace_state state;
	/* A thread's number plus 1, by hash; or 0. */
	uint16_t slots[PRF_PCTRACE_WRITER_N_SLOTS];
	/* What the next block repeats of this one: events, and facts about the
	 * trace, as records. */
	struct prf_pctrace_past past;
	uint8_t *facts;
	size_t n_fact_bytes;
	/* Writes what a block repeats at its beginning. */
	int (*tell_again)(struct prf_pctrace_writer *writer);
	bool tells_again;     /* an event of the block before is written now */
	size_t n_again_bytes; /* of the payload: of the block before */
	size_t n_bytes;       /* of the payload so far */
	uint8_t payload[PRF_PCTRACE_MAX_PAYLOAD_BYTES];
};

/* Writes BYTES to the file.  The reason of a failure stays in FAILED. */
int prf_pctrace_writer_write(struct prf_pctrace_writer *writer,
			     const void *bytes, size_t n_bytes);

/* Makes room in the payload for N_BYTES of an event at TIME_NS, if necessary in
 * a new block, which begins with what it repeats. */
int prf_pctrace_writer_room(struct prf_pctrace_writer *writer, uint64_t time_ns,
			    size_t n_bytes);

/* Writes the block, if there is anything in it. */
int prf_pctrace_writer_end_block(struct prf_pctrace_writer *writer);

/* The sink's. */
int prf_pctrace_writer_sample(struct prf_sink *sink,
			      const struct prf_sample *sample);

#endif
