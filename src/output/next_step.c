#include "src/output/next_step.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/output/quoted.h"
#include "view/table/plain.h"

enum { COLUMNS = 80 };

#define INDENT "  "
#define REMARK "    # "

void
prf_next_step_begin(struct prf_next_step *step)
{
	*step = (struct prf_next_step){0};
	step->command = open_memstream(&step->text, &step->n_bytes);
}

void
prf_next_step_put(struct prf_next_step *step, const char *text)
{
	if (step->command)
		fputs(text, step->command);
}

void
prf_next_step_put_word(struct prf_next_step *step, const char *word)
{
	prf_next_step_put(step, " ");
	if (step->command)
		prf_quoted_print(word, step->command);
}

/* Part of a command would be another one. */
static bool
close_command(struct prf_next_step *step)
{
	bool failed = !step->command || ferror(step->command);

	if (step->command && fclose(step->command))
		failed = true;
	return !failed;
}

void
prf_next_step_end(struct prf_next_step *step, const char *remark, FILE *out)
{
	if (close_command(step)) {
		bool fits = strlen(INDENT REMARK) + step->n_bytes +
				    strlen(remark) <=
			    COLUMNS;

		fprintf(out, INDENT "%s%s" REMARK, step->text,
			fits ? "" : "\n");
		prf_plain_print(remark, out);
		fputc('\n', out);
	}
	free(step->text);
}
