/* record_past.h - the events without which the samples that follow mean
 * nothing: the programs, mappings and threads of the processes that live.  A
 * trace that begins in the middle of a run begins with them. */
#ifndef PRF_SRC_OUTPUT_RECORD_PAST_H
#define PRF_SRC_OUTPUT_RECORD_PAST_H

#include "core/attr.h"
#include "core/sample.h"
#include "core/sink/event.h"

struct prf_record_past;

struct prf_record_past *prf_record_past_new(void);       /* NULL: no memory */
void prf_record_past_free(struct prf_record_past *past); /* takes NULL */

/* Keeps a copy of an event, which is no sample and no figure.  What is not
 * needed any more is forgotten now and then. */
void prf_record_past_add(struct prf_record_past *past, enum prf_event_kind kind,
			 const void *what);
/* Gives SINK what is needed.  Returns what SINK answers first that is not 0. */
int prf_record_past_give(struct prf_record_past *past,
			 struct prf_sink *sink) PRF_MUST_CHECK;

#endif
