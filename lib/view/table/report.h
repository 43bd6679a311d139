/* report.h - the summary that a person reads at the end of a run. */
#ifndef PRF_VIEW_TABLE_REPORT_H
#define PRF_VIEW_TABLE_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/attr.h"
#include "profile/call_graph.h"
#include "profile/functions.h"
#include "view/table/style.h"

/* Ticks that are not in the profile, and why. */
struct prf_loss {
	const char *reason;
	uint64_t ticks;
};

/* A source of ticks, and how many it brought. */
struct prf_source_share {
	const char *name;
	uint64_t ticks, threads;
};

/* CPU time of a program's processes that has no ticks. */
struct prf_unseen_share {
	const char *name; /* "": several */
	uint64_t ns, n_processes;
};

/* What is known of a run besides its profile. */
struct prf_summary {
	char *const *argv;
	/* Of processes that ran already: their ids; ARGV are their names. */
	const pid_t *pids;
	size_t n_pids;
	uint64_t wall_ns;
	uint64_t paused_ns;          /* of it: counting was off */
	uint64_t delay_ns;           /* asked for, before it was on */
	uint64_t cpu_ns;             /* of all threads, exact, without */
	uint64_t stops_ns;           /* what stops took of it besides */
	uint64_t user_us, system_us; /* by the kernel's accounting */
	double doubt;       /* part of the profile that is of threads in step
			     * with the kernel's tick */
	uint64_t kernel_ns; /* in the kernel, but in no system call; 0: none to
			     * speak of */
	uint64_t threads, processes;
	uint64_t unwatched; /* threads that nothing could stop */
	uint64_t own_cpu_ns;
	uint32_t rate_hz; /* asked for */
	uint64_t period_ns;
	uint64_t ticks, samples, late; /* in the profile; late ones of them */
	/* With the wall clock; else all 0. */
	uint64_t threads_ns;       /* that the threads have lived, together */
	uint64_t blocked, waiting; /* of ticks: what the threads did */
	const struct prf_loss *losses;          /* ends with a NULL reason */
	const struct prf_source_share *sources; /* ends with a NULL name */
	/* The most first; NULL: none that chance does not explain. */
	const struct prf_unseen_share *unseen;
	size_t n_unseen;
	const char *fallback_reason; /* "" or why not the first source */
};

/* What was run, how long, how many samples it has, and what part of its time
 * that is.  -ENOMEM. */
int prf_report_run(const struct prf_summary *summary,
		   const struct prf_style *style, FILE *out) PRF_MUST_CHECK;
/* If it has too few samples: that, and what to do.  -ENOMEM. */
int prf_report_advice(const struct prf_summary *summary,
		      const struct prf_style *style, FILE *out) PRF_MUST_CHECK;
/* The MAX first of FUNCTIONS, which are sorted, with their totals by GRAPH, of
 * the same profile (NULL: there were no stacks).  DOUBT: see share.h.
 * -ENOMEM. */
int prf_report_functions(const struct prf_functions *functions,
			 const struct prf_call_graph *graph, uint64_t period_ns,
			 double doubt, size_t max,
			 const struct prf_style *style,
			 FILE *out) PRF_MUST_CHECK;

#endif
