/* quoted.h - a word as a shell reads it. */
#ifndef PRF_SRC_OUTPUT_QUOTED_H
#define PRF_SRC_OUTPUT_QUOTED_H

#include <stdio.h>

/* Prints WORD, in apostrophes where a shell would not take it as it is.  If it
 * has what could steer a terminal, it is $'\033' and the like, as most shells
 * read it. */
void prf_quoted_print(const char *word, FILE *out);

#endif
