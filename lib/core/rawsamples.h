/* rawsamples.h - a sink that stores what pcsample(2) would have put into
 * samples[]: run-time PCs, pointer-sized, one for each tick, in the order of
 * time, and nothing else.  A text beside them says what was mapped where.  All
 * is of one process; each process needs a sink of its own.
 *
 * The text has lines of /proc/PID/maps, of executable memory alone, and lines
 * that begin with '#': "# sample N" says from which sample on (the first is 0)
 * the lines below it hold; "# process PID: PATH: COMMAND", that a program
 * begins there, with nothing mapped; "# build-id HEX" is that of the file in
 * the next line.  Permissions of "---p" say that nothing is mapped there any
 * more. */
#ifndef PRF_CORE_RAWSAMPLES_H
#define PRF_CORE_RAWSAMPLES_H

#include <stdint.h>
#include <stdio.h>

#include "attr.h"
#include "error.h"
#include "sample.h"

PRF_BEGIN_DECLS

/* Samples go to RAW, the text to MAPS (NULL: nowhere); both stay the caller's
 * and are not closed.  No more than MAX_SAMPLES are stored: then the sink is
 * off, as the call is, takes ticks and stores none.  The first exec says how
 * wide a sample is, 4 bytes or 8; without one it is 8.  The byte order is this
 * machine's.  What is stored is flushed once a second, of the samples' own
 * time.  The sink refuses a PC that does not fit (-EOVERFLOW), and all events
 * once a file could not be written.  -EINVAL: MAX_SAMPLES is negative;
 * -ENOMEM. */
int prf_rawsamples_sink_new(FILE *raw, FILE *maps, int64_t max_samples,
			    struct prf_sink **out,
			    struct prf_error *err) PRF_MUST_CHECK;

struct prf_rawsamples_stats {
	uint64_t stored;    /* samples in the file */
	uint64_t unstored;  /* ticks for which there was no room */
	uint8_t addr_bytes; /* of a sample */
	uint64_t later[2];  /* all 0 */
};

struct prf_rawsamples_stats
prf_rawsamples_sink_stats(const struct prf_sink *sink);

PRF_END_DECLS

#endif
