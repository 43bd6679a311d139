#include "view/export/folded_roots.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "space/file.h"

/* What is told apart, the most first. */
enum detail { THREADS, PROGRAMS, NOTHING, N_DETAILS };

/* Where the owner with NUMBER belongs. */
static struct prf_folded_root
root_of(const struct prf_profile *profile, uint32_t number, enum detail detail)
{
	const struct prf_owner *owner =
		profile->calls ? prf_owners_at(&profile->calls->owners, number)
			       : NULL;
	struct prf_folded_root root = {
		.program = profile->program ? profile->program->name : "",
		.thread = "",
	};

	if (!owner || detail == NOTHING)
		return root;
	if (*owner->program)
		root.program = prf_file_last_part(owner->program);
	if (detail == THREADS)
		root.thread = owner->name;
	return root;
}

static bool
are_same(const struct prf_folded_root *a, const struct prf_folded_root *b)
{
	return strcmp(a->program, b->program) == 0 &&
	       strcmp(a->thread, b->thread) == 0;
}

/* The place of ROOT among those that are there; it is a new one behind the last if it
 * is not. */
static size_t
place_of(const struct prf_folded_roots *roots,
	 const struct prf_folded_root *root)
{
	size_t at = 0;

	while (at < roots->n && !are_same(&roots->all[at], root))
		at++;
	return at;
}

/* Gives each owner its root.  False: they would be too many. */
static bool
try(const struct prf_profile *profile, enum detail detail,
    struct prf_folded_roots *roots)
{
	roots->n = 0;
	for (uint32_t i = 0; i < roots->n_owners; i++) {
		struct prf_folded_root root = root_of(profile, i, detail);
		size_t at = place_of(roots, &root);

		if (at == PRF_FOLDED_ROOTS_MAX)
			return false;
		if (at == roots->n)
			roots->all[roots->n++] = root;
		roots->root[i] = at;
	}
	return true;
}

/* Is there a thread of the same program that has another name? */
static bool
has_other_name(const struct prf_folded_roots *roots,
	       const struct prf_folded_root *root)
{
	for (size_t i = 0; i < roots->n; i++) {
		const struct prf_folded_root *other = &roots->all[i];

		if (*other->thread &&
		    strcmp(other->program, root->program) == 0 &&
		    strcmp(other->thread, root->thread) != 0)
			return true;
	}
	return false;
}

/* A program whose threads have all the same name, as far as that is known, is told
 * without it. */
static void
drop_lone_names(struct prf_folded_roots *roots)
{
	size_t n = roots->n, moved[PRF_FOLDED_ROOTS_MAX];

	for (size_t i = 0; i < n; i++)
		if (!has_other_name(roots, &roots->all[i]))
			roots->all[i].thread = "";
	roots->n = 0;
	for (size_t i = 0; i < n; i++) {
		moved[i] = place_of(roots, &roots->all[i]);
		if (moved[i] == roots->n)
			roots->all[roots->n++] = roots->all[i];
	}
	for (size_t i = 0; i < roots->n_owners; i++)
		roots->root[i] = moved[roots->root[i]];
}

int
prf_folded_roots_of(const struct prf_profile *profile,
		    struct prf_folded_roots *roots)
{
	*roots = (struct prf_folded_roots){
		.n_owners = 1 + (profile->calls ? profile->calls->owners.n : 0),
	};
	roots->root = calloc(roots->n_owners, sizeof *roots->root);
	if (!roots->root)
		return -ENOMEM;
	for (enum detail detail = 0; detail < N_DETAILS; detail++)
		if (try(profile, detail, roots))
			break;
	drop_lone_names(roots);
	return 0;
}

void
prf_folded_roots_clear(struct prf_folded_roots *roots)
{
	free(roots->root);
	*roots = (struct prf_folded_roots){0};
}
