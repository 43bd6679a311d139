/* pctrace_decode.h - turns the records of a block into events. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_DECODE_H
#define PRF_CORE_PCTRACE_PCTRACE_DECODE_H

#include "pctrace_input.h"
#include "pctrace_state.h"
#include "varint.h"

struct prf_pctrace_decoder {
	struct prf_pctrace_state state;
	uint64_t n_lost; /* events before this block, and not told again */
	/* What the next sample has, if that was told. */
	bool has_kernel;
	struct prf_kernel_functions kernel;
	const char *kernel_names[PRF_PCTRACE_MAX_KERNEL];
	/* The strings of the record at hand. */
	char strings[2][PRF_PCTRACE_MAX_STRING_BYTES + 1];
};

/* Gives the events of BLOCK to SINK, and counts them in REPORT with what is
 * wrong with them.  N_LOST events before it were lost: of these, the ones that
 * the block repeats are given, too, at most N_LOST.  Returns the number of
 * records that the headers of blocks count as events; their ticks in *TICKS. */
uint64_t prf_pctrace_decode(struct prf_pctrace_decoder *decoder,
			    const struct prf_pctrace_block *block,
			    uint64_t n_lost, struct prf_sink *sink,
			    struct prf_pctrace_report *report, uint64_t *ticks);

/* A record's type, and its body unless it is a sample (the end of a sample is
 * known only by reading it). */
uint8_t prf_pctrace_decode_head(struct prf_varint_in *in,
				struct prf_varint_in *body);
/* A string, copied to ROOM, which has PRF_PCTRACE_MAX_STRING_BYTES + 1
 * bytes. */
const char *prf_pctrace_decode_string(struct prf_varint_in *in, char *room);

/* The next sample, behind its TYPE; its frames are the decoder's.  False: it is
 * not valid, or is not complete. */
bool prf_pctrace_decode_sample(struct prf_pctrace_state *state, uint8_t type,
			       struct prf_varint_in *in,
			       struct prf_sample *sample, struct prf_frame *pc);

#endif
