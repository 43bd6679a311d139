#include "profile/warnings.h"

#include <stdlib.h>
#include <string.h>

void
prf_warnings_add(struct prf_warnings *warnings, const char *text)
{
	for (size_t i = 0; i < warnings->n; i++)
		if (!strcmp(warnings->lines[i], text))
			return;

	char *line = warnings->n < PRF_MAX_WARNINGS ? strdup(text) : NULL;
	if (line)
		warnings->lines[warnings->n++] = line;
	else
		warnings->n_more++;
}

void
prf_warnings_clear(struct prf_warnings *warnings)
{
	for (size_t i = 0; i < warnings->n; i++)
		free(warnings->lines[i]);
	*warnings = (struct prf_warnings){0};
}
