/* run_options.h - what the options of a run say. */
#ifndef PRF_SRC_OPTIONS_RUN_OPTIONS_H
#define PRF_SRC_OPTIONS_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/sampler_config.h"
#include "unwind/stacks.h"

#define PRF_RATE_MIN_HZ 1
#define PRF_RATE_MAX_HZ 10000
#define PRF_MAX_PIDS 256
#define PRF_MAX_SAMPLES INT64_MAX
/* Of a trace; less would be told of processes and little else. */
#define PRF_MIN_TRACE_BYTES (UINT64_C(1) << 16)
/* Between two profiles of --every. */
#define PRF_MIN_EVERY_NS UINT64_C(1000000000)

enum prf_action {
	PRF_ACTION_RUN,
	PRF_ACTION_ATTACH,
	PRF_ACTION_HELP,
	PRF_ACTION_USAGE,
	PRF_ACTION_VERSION,
};

struct prf_options {
	enum prf_action action;
	uint32_t rate_hz;         /* PRF_RATE_MIN_HZ to PRF_RATE_MAX_HZ */
	const char *rounded_from; /* the -i TIME that 1/rate_hz s is not
				   * exactly, or NULL */
	enum prf_clock clock;
	bool call_graph;
	bool stacks_told; /* an option said whether, or how */
	bool kernel;      /* samples in the kernel have its functions */
	enum prf_stacks_by stacks_by; /* with call_graph */
	const char *trigger; /* the name of a trigger, or NULL: choose */
	unsigned formats;    /* bits of enum prf_format; not 0 */
	int64_t max_samples; /* in the raw format; PRF_MAX_SAMPLES: no limit */
	uint64_t max_trace_bytes; /* 0: no limit */
	const char *summary_file; /* for what would go to stderr, or NULL */
	const char *output; /* a pattern that prf_pattern_check finds good */
	const char *output_given; /* the same; NULL: not the user's */
	bool split;
	enum prf_follow follow;
	uint64_t delay_ns, duration_ns; /* 0: at once, to the end */
	uint64_t every_ns;              /* a profile each; 0: one in all */
	int toggle_signal;              /* 0: none */
	pid_t pids[PRF_MAX_PIDS];       /* to be attached to */
	size_t n_pids;
	bool all_symbols;    /* gmon.syms has those without ticks, too */
	bool inherit_counts; /* after fork, from the parent's counts */
	bool threads;        /* the summary has them */
	bool full_names;     /* of functions, in the summary */
	int verbosity;       /* -1 quiet, 0 usual, one more for each -v */
	char **program;      /* its arguments, [0] its name, NULL at the end;
			 * NULL unless the action is to run */
	bool no_command; /* "--" or "record" stood before it: it is no command
			      * of profrun's */
	bool is_top;     /* "top" did, and options stood behind that */
	bool tells_run;  /* by an option besides -q and -v */
	/* Not an option: the program begins with signal 33 ignored. */
	bool ignores_setxid;
};

#endif
