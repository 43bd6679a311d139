/* recording.h - a trace as the commands read it: opened with care, played, and
 * what is amiss with it said. */
#ifndef PRF_SRC_COMMANDS_RECORDING_H
#define PRF_SRC_COMMANDS_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/pctrace.h"
#include "src/commands/reading.h"
#include "src/commands/selection.h"
#include "profile/collector.h"
#include "view/export/timeline.h"

/* Opens PATH for reading; "-" is standard input.  What is no regular file is
 * refused, with one line: a device has no end, a FIFO waits. */
int prf_input_open(const char *path, FILE **out,
		   struct prf_error *err) PRF_MUST_CHECK;
/* Is PATH a regular file that begins with the N (<= 64) BYTES?  What cannot be
 * read is none. */
bool prf_input_begins(const char *path, const char *bytes, size_t n);
/* Is PATH a list of symbols, as stands beside a gmon.out? */
bool prf_input_is_list(const char *path);

struct prf_recording {
	const char *path;
	FILE *file;
	struct prf_pctrace *trace;
};

/* Does a trace begin at PATH, a regular file?  What cannot be read is none. */
bool prf_recording_is_trace(const char *path);

/* ERR says which file it is about. */
int prf_recording_open(const char *path, struct prf_recording *recording,
		       struct prf_error *err) PRF_MUST_CHECK;
void prf_recording_close(struct prf_recording *recording);

/* Of one tick: the nearest whole number, 1 to 10000; 100 where the trace does
 * not tell. */
uint32_t prf_recording_rate_hz(const struct prf_recording *recording);

/* Plays what READING wants to SINK, which becomes its own, is finished and, if
 * KEEP is NULL, freed; else *KEEP is what is to be freed.  That the trace was
 * cut or damaged is a warning.  -ENOENT: it has no sample that is wanted. */
int prf_recording_play(const struct prf_recording *recording,
		       const struct prf_reading *reading, struct prf_sink *sink,
		       struct prf_sink **keep,
		       struct prf_error *err) PRF_MUST_CHECK;
/* The same with SINK at work in a thread of its own, beside the reading. */
int prf_recording_play_beside(const struct prf_recording *recording,
			      const struct prf_reading *reading,
			      struct prf_sink *sink, struct prf_sink **keep,
			      struct prf_error *err) PRF_MUST_CHECK;

/* The name of the program, without its arguments; to be free()d.  NULL: out of
 * memory. */
char *prf_recording_program(const struct prf_recording *recording);

/* What was counted, as a trace is, or its run would have been.  All zero: nothing. */
struct prf_counted {
	struct prf_profile *profile; /* complete */
	struct prf_sink *sink;       /* whose the profile is, or before whose it
				      * is; NULL: nobody else's */
};

/* Counts what READING wants of RECORDING.  CONFIG is as for a run; its
 * rate, how files are found and when it was are filled in.  What is amiss with files is a
 * warning. */
int prf_recording_count(const struct prf_recording *recording,
			const struct prf_reading *reading,
			const struct prf_collector_config *config,
			struct prf_counted *counted,
			struct prf_error *err) PRF_MUST_CHECK;
void prf_counted_clear(struct prf_counted *counted);
/* How a timeline of RECORDING is made, of which READING wants a part. */
struct prf_timeline_config
prf_recording_timeline(const struct prf_recording *recording,
		       const struct prf_reading *reading);

#endif
