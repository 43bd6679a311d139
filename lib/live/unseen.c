#include "live/unseen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct prf_unseen_program *
row_of(struct prf_unseen *unseen, const char *name)
{
	struct prf_unseen_program *rows = unseen->programs;
	size_t i = 0;

	while (i < PRF_UNSEEN_PROGRAMS - 1 && rows[i].n_processes &&
	       strcmp(rows[i].name, name) != 0)
		i++;
	if (i < PRF_UNSEEN_PROGRAMS - 1 && !rows[i].n_processes)
		snprintf(rows[i].name, sizeof rows[i].name, "%s", name);
	return &rows[i];
}

void
prf_unseen_add(struct prf_unseen *unseen, const char *name, uint64_t cpu_ns,
	       uint64_t ticks)
{
	struct prf_unseen_program *row = row_of(unseen, name);

	row->n_processes++;
	row->cpu_ns += cpu_ns;
	row->ticks += ticks;
}

/* Ticks that come by chance vary by the root of their number, at most. */
uint64_t
prf_unseen_ns(const struct prf_unseen_program *program, uint64_t period_ns)
{
	double due = (double)program->cpu_ns / (double)period_ns;
	double missing = due - (double)program->ticks;

	return missing > 2 * sqrt(due + 1)
		       ? (uint64_t)(missing * (double)period_ns)
		       : 0;
}
