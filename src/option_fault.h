/* option_fault.h - what is wrong with a command line that argp refused. */
#ifndef PRF_SRC_OPTION_FAULT_H
#define PRF_SRC_OPTION_FAULT_H

#include <argp.h>

#include "core/error.h"

/* Finds the first word of ARGV that is not as TABLE (ended by a row of zeros)
 * has it, in the way getopt_long(3) reads it.  Returns -EINVAL with one line
 * in ERR: getopt itself can only print, on two. */
int prf_option_fault(const struct argp_option *table, int argc, char **argv,
		     struct prf_error *err);

#endif
