#include "option_table.h"

#include <stddef.h>

#define GROUP(title, number)                                                   \
	{                                                                      \
		.doc = (title), .group = (number)                              \
	}
#define OPTION(long_name, letter, value, text)                                 \
	{                                                                      \
		.name = (long_name), .key = (letter), .arg = (value),          \
		.doc = (text)                                                  \
	}

/* Of this table, man/profrun.1 and the completions in data/ say the same. */
const struct argp_option prf_option_table[] = {
	GROUP("What a tick is:", 1),
	OPTION("frequency", 'F', "HZ",
	       "Ticks for each second that a thread computes, 1 to 10000 "
	       "(default: 100)"),
	OPTION("interval", 'i', "TIME",
	       "The same as a time, 100us to 1s: 10ms, 500us, 0.01s"),
	OPTION("clock", PRF_OPTION_CLOCK, "CLOCK",
	       "What time counts: cpu is user and system time (default), user "
	       "is user time alone, wall is all of it, spent waiting too"),
	OPTION("wall", 'w', NULL, "The same as --clock=wall"),
	OPTION("trigger", PRF_OPTION_TRIGGER, "TRIGGER",
	       "What makes a thread stop: timer, perf, interrupt, or auto, "
	       "which chooses for each thread (default)"),
	GROUP("What to look at, and when:", 2),
	OPTION("pid", 'p', "PID[,PID]",
	       "Look at processes that run already, and leave them running"),
	OPTION("follow", PRF_OPTION_FOLLOW, "WHICH",
	       "Descendants too: all (default); exec: this process alone, also "
	       "when it becomes another program; none: not even then"),
	OPTION("duration", 'd', "SECONDS", "Stop looking after that time"),
	OPTION("delay", 'D', "MS", "Begin to count after that time"),
	OPTION("toggle-signal", PRF_OPTION_TOGGLE_SIGNAL, "SIG",
	       "Stop counting at the first such signal that profrun gets, go "
	       "on at the next"),
	GROUP("Output:", 3),
	OPTION("format", 'f', "LIST",
	       "What to write: gmon (gmon.out, default), pcsample (a trace of "
	       "all samples), raw (bare program counters); several with commas "
	       "between"),
	OPTION("samples", PRF_OPTION_SAMPLES, "N",
	       "Store no more than N samples in the raw format"),
	OPTION("output", 'o', "PATTERN",
	       "File to write (default: gmon.out, of an MPI rank gmon.out.%r; "
	       "profrun.trace or pcsamples.raw, by the format); other "
	       "processes of the run "
	       "add theirs beside it.  %p is the process id, %t the thread id "
	       "(then each thread has a file), %n the program, %h the host, %r "
	       "the MPI rank, %q{VAR} an environment variable, %% a per cent "
	       "sign"),
	OPTION("split", PRF_OPTION_SPLIT, NULL,
	       "Write a gmon.out for each object (executable, library) instead "
	       "of one for the whole process"),
	OPTION("inherit-counts", PRF_OPTION_INHERIT_COUNTS, NULL,
	       "Let the counts of a forked process begin with its parent's, as "
	       "profil(2) documents it"),
	OPTION("threads", 't', NULL, "Show the threads in the summary"),
	OPTION("quiet", 'q', NULL, "Print nothing but errors"),
	OPTION("verbose", 'v', NULL, "Account for every tick in the summary"),
	GROUP("Information:", -1), /* where argp puts help and version */
	OPTION("help", PRF_OPTION_HELP, NULL, "Print this help"),
	OPTION("usage", PRF_OPTION_USAGE, NULL, "Print a short usage message"),
	OPTION("version", 'V', NULL, "Print the version"),
	{0},
};
