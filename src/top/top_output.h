/* top_output.h - what is written to the terminal while "profrun top" has it, by
 * the program and by profrun itself, is kept until the end. */
#ifndef PRF_SRC_TOP_TOP_OUTPUT_H
#define PRF_SRC_TOP_TOP_OUTPUT_H

#include "core/attr.h"
#include "core/error.h"

/* All zero: nothing is kept. */
struct prf_top_output {
	int kept;      /* the file that has it */
	int before[3]; /* what the standard streams were; -1: they are still */
};

/* More than the last so many bytes is not shown again. */
enum { PRF_TOP_OUTPUT_SHOWN_BYTES = 64 << 10 };

/* Of the standard streams those that are a terminal lead elsewhere from now on:
 * input to nothing, output to a file without a name. */
int prf_top_output_keep(struct prf_top_output *output,
			struct prf_error *err) PRF_MUST_CHECK;
/* Of what is kept only that takes room which will be shown. */
void prf_top_output_trim(const struct prf_top_output *output);
/* They lead to the terminal again, which gets what was kept; unless it does not
 * take that in some seconds. */
void prf_top_output_release(struct prf_top_output *output);
/* The terminal takes nothing: they lead where nobody reads. */
void prf_top_output_drop(struct prf_top_output *output);

#endif
