/* run_doubts.h - what a run's figures are not what was asked for, or what they
 * are taken for: one line for each, before the summary; and what intervals allow
 * for. */
#ifndef PRF_SRC_OUTPUT_RUN_DOUBTS_H
#define PRF_SRC_OUTPUT_RUN_DOUBTS_H

#include "live/sampler.h"
#include "src/message.h"
#include "src/options/options.h"

/* Samples came less often than OPTIONS ask for: how often, and why. */
void prf_run_doubts_rate(const struct prf_messages *messages,
			 const struct prf_options *options,
			 const struct prf_sampler_stats *stats);

/* Stops cost the program much. */
void prf_run_doubts_stops(const struct prf_messages *messages,
			  const struct prf_sampler_stats *stats);

/* Shares of threads that run briefly and were stopped from outside are wrong. */
void prf_run_doubts_brief(const struct prf_messages *messages,
			  const struct prf_sampler_stats *stats);

/* System calls have failed with EINTR because their threads were stopped, or have
 * ignored a signal, under profrun. */
void prf_run_doubts_calls(const struct prf_messages *messages,
			  const struct prf_sampler_stats *stats);

/* Functions of the kernel were asked for, and most samples could not tell
 * them. */
void prf_run_doubts_kernel(const struct prf_messages *messages,
			   const struct prf_options *options,
			   const struct prf_sampler_stats *stats);

/* The part of all time that is of threads in step with the kernel's tick, which
 * may have been met in the same places again and again. */
double prf_run_doubts_in_step(const struct prf_sampler_stats *stats);

#endif
