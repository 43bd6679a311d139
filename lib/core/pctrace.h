/* pctrace.h - a trace of all that was seen of a program: written as it happens,
 * and played again.
 *
 * The format, pctrace(5), is one file of checked blocks.  A trace keeps each
 * event with each of its numbers.  What is played is what was given, except
 * that strings of more than 65535 bytes are cut.  At every moment the file can
 * be read up to its end; damage costs the blocks that it is in. */
#ifndef PRF_CORE_PCTRACE_H
#define PRF_CORE_PCTRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "attr.h"
#include "error.h"
#include "losses.h"
#include "sample.h"

PRF_BEGIN_DECLS

/* What is true of a whole trace.  What is not known is 0 or, as text, NULL to
 * the writer and "" from the reader. */
struct prf_pctrace_info {
	const char *recorder; /* who wrote it: "profrun 0.1.0" */
	const char *host;     /* on which machine, by its name */
	const char *command;  /* what was run, with blanks between */
	const char *machine;  /* its architecture, as uname -m: "x86_64" */
	const char *order;    /* its byte order: "little" or "big" */
	const char *clock;    /* what a tick is one of: "cpu", "user", "wall" */
	const char *trigger; /* what was to take the samples: "timer", "auto" */
	uint64_t period_ns;  /* of one tick */
	uint64_t jitter_ns;  /* by which a period may be off, either way */
	uint64_t
		realtime_ns; /* CLOCK_REALTIME, since 1970, at the moment ... */
	uint64_t monotonic_ns; /* ... when CLOCK_MONOTONIC was this */
	uint64_t later[2];     /* all 0 */
};

/* A sink that writes a trace to FILE, which stays the caller's and is neither
 * rewound nor closed.  INFO is written at once, events no more than a second
 * (of their own time) after they were given, each with fflush().  finish()
 * writes the end; a trace without it is read as one that was cut.  Memory: 2.5
 * MB at most, of which samples without stacks touch some 200 kB.  The sink
 * refuses what the format cannot hold: -EINVAL, a sample of no ticks or frames,
 * whose first frame is no PC, with a frame or an end of the stack of a kind
 * that does not exist, with more certain ticks than ticks, or runnable but not
 * of PRF_NO_PROCESSOR, or the other way round; a mapping that wraps, or of a
 * kind that does not exist, as of a life; a program whose pointers have neither
 * 4 bytes nor 8, or of rank INT32_MAX; -E2BIG, a stack of more than 65535
 * frames.  Once the file could not be written it refuses all events, with the
 * reason.  -ENOMEM, and
 * what writing failed with. */
int prf_pctrace_sink_new(FILE *file, const struct prf_pctrace_info *info,
			 struct prf_sink **out,
			 struct prf_error *err) PRF_MUST_CHECK;

/* A trace that is being read.  Any input is safe; memory is as above. */
struct prf_pctrace;

/* Reads the beginning of a trace from IN, which stays the caller's; a pipe will
 * do.  -EBADMSG: no trace, or its header is damaged; -ENOTSUP: of a version
 * that is not known; -ENOMEM; what reading failed with. */
int prf_pctrace_open(FILE *in, struct prf_pctrace **out,
		     struct prf_error *err) PRF_MUST_CHECK;
void prf_pctrace_close(struct prf_pctrace *trace); /* takes NULL */

/* Lasts as long as TRACE. */
const struct prf_pctrace_info *
prf_pctrace_info(const struct prf_pctrace *trace);

/* What was in a trace. */
struct prf_pctrace_report {
	uint64_t events;           /* given to the sink, samples and others */
	uint64_t samples, ticks;   /* of them */
	struct prf_losses refused; /* of those: the sink refused them */
	bool has_end; /* else it was cut, or the recorder was killed */
	/* Of EVENTS: from a block that is cut, without its checksum. */
	uint64_t unchecked;
	/* Records of kinds that are not known here: passed over. */
	uint64_t unknown;
	/* Damage: in how many places, and what the first is, with its offset
	 * (code 0: none); what was lost by it, as later blocks say; and how
	 * many of EVENTS were in a block that was lost, and were repeated in
	 * the next block because later events need them. */
	uint64_t n_damaged;
	struct prf_error damage;
	uint64_t lost_events, lost_ticks;
	uint64_t told_again;
	uint64_t later[2]; /* all 0 */
};

/* Gives all events to SINK, which is neither finished nor freed.  To be called
 * once.  0: up to the end of what could be read, see REPORT.  Otherwise what
 * reading failed with; REPORT then tells of what came before. */
int prf_pctrace_play(struct prf_pctrace *trace, struct prf_sink *sink,
		     struct prf_pctrace_report *report,
		     struct prf_error *err) PRF_MUST_CHECK;

PRF_END_DECLS

#endif
