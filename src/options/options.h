/* options.h - the command line, parsed into a struct.  Nothing is opened or
 * started by the parser. */
#ifndef PRF_SRC_OPTIONS_OPTIONS_H
#define PRF_SRC_OPTIONS_OPTIONS_H

#include <argp.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/options/run_options.h"

/* The command that is what there is without a command; and the one that shows
 * it as it goes on.  Both have the options of a run. */
#define PRF_OPTIONS_RECORD "record"
#define PRF_OPTIONS_TOP "top"

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
