/* stacks.h - a sink that makes frames of the registers and the memory that a
 * sample brings with it (stack_copy.h).
 *
 * It stands before all sinks that count or store, in the queue's thread.  It
 * follows the events of processes to know which file is where, and reads the
 * CFI of a file when a stack first leads there.  What it hands on is the sample
 * with its frames and the reason why they end, and without the copy; a sample
 * that has no copy passes as it is. */
#ifndef PRF_UNWIND_STACKS_H
#define PRF_UNWIND_STACKS_H

#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/sample.h"
#include "space/objectfile.h"

/* The most frames of a stack: outer ones are left out (PRF_STACK_LIMIT). */
enum { PRF_STACKS_MAX_FRAMES = 1024 };

/* How callers are found. */
enum prf_stacks_by {
	PRF_STACKS_BY_AUTO, /* CFI; where there is none, by what else there is */
	PRF_STACKS_BY_CFI,  /* CFI alone: no frame is guessed */
	PRF_STACKS_BY_FP,   /* frame pointers alone: every caller is guessed */
};

/* A sink before INNER, which becomes its own; it frees it and finishes it.  Files
 * are found by WAY (NULL: as usual).  -ENOMEM; then INNER stays the caller's. */
int prf_stacks_sink_new(struct prf_sink *inner, enum prf_stacks_by by,
			const struct prf_objectfile_way *way,
			struct prf_sink **out,
			struct prf_error *err) PRF_MUST_CHECK;

struct prf_stack_needs;

/* SINK, which is such a one, tells NEEDS, which lasts as long as it does, what stacks
 * have needed.  To be called before the first sample. */
void prf_stacks_sink_tell(struct prf_sink *sink, struct prf_stack_needs *needs);

#endif
