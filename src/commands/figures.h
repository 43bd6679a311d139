/* figures.h - what a trace tells of its whole run, whatever part of it is
 * wanted. */
#ifndef PRF_SRC_COMMANDS_FIGURES_H
#define PRF_SRC_COMMANDS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/pctrace.h"
#include "core/sample.h"

/* What took samples, and how many ticks those stand for. */
struct prf_figures_trigger {
	char name[16]; /* "timer" */
	uint64_t ticks;
};

enum { PRF_FIGURES_TRIGGERS = 8 };

/* All zero: nothing yet. */
struct prf_figures {
	char *command, *host;   /* its own; NULL: not known */
	char clock[8];          /* "cpu", "user", "wall"; "": not known */
	char asked_trigger[16]; /* the one that was asked for; "": none was, or
				 * it is not known */
	uint64_t realtime_ns;   /* of its begin; 0: not known */
	uint64_t period_ns;
	uint64_t samples, ticks; /* that were played */
	int refused_code; /* why some of them could not be used; 0: all could */
	/* From the end of the trace. */
	bool has_end;
	uint64_t late, lost;
	uint64_t wall_ns;    /* from start to end */
	uint64_t cpu_ns;     /* of all threads */
	uint64_t in_step_ns; /* of cpu_ns: of threads in step with the kernel's
			      * tick */
	uint64_t threads_ns; /* that they lived; 0: not with the wall clock */
	/* Those with ticks, as the trace has them. */
	struct prf_figures_trigger triggers[PRF_FIGURES_TRIGGERS];
	size_t n_triggers;
	uint64_t without_stop; /* ticks, by the wall clock, of threads that did
				* not run, which no trigger sees */
};

/* Takes what INFO tells.  -ENOMEM. */
int prf_figures_begin(struct prf_figures *figures,
		      const struct prf_pctrace_info *info,
		      struct prf_error *err) PRF_MUST_CHECK;
void prf_figures_clear(struct prf_figures *figures);

/* The part of all time that is of threads in step with the kernel's tick. */
double prf_figures_doubt(const struct prf_figures *figures);

/* A sink before INNER, which becomes its own; it fills FIGURES, which must
 * outlive it.  -ENOMEM. */
int prf_figures_sink_new(struct prf_figures *figures, struct prf_sink *inner,
			 struct prf_sink **out,
			 struct prf_error *err) PRF_MUST_CHECK;

#endif
