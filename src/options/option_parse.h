/* option_parse.h - argp_parse(3) in the manner of all of our command lines. */
#ifndef PRF_SRC_OPTIONS_OPTION_PARSE_H
#define PRF_SRC_OPTIONS_OPTION_PARSE_H

#include <argp.h>

#include "core/attr.h"

/* Gives the words of ARGV behind its first to PARSER, with INPUT and argp's
 * FLAGS.  Nothing exits.  A word that is no option, or whose value is wrong in
 * kind, is refused by getopt_long(3) itself in one line on stderr, which begins
 * with NAME; all else is for PARSER to say.  Not 0: something was refused. */
error_t prf_option_parse(const struct argp *parser, const char *name, int argc,
			 char **argv, unsigned flags,
			 void *input) PRF_MUST_CHECK;

#endif
