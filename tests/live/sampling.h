/* sampling.h - a run of the sampler into a recorder, and what must be true of
 * each. */
#ifndef PRF_TESTS_SAMPLING_H
#define PRF_TESTS_SAMPLING_H

#include "live/sampler.h"
#include "live/trigger/trigger_list.h"
#include "recorder.h"

enum { PRF_SAMPLING_PERIOD_NS = 10000000 };

/* The choices of --trigger; the first is NULL, for auto. */
extern const struct prf_trigger_ops *const prf_sampling_triggers[];
enum { PRF_SAMPLING_N_TRIGGERS = 1 + PRF_MAX_TRIGGERS };

/* Of the test that runs. */
struct prf_sampling {
	struct prf_recorder recorder;
	struct prf_sampler_config config;
	struct prf_run run;
	struct prf_error err;
};
extern struct prf_sampling prf_sampling;

void prf_sampling_set_up(void);
void prf_sampling_tear_down(void);

/* What a busy machine can spoil is measured so often at most, and judged by all
 * runs together. */
enum { PRF_SAMPLING_MOST_RUNS = 3 };
/* Forgets the run; what it was told stays. */
void prf_sampling_begin_again(void);

/* Runs PROGRAM with ARGUMENTS, words between blanks, into SINK, and returns
 * what the sampler does.  Ends the test program with 77 if ptrace is
 * refused. */
int prf_sampling_run(struct prf_sink *sink, const char *program,
		     const char *arguments);
/* Runs a workload into the recorder; it must run, and the sums be right. */
void prf_sampling_run_workload(const char *name, const char *arguments);

/* Each tick that a trigger brought is somewhere. */
void prf_sampling_check_sums(void);
void prf_sampling_check_exit(int status);
/* The ticks are no more than the CPU time, and some of it. */
void prf_sampling_check_ticks(void);

#endif
