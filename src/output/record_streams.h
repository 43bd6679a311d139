/* record_streams.h - the files that are written as the program runs: a trace of
 * all samples, and the raw program counters of its first process.
 *
 * They have their names from their begin on, so that what was written is there
 * whatever becomes of profrun. */
#ifndef PRF_SRC_OUTPUT_RECORD_STREAMS_H
#define PRF_SRC_OUTPUT_RECORD_STREAMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "core/sink/filter.h"
#include "space/objectfile.h"
#include "src/message.h"
#include "src/options/options.h"
#include "src/output/output.h"
#include "src/output/record_past.h"

enum { PRF_N_STREAMS = 2 };

/* One of them; the sink is before the one that writes. */
struct prf_record_stream {
	struct prf_filter filter; /* no next one before the first event */
	struct prf_record_streams *all;
	enum prf_format format;
	pid_t pid; /* the first process; 0: no event yet */
	struct prf_outfile *file, *maps;
	char *name, *path;
	bool has_maps;
	bool is_in_place; /* it goes to a device, and can be read by nobody */
	struct prf_error failure;
	uint64_t
		others; /* ticks of processes that the format has no place for */
	uint64_t unstored; /* ticks above the limit */
	/* Of a trace with a limit; NULL: it has none. */
	struct prf_record_past *past;
	/* In the file, in the one before it (0: there is none), and in those
	 * that are gone. */
	uint64_t samples, old_samples, dropped;
};

struct prf_record_streams {
	const struct prf_options *options;
	struct prf_output *output;
	struct prf_record_stream streams[PRF_N_STREAMS];
	size_t n;
	uint64_t realtime_ns, monotonic_ns; /* at once, before all events */
	char *command;                      /* of the run */
	struct prf_objectfile_finder *finder;
};

/* Begins the run of OPTIONS, of which the files are to be OUTPUT's; both must
 * outlive STREAMS.  -ENOMEM. */
int prf_record_streams_begin(struct prf_record_streams *streams,
			     const struct prf_options *options,
			     struct prf_output *output,
			     struct prf_error *err) PRF_MUST_CHECK;
/* The clock of OPTIONS, as files call it. */
const char *prf_record_streams_clock(const struct prf_options *options);
/* A sink before FAMILY (which becomes its own) and the files that OPTIONS ask
 * for besides gmon.out; FAMILY itself where they ask for none.  STREAMS must
 * outlive it.  What fails in a file is told by
 * prf_record_streams_complain() alone: it is no failure of the sink.
 * -ENOMEM: FAMILY is the caller's still. */
int prf_record_streams_sink(struct prf_record_streams *streams,
			    struct prf_sink *family, struct prf_sink **out,
			    struct prf_error *err) PRF_MUST_CHECK;
/* The sink of the only file that OPTIONS ask for, with nothing before it;
 * freed as any sink. */
struct prf_sink *prf_record_streams_one(struct prf_record_streams *streams);
/* When the other files of the run are written, which keep less: the newest of
 * them all is what one has who names none. */
void prf_record_streams_be_newest(const struct prf_record_streams *streams);
/* When the sink is freed. */
void prf_record_streams_clear(struct prf_record_streams *streams);

/* Where the files are. */
void prf_record_streams_print(const struct prf_record_streams *streams,
			      FILE *out);
/* Says what could not be written; returns how many files that are. */
uint64_t prf_record_streams_complain(const struct prf_record_streams *streams,
				     const struct prf_messages *messages);

#endif
