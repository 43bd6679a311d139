#include "profile/ranks.h"

#include <errno.h>
#include <stdlib.h>

/* The row of PROGRAM's rank.  NULL: out of memory. */
static struct prf_ranks_row *
row_of(struct prf_ranks *ranks, struct prf_program *program)
{
	for (size_t i = 0; i < ranks->n; i++)
		if (ranks->all[i].rank == program->rank)
			return &ranks->all[i];
	struct prf_ranks_row *all =
		reallocarray(ranks->all, ranks->n + 1, sizeof *all);
	if (!all)
		return NULL;
	ranks->all = all;
	struct prf_profile *profile = prf_profile_new();
	if (!profile)
		return NULL;
	all[ranks->n] = (struct prf_ranks_row){
		.rank = program->rank,
		.program = prf_program_hold(program),
		.profile = profile,
	};
	return &all[ranks->n++];
}

int
prf_ranks_add(struct prf_ranks *ranks, struct prf_program *program,
	      const struct prf_profile *profile)
{
	struct prf_ranks_row *row = row_of(ranks, program);

	return row ? prf_profile_add(row->profile, profile, NULL) : -ENOMEM;
}

/* As a number without a sign, -1 is the greatest. */
static int
by_rank(const void *a, const void *b)
{
	const struct prf_ranks_row *left = a, *right = b;
	uint32_t x = (uint32_t)left->rank, y = (uint32_t)right->rank;

	return (x > y) - (x < y);
}

void
prf_ranks_sort(struct prf_ranks *ranks)
{
	if (ranks->n)
		qsort(ranks->all, ranks->n, sizeof *ranks->all, by_rank);
}

void
prf_ranks_clear(struct prf_ranks *ranks)
{
	for (size_t i = 0; i < ranks->n; i++) {
		prf_program_drop(ranks->all[i].program);
		prf_profile_free(ranks->all[i].profile);
	}
	free(ranks->all);
	*ranks = (struct prf_ranks){0};
}
