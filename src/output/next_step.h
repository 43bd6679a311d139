/* next_step.h - a command that a user can paste into a shell, and what it is good for,
 * after it or, where the line would be longer than 80 characters, below it. */
#ifndef PRF_SRC_OUTPUT_NEXT_STEP_H
#define PRF_SRC_OUTPUT_NEXT_STEP_H

#include <stddef.h>
#include <stdio.h>

struct prf_next_step {
	FILE *command; /* to be written; NULL: there was no memory */
	char *text;
	size_t n_bytes;
};

/* To be followed by prf_next_step_end(); between them the command is written. */
void prf_next_step_begin(struct prf_next_step *step);
/* Prints it.  One that there was no memory for is left out. */
void prf_next_step_end(struct prf_next_step *step, const char *remark,
		       FILE *out);

/* They do nothing without a command. */
void prf_next_step_put(struct prf_next_step *step, const char *text);
void prf_next_step_put_word(struct prf_next_step *step,
			    const char *word); /* " WORD" */

#endif
