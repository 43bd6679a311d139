#include "src/options/option_table.h"

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

/* man/profrun.1 says the same, and the completions in data/ are made of it. */
const struct argp_option prf_option_table[] = {
	GROUP("Sampling:", 1),
	OPTION("frequency", 'F', "HZ",
	       "Take HZ ticks for each second that a thread computes, 1 to "
	       "10000 (default: 100)"),
	OPTION("interval", 'i', "TIME",
	       "The rate of -F, given as the time between ticks: 100us to 1s, "
	       "such as 10ms or 0.01s"),
	OPTION("clock", PRF_OPTION_CLOCK, "CLOCK",
	       "What time counts: cpu is user and system time (default), user "
	       "is user time alone, wall is all time, also that spent waiting"),
	OPTION("wall", 'w', NULL, "The same as --clock=wall"),
	OPTION("trigger", PRF_OPTION_TRIGGER, "TRIGGER",
	       "What takes samples: timer or interrupt, which stop threads; "
	       "ring, the kernel, which stops none; or auto, which chooses for "
	       "each thread (default)"),
	{.name = "call-graph",
	 .key = 'g',
	 .arg = "HOW",
	 .flags = OPTION_ARG_OPTIONAL,
	 .doc = "Take whole stacks: by call frame information (cfi), by frame "
		"pointers (fp), by all there is (auto, the same as -g), or "
		"none (default)"},
	OPTION("kernel", PRF_OPTION_KERNEL, NULL,
	       "Tell the kernel's own functions, too, where it may be seen "
	       "(trigger ring)"),
	GROUP("Target and time:", 2),
	OPTION("pid", 'p', "PID[,PID]",
	       "Profile processes that are already running, and leave them "
	       "running"),
	OPTION("follow", PRF_OPTION_FOLLOW, "WHICH",
	       "Which descendants are profiled, too: all (default); exec: "
	       "none, only this process, also after it has executed another "
	       "program; none: this process until it does that"),
	OPTION("duration", 'd', "TIME",
	       "Stop profiling after that time: 10s, 500ms, or 10, in seconds"),
	OPTION("delay", 'D', "TIME",
	       "Start to count after that time: 2s, 500ms, or 500, in "
	       "milliseconds"),
	OPTION("toggle-signal", PRF_OPTION_TOGGLE_SIGNAL, "SIG",
	       "Stop counting when profrun receives this signal, continue at "
	       "the next"),
	GROUP("Output:", 3),
	OPTION("format", 'f', "LIST",
	       "What to write: several have commas between them"),
	OPTION("samples", PRF_OPTION_SAMPLES, "N",
	       "Store no more than N samples in the raw format"),
	OPTION("max-size", PRF_OPTION_MAX_SIZE, "SIZE",
	       "Begin a trace again when it has reached SIZE, such as 100M or "
	       "1G; the "
	       "one before it stays as FILE.old"),
	OPTION("output", 'o', "PATTERN",
	       "File to write (default: gmon.out, of an MPI rank gmon.out.%r; "
	       "another by the format, such as profrun.trace).  %p is the "
	       "process id (then each process has a file), %t the thread id "
	       "(then each thread has), %n the program, %h the host, %r the "
	       "MPI "
	       "rank, %i the number of the interval (--every), %q{VAR} an "
	       "environment variable, %% a per cent sign"),
	OPTION("every", PRF_OPTION_EVERY, "TIME",
	       "Write a profile of each interval of TIME, such as 60s, while "
	       "the program "
	       "runs; -o has %i in it"),
	OPTION("split", PRF_OPTION_SPLIT, NULL,
	       "Write a gmon.out for each binary (executable, library) instead "
	       "of one for the whole run"),
	OPTION("all-symbols", PRF_OPTION_ALL_SYMBOLS, NULL,
	       "List all symbols in gmon.syms, also those without ticks"),
	OPTION("inherit-counts", PRF_OPTION_INHERIT_COUNTS, NULL,
	       "Let the counts of a forked process begin with its parent's, as "
	       "profil(2) documents it"),
	OPTION("summary-file", PRF_OPTION_SUMMARY_FILE, "FILE",
	       "Write the summary and warnings to FILE, and only errors to "
	       "stderr"),
	OPTION("threads", 't', NULL,
	       "Show the processes and the threads in the summary"),
	OPTION("full-names", PRF_OPTION_FULL_NAMES, NULL,
	       "Show parameters and template arguments of functions in the "
	       "summary"),
	OPTION("quiet", 'q', NULL, "Print nothing but errors"),
	OPTION("verbose", 'v', NULL,
	       "Account for every tick in the summary, and show the processes"),
	GROUP("Information:", -1), /* where argp puts help and version */
	OPTION("help", 'h', NULL, "Print this help"),
	OPTION("usage", PRF_OPTION_USAGE, NULL, "Print a short usage message"),
	OPTION("version", 'V', NULL, "Print the version"),
	{0},
};
