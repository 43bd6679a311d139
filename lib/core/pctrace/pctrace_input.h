/* pctrace_input.h - the blocks of a trace, found in a stream of bytes that may
 * be damaged anywhere. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_INPUT_H
#define PRF_CORE_PCTRACE_PCTRACE_INPUT_H

#include "crc32.h"
#include "core/pctrace.h"
#include "pctrace_format.h"

/* Bytes that are kept at once: a block, and the header of the next one. */
enum {
	PRF_PCTRACE_INPUT_ROOM = PRF_PCTRACE_MAX_PAYLOAD_BYTES +
				 2 * PRF_PCTRACE_BLOCK_HEADER_BYTES,
};

struct prf_pctrace_input {
	FILE *in;
	bool ended;
	int failed;       /* reading failed: a negative errno value */
	uint64_t off;     /* in the file, of bytes[begin] */
	uint64_t in_vain; /* bytes searched for a block without success */
	bool gave_up;
	struct prf_crc32 crc;
	size_t begin, end;
	uint8_t bytes[PRF_PCTRACE_INPUT_ROOM];
};

struct prf_pctrace_block {
	uint64_t off; /* of its payload in the file */
	uint64_t time_ns, events_before, ticks_before;
	const uint8_t *payload; /* valid until the next block is read */
	size_t n_bytes;         /* that are there */
	bool is_cut;            /* the file ends in it; not checked */
};

/* The file's header.  As prf_pctrace_open(). */
int prf_pctrace_input_begin(struct prf_pctrace_input *input, FILE *in,
			    struct prf_error *err) PRF_MUST_CHECK;

/* The next block whose checksums are right, or the one in which the file ends.
 * Damage is added to REPORT.  False: there is none; or FAILED is set. */
bool prf_pctrace_input_next(struct prf_pctrace_input *input,
			    struct prf_pctrace_block *block,
			    struct prf_pctrace_report *report);

/* Does anything follow the block last given? */
bool prf_pctrace_input_more(struct prf_pctrace_input *input);

/* Adds damage at OFF to REPORT: WHAT. */
void prf_pctrace_input_damage(struct prf_pctrace_report *report, uint64_t off,
			      const char *what);

#endif
