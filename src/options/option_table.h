/* option_table.h - the options of a run, as --help shows them. */
#ifndef PRF_SRC_OPTIONS_OPTION_TABLE_H
#define PRF_SRC_OPTIONS_OPTION_TABLE_H

#include <argp.h>

/* The keys of those that have no letter. */
enum {
	PRF_OPTION_SPLIT = 256,
	PRF_OPTION_SAMPLES,
	PRF_OPTION_MAX_SIZE,
	PRF_OPTION_SUMMARY_FILE,
	PRF_OPTION_ALL_SYMBOLS,
	PRF_OPTION_INHERIT_COUNTS,
	PRF_OPTION_FULL_NAMES,
	PRF_OPTION_CLOCK,
	PRF_OPTION_TRIGGER,
	PRF_OPTION_FOLLOW,
	PRF_OPTION_TOGGLE_SIGNAL,
	PRF_OPTION_EVERY,
	PRF_OPTION_KERNEL,
	PRF_OPTION_USAGE,
};

/* Ended by a row of zeros. */
extern const struct argp_option prf_option_table[];

#endif
