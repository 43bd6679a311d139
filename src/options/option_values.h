/* option_values.h - what each option means: a word of the command line, into
 * its member of the options. */
#ifndef PRF_SRC_OPTIONS_OPTION_VALUES_H
#define PRF_SRC_OPTIONS_OPTION_VALUES_H

#include <stddef.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/options/run_options.h"

/* The option of KEY, its letter or one of option_table.h, stood there with ARG
 * (NULL if it takes none).  -ENOENT: there is no such option; -EINVAL: ERR says
 * what is wrong with ARG. */
int prf_option_values_take(int key, const char *arg,
			   struct prf_options *options,
			   struct prf_error *err) PRF_MUST_CHECK;
/* The word with INDEX that a value called VALUE in the table of options
 * ("CLOCK") can be; NULL: there are no more, or it is no choice of words. */
const char *prf_option_values_word(const char *value, size_t index);

#endif
