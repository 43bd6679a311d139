#include "profile/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A run has few programs, and asks once for each process. */
struct prf_program_row *
prf_programs_find(const struct prf_programs *programs, const char *path)
{
	for (size_t i = 0; i < programs->n; i++)
		if (strcmp(programs->rows[i].path, path) == 0)
			return &programs->rows[i];
	return NULL;
}

/* The row of PATH; a new one if there is none.  NULL: out of memory. */
static struct prf_program_row *
row_of(struct prf_programs *programs, const char *path)
{
	struct prf_program_row *row = prf_programs_find(programs, path);

	if (row)
		return row;
	struct prf_program_row *grown =
		reallocarray(programs->rows, programs->n + 1, sizeof *grown);
	if (!grown)
		return NULL;
	programs->rows = grown;
	grown[programs->n] = (struct prf_program_row){.path = strdup(path)};
	return grown[programs->n].path ? &grown[programs->n++] : NULL;
}

int
prf_programs_add(struct prf_programs *programs, const char *path,
		 uint64_t n_processes, const struct prf_count *count)
{
	struct prf_program_row *row = row_of(programs, path);

	if (!row)
		return -ENOMEM;
	row->n_processes += n_processes;
	prf_count_merge(&row->count, count);
	return 0;
}

static int
by_ticks(const void *a, const void *b)
{
	const struct prf_program_row *left = a, *right = b;

	if (left->count.ticks != right->count.ticks)
		return left->count.ticks > right->count.ticks ? -1 : 1;
	return strcmp(left->path, right->path);
}

void
prf_programs_sort(struct prf_programs *programs)
{
	if (programs->n)
		qsort(programs->rows, programs->n, sizeof *programs->rows,
		      by_ticks);
}

void
prf_programs_clear(struct prf_programs *programs)
{
	for (size_t i = 0; i < programs->n; i++)
		free(programs->rows[i].path);
	free(programs->rows);
	*programs = (struct prf_programs){0};
}

const char *
prf_programs_name(const struct prf_program_row *row)
{
	const char *slash = strrchr(row->path, '/');

	return !*row->path ? "?" : slash && slash[1] ? slash + 1 : row->path;
}
