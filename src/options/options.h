/* options.h - the command line, parsed into a struct.  Nothing is opened or
 * started by the parser. */
#ifndef PRF_SRC_OPTIONS_OPTIONS_H
#define PRF_SRC_OPTIONS_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "live/sampler.h"
#include "unwind/stacks.h"

#define PRF_RATE_MIN_HZ 1
#define PRF_RATE_MAX_HZ 10000
#define PRF_MAX_PIDS 256
#define PRF_MAX_SAMPLES INT64_MAX
/* Of a trace; less would be told of processes and little else. */
#define PRF_MIN_TRACE_BYTES (UINT64_C(1) << 16)
/* Between two profiles of --every. */
#define PRF_MIN_EVERY_NS UINT64_C(1000000000)

/* The command that is what there is without a command; and the one that shows
 * it as it goes on.  Both have the options of a run. */
#define PRF_OPTIONS_RECORD "record"
#define PRF_OPTIONS_TOP "top"

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

/* Fills OPTIONS; its strings are ARGV's.  -EINVAL: ERR says what is wrong and
 * what to do, or is empty where getopt_long(3) has said it on stderr. */
int prf_options_parse(int argc, char **argv, struct prf_options *options,
		      struct prf_error *err) PRF_MUST_CHECK;

/* The options of a run. */
extern const struct argp prf_options_parser;

/* What one tick is. */
uint64_t prf_options_period_ns(const struct prf_options *options);

/* Every option with its meaning, of "top" if OPTIONS are its; the usage alone. */
void prf_options_print_help(const struct prf_options *options, FILE *out);
void prf_options_print_usage(const struct prf_options *options, FILE *out);

#endif
